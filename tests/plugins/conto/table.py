"""A dinner whose cards are stacked: matches of Il Conto, Prego! that follow a test word by word.

Only the driving of such a match lives here; what is to be proved stands in the tests.
"""

from __future__ import annotations

import re
from typing import Any

from tavolata import Card, Outcome
from tavolata.decks import FrenchFace
from tavolata.testing import Rehearsal, answers, rehearse
from tavolata.testing.script import Refuses
from tavolata_conto.calls import Please, Served, move_between, place_between
from tavolata_conto.menu import ACE, Call, Course, Move, dish_of
from tavolata_conto.rules import Conto

LETTERS = {"W": 0, "J": 11, "Q": 12, "K": 13, "A": ACE} | {str(dish): dish for dish in range(2, 11)}
PLAIN = "2 3 4 5 6 7 | 2 3 4 5 6 7 | 8 9 10 J Q K"
"""Three hands without aces and jokers, for tests that need no others."""


def called(words: str) -> Call:
    """A call from words: "2 A 1 K" is two aces and a king."""
    return Call(tuple(Course(int(n), LETTERS[dish]) for n, dish in re.findall(r"(\d+) (\S+)", words)))


def stack(hands: str) -> list[str]:
    """The pack for these hands, the opener's first; after ";" what is dealt when all have six."""
    dealt, _, more = hands.partition(";")
    rows = [hand.split() for hand in dealt.split("|")]
    order = [row[place] for place in range(len(rows[0])) for row in rows] + more.split()
    return ["Joker" if card == "W" else card for card in order]


class Dinner:
    """A match of as many players as there are hands; the dealer is the last seat, so seat 0 opens.

    Args:
        hands: one deal after the other.
        losses: what is on the tabs before the second deal.
        omaggi: the same.
        options: the house rules.
    """

    def __init__(self, *hands: str, **options: Any) -> None:
        seats = len(hands[0].split("|"))
        self.match: Rehearsal = rehearse(
            Conto, seats=seats, first=seats - 1, options=options, turns=10_000,
            decks={"pack": [stack(hand) for hand in hands]},
        )  # fmt: skip
        self.game: Conto = self.match.game

    @property
    def seat(self) -> int:
        """Who is asked."""
        return int(self.match.open[0].seat)

    def tabs(self, losses: list[int], omaggi: list[int] | None = None) -> Dinner:
        """Put this on the tabs, as if it had happened before."""
        self.game.losses._load(losses)
        self.game.omaggi._load(omaggi or [0] * len(losses))
        return self

    def card(self, dish: str, seat: int | None = None) -> Card[FrenchFace]:
        """A card of this dish in the hand of who is asked, a shown one if there is any."""
        seat = self.seat if seat is None else seat
        view = self.match.views(seat)
        cards = [card for card in self.game.hands[seat] if dish_of(view.face(card)) == LETTERS[dish]]  # type: ignore[arg-type] # it is the owner's view
        return max(cards, key=lambda card: card.is_public)

    def answer(self, dish: str, words: str) -> Any:
        """The answer with this call and a card of this dish, legal or not."""
        before, after = self.game.last_call, called(words)
        move = move_between(before, after)
        place = place_between(before, after)
        if move is not Move.ORDER:
            place = min(place, len(before.courses) - 1)
        return (move, place), Served(after, self.card(dish))

    def call(self, dish: str, words: str) -> Dinner:
        """Who is in turn makes this call and shows a card of this dish."""
        self.match.play(self.answer(dish, words))
        return self

    def bill(self) -> Dinner:
        """Who is in turn asks for the bill."""
        self.match.play((Please.BILL,))
        return self

    def discard(self, seat: int, dishes: str) -> Dinner:
        """A seat discards these cards."""
        self.match.play(answers(seat, [self.card(dish, seat) for dish in dishes.split()]))
        return self

    def refuses(self, dish: str, words: str, reason: str) -> Dinner:
        """This call with a card of this dish is refused for a reason with these words."""
        self.match.play(Refuses(self.answer(dish, words), reason))
        return self

    def offers(self, dish: str) -> list[str]:
        """The calls that who is asked may make with a card of this dish."""
        ask, view = self.match.open[0], self.match.views(self.seat)
        kind: Any = ask.question
        calls: dict[str, None] = {}
        mine = self.game.hands[self.seat]
        cards = [card for card in mine if dish_of(view.face(card)) == LETTERS[dish]]  # type: ignore[arg-type] # as above
        for number in range(kind.count()):
            _, *rest = kind.nth(number)
            if rest and rest[0].card in cards and view.allows(ask, kind.nth(number)):
                calls[str(rest[0].call)] = None
        return list(calls)

    @property
    def may_ask(self) -> bool:
        """Whether who is asked may ask for the bill."""
        kind: Any = self.match.open[0].question
        return Please.BILL in kind.first.values

    @property
    def losses(self) -> list[int]:
        """Who has lost how often."""
        return self.game.losses.values()

    @property
    def outcome(self) -> Outcome | None:
        """How it ended."""
        return self.match.outcome
