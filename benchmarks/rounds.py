"""A game as long and as wide as you like, to measure how costs grow: a question and a sentence each turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tavolata import NN_, Deck, Game, Hand, Options, Outcome, Pile, Seat, Table, Zone, one_of, option
from tavolata.zones import hand_zone, pile_zone

CARDS = Deck("rounds", range(54))
YES_NO = one_of([False, True])


@dataclass(frozen=True, kw_only=True)
class RoundsOptions(Options):
    """How long a match is."""

    rounds: int = option(20, "Turns in a match.", low=1)


@dataclass(frozen=True)
class Left:
    """What a match of a campaign leaves."""

    matches: int = 0


class Rounds(Game[RoundsOptions]):
    """A card each; then one seat after the other says yes or no, and all are told."""

    name, title, seats = "rounds", "Rounds", (1, 40)
    options, legacy = RoundsOptions, Left

    deck: Pile[int]
    hands: list[Hand[int]]
    said: list[int]

    def setup(self, t: Table[RoundsOptions]) -> None:
        """A deck, and how often each seat said yes."""
        self.deck, self.hands = t.pile("deck", CARDS), t.hands("hand")
        self.said = [0] * len(t.ring)
        self.matches = t.legacy(Left).matches + 1

    async def turn(self, t: Table[RoundsOptions]) -> Outcome | None:
        """One question."""
        if not t.turn:
            await t.shuffle(self.deck)
            await t.deal(self.deck, self.hands)
        seat = t.ring[t.turn % len(t.ring)]
        if await t.ask(seat, YES_NO, "Yes?", "Somebody says yes or no."):
            self.said[seat] += 1
        t.tell(
            NN_("{seat} has said yes once.", "{seat} has said yes {n} times."), seat=seat, n=self.said[seat]
        )
        if t.turn + 1 < t.options.rounds:
            return None
        return Outcome.by_score(t, self.said, legacy=Left(self.matches))

    def zones(self, t: Table[RoundsOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The deck and the hands."""
        yield pile_zone(self.deck, "Deck")
        yield from (hand_zone(hand, "Hand") for hand in self.hands)
