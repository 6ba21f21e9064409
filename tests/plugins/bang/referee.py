"""Bang told a second time, as plainly as can be, from a log: lists of card numbers, ruling by ruling.

It shares nothing with the rules but the patterns, which have tests of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tavolata import Seat
from tavolata._engine.match.entries import FACE, NUMBER, REACT, MatchEntry
from tavolata.decks import FRENCH_54, FrenchFace
from tavolata_bang.options import BangOptions, Barred, Jolly


class Referee:
    """A match as its log has it.

    Args:
        seats: how many play.
        options: the house rules.
        dealer: who deals.
    """

    def __init__(self, seats: int, options: BangOptions, dealer: int) -> None:
        self.seats = seats
        self.options = options
        self.face: dict[int, FrenchFace] = {}
        self.stacks: list[list[int]] = [[] for _ in range(seats)]
        for number in range(54):  # ruling 1: one by one, the dealer's left first; the top is dealt first
            self.stacks[(dealer + 1 + number) % seats].append(53 - number)
        self.pile: list[int] = []
        self.under: list[int] = []
        self.turn = (dealer + 1) % seats
        self.layer = self.turn
        self.owner: int | None = None
        self.due = 0
        self.out: set[int] = set()
        self.laid = 0
        self.over = False

    def asks(self, face: FrenchFace) -> int:
        """How many cards a card asks for, in this table's reading of the jolly."""
        jolly = self.options.jolly
        if face.rank == 0:
            return 1 if jolly in (Jolly.JOKER, Jolly.BOTH) else 0
        if face.rank == 11:
            return 1 if jolly in (Jolly.JACK, Jolly.BOTH) else 0
        return {12: 2, 13: 3, 1: 4}.get(face.rank, 0)

    def next_with_cards(self, seat: int) -> int:
        """Rulings 10, 12, 14: who has no cards is passed over; the asker himself comes last."""
        for places in range(1, self.seats + 1):
            other = (seat + places) % self.seats
            if self.stacks[other]:
                return other
        return seat

    def lay(self, card: int, face: FrenchFace) -> None:
        """A card is turned up: it has to be the top one of the stack of whoever is to lay."""
        assert self.stacks[self.turn][-1] == card
        self.layer = self.turn
        self.stacks[self.layer].pop()
        self.pile.append(card)
        self.face[card] = face
        self.laid += 1
        asked = self.asks(face)
        if asked:
            self.owner, self.due = self.layer, asked
            self.turn = self.next_with_cards(self.layer)
        elif self.owner is not None:
            self.due -= 1
            if not self.stacks[self.layer]:
                self.turn = self.next_with_cards(self.layer)
        else:
            self.turn = self.next_with_cards(self.layer)

    def window(self, said: Sequence[tuple[int, int, int]]) -> None:
        """What was said in a window, as (seat, answer, milliseconds); -1 lets the match go on."""
        assert not any(seat in self.out and answer == 0 for seat, answer, _ in said)

        def rank(one: tuple[int, int, int]) -> tuple[int, bool, int]:  # rulings 5, 17 and 18
            seat, answer, taken = one
            least = self.options.floor if answer == 0 else self.options.hurry
            later = self.options.handicaps().get(Seat(seat), 0) if answer == 0 else 0
            return max(taken, least) + later, answer != 0, (seat - self.layer - 1) % self.seats

        first = min(said, key=rank, default=None)
        if first is not None and first[1] == 0:
            self.bang(first[0])
        if self.pile and not self.over and (self.is_paid() or not any(self.stacks)):
            self.take(self.layer if self.owner is None else self.owner)  # rulings 10, 11, 13, 15
        self.over = self.over or 0 < self.options.cap <= self.laid

    def is_paid(self) -> bool:
        """Whether a tribute is complete."""
        return self.owner is not None and self.due == 0

    def bang(self, seat: int) -> None:
        """Rulings 3, 4, 6, 7, 8."""
        cards = [self.face[card] for card in self.pile]
        if any(pattern.shown_by(cards) for pattern in self.options.patterns):
            self.take(seat)
        elif not self.stacks[seat]:
            self.out |= set() if self.options.barred is Barred.NEVER else {seat}
        else:
            for _ in range(min(self.options.penalty, len(self.stacks[seat]))):
                self.under.append(self.stacks[seat].pop())  # the last one lies lowest
            if not self.stacks[self.turn]:
                self.turn = self.next_with_cards(self.turn)

    def take(self, seat: int) -> None:
        """Ruling 6: turned over, the lowest penalty card comes out first, the top of the pile last."""
        first_out = [*reversed(self.under), *self.pile]
        self.stacks[seat] = [*reversed(first_out), *self.stacks[seat]]
        self.pile, self.under = [], []
        self.owner, self.due = None, 0
        self.turn = seat
        if self.options.barred is Barred.PILE:
            self.out.clear()
        self.over = len(self.stacks[seat]) == 54  # ruling 15

    def winners(self) -> list[int]:
        """Who has most cards."""
        most = max(map(len, self.stacks))
        return [seat for seat, stack in enumerate(self.stacks) if len(stack) == most]


def told(log: Sequence[MatchEntry], seats: int, options: BangOptions) -> Iterator[tuple[int, Referee]]:
    """The match of a log, after each window: how many entries there were, and how things stand."""
    assert log[0][0] == NUMBER
    referee = Referee(seats, options, log[0][2])
    said: list[tuple[int, int, int]] = []
    open_now: Any = False
    for number, entry in enumerate(log):
        if entry[0] == FACE:
            if open_now:
                referee.window(said)
                yield number, referee
            said, open_now = [], True
            referee.lay(entry[1], FRENCH_54.faces[entry[2]])
        elif entry[0] == REACT:
            said.append((entry[1], entry[3], entry[4]))
    referee.window(said)
    yield len(log), referee
