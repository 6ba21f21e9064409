"""Sealed Tricks, a game for tests: hidden hands, sealed bids, cards played face up, the highest takes.

Written by the public API alone, as a stranger would; installed by the tests as a package.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tavolata import (
    N_,
    NN_,
    Choice,
    Counters,
    Game,
    Hand,
    Options,
    Outcome,
    Pile,
    Question,
    Refused,
    Seat,
    Table,
    Zone,
    amount,
    hookimpl,
    interjection,
    one_of,
    option,
)
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata.zones import counters_zone, hand_zone, pile_zone

CHEER = one_of([Choice("hooray", N_("hooray")), Choice("ouch", N_("ouch"))])


@dataclass(frozen=True, kw_only=True)
class TrickOptions(Options):
    """House rules of Sealed Tricks."""

    hands: int = option(1, "How many hands make a match.", low=1, high=50)
    broken: bool = option(False, "Whether the rules break after the bids, to see what becomes of the table.")


class SealedTricks(Game[TrickOptions]):
    """Five cards each; all bid in secret how many they will take, then play them."""

    name = "tricks"
    title = N_("Sealed Tricks")
    seats = (2, 8)
    options = TrickOptions
    listens = True

    deck: Pile[ItalianFace]
    played: Pile[ItalianFace]
    hands: list[Hand[ItalianFace]]
    points: Counters
    taken: Counters

    def setup(self, t: Table[TrickOptions]) -> None:
        """A pack and a hand for everybody."""
        self.deck = t.pile("deck", ITALIAN_40)
        self.played = t.pile("played")
        self.hands = t.hands("hand")
        self.points = t.counters("points")
        self.taken = t.counters("taken")
        self.bank = t.bank("bank")
        self.cheers = 0

    async def turn(self, t: Table[TrickOptions]) -> Outcome | None:
        """One hand of five cards."""
        await t.shuffle(self.deck, self.played, *self.hands)
        await t.deal(self.deck, self.hands, each=5)
        bids = await t.ask_all(
            {seat: amount(0, 5) for seat in t.ring},
            N_("How many do you take?"),
            N_("Everyone bids in secret."),
        )
        for seat in t.ring:
            t.tell(N_("{seat} bids {bid}."), seat=seat, bid=bids[seat])
        if t.options.broken:
            raise KeyError("a fault of the rules")
        before = {seat: int(self.taken[seat]) for seat in t.ring}
        leader = t.first_seat
        for _ in range(5):
            leader = await self.trick(t, leader)
        for seat in t.ring:
            if int(self.taken[seat]) - before[seat] == bids[seat]:
                self.bank.pay(10, self.points[seat])
        if t.turn + 1 < t.options.hands:
            return None
        scores = tuple(int(one) for one in self.points)
        return Outcome(tuple(seat for seat in t.ring if scores[seat] == max(scores)), scores=scores)

    async def trick(self, t: Table[TrickOptions], leader: Seat) -> Seat:
        """Everybody plays a card; the seat with the highest takes."""
        best, winner = -1, leader
        for seat in t.ring.starting(leader):
            card = await t.ask(
                seat,
                one_of([Choice(card, "") for card in self.hands[seat]]),
                N_("Which card will you play?"),
                N_("{seat} has to play."),
                seat=seat,
            )
            self.hands[seat].take(card)
            await t.reveal([card])
            self.played.put(card)
            t.tell(N_("{seat} plays {card}."), seat=seat, card=card)
            if int(card.face.rank) > best:
                best, winner = int(card.face.rank), seat
        self.bank.pay(1, self.taken[winner])
        t.tell(NN_("{seat} has taken {n} trick.", "{seat} has taken {n} tricks."), seat=winner,
               n=int(self.taken[winner]))  # fmt: skip
        return winner

    @interjection(N_("Shout {value}"))
    def cheer(self, t: Table[TrickOptions], seat: Seat, what: str) -> None:
        """Anybody may shout at any time."""
        self.cheers += 1
        t.tell(N_("{seat} shouts {what}."), seat=seat, what=what)

    @cheer.choices
    def _cheers(self, t: Table[TrickOptions], seat: Seat) -> Question[str] | None:
        return CHEER

    def heard(self, t: Table[TrickOptions], speaker: Seat, to: tuple[Seat, ...], words: str | None) -> None:
        """Nobody may talk to itself: a rule of talk, so that one can be refused."""
        if speaker in to:
            raise Refused(N_("You talk to yourself."))

    def zones(self, t: Table[TrickOptions], viewer: Seat | None) -> Iterable[Zone]:
        """What lies there."""
        return (
            pile_zone(self.played, N_("Played")),
            *(hand_zone(hand, N_("Hand of {seat}")) for hand in self.hands),
            counters_zone(self.points, N_("Points")),
        )


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """The one game of this package."""
    return [SealedTricks]
