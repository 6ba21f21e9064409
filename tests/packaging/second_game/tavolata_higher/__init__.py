"""Higher: everybody turns a card, the highest wins. A whole game as a package of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tavolata import (
    N_,
    NN_,
    Ask,
    Choice,
    Counters,
    Game,
    Options,
    Outcome,
    Pile,
    Question,
    Seat,
    Table,
    View,
    Zone,
    hookimpl,
    one_of,
    option,
)
from tavolata.bots import Bot, Chance
from tavolata.decks import FRENCH_52, FrenchFace
from tavolata.zones import counters_zone, pile_zone


@dataclass(frozen=True, kw_only=True)
class HigherOptions(Options):
    """House rules of Higher."""

    tricks: int = option(3, "How many tricks win the match.", low=1, high=9)


class Higher(Game[HigherOptions]):
    """Turn a card or leave it; the highest card takes the trick, and aces are high.

    Attributes:
        deck: the cards that are still to come.
        turned: the cards of this trick and of those before.
        tricks: how many tricks each seat has.
    """

    name = "higher"
    title = N_("Higher")
    summary = N_("Everybody turns a card; the highest takes the trick.")
    seats = (2, 8)
    options = HigherOptions

    deck: Pile[FrenchFace]
    turned: Pile[FrenchFace]
    tricks: Counters

    def setup(self, t: Table[HigherOptions]) -> None:
        """A pack, face up until it is shuffled, and a place for what is turned."""
        self.deck = t.pile("deck")
        self.turned = t.pile("turned", FRENCH_52)
        self.tricks = t.counters("tricks")
        self.bank = t.bank("all tricks")

    async def turn(self, t: Table[HigherOptions]) -> Outcome | None:
        """One trick: each seat in turn may turn a card."""
        if len(self.deck) < len(t.ring):
            await t.shuffle(self.deck, self.turned)
        best: tuple[int, Seat] | None = None
        for seat in t.ring.starting(t.ring.after(t.first_seat, t.turn)):
            turn_it = await t.ask(
                seat,
                one_of([Choice(True, N_("turn a card")), Choice(False, N_("leave it"))]),
                N_("Do you turn a card?"),
                N_("{seat} may turn a card."),
                seat=seat,
            )
            if not turn_it:
                continue
            card = await t.turn_up(self.deck, onto=self.turned)
            t.tell(N_("{seat} turns {card}."), seat=seat, card=card)
            rank = 14 if card.face.rank == 1 else int(card.face.rank)
            if best is None or rank > best[0]:
                best = rank, seat
        if best is None:
            t.tell(N_("Nobody dares."))
            return None
        winner = best[1]
        self.bank.pay(1, self.tricks[winner])
        t.tell(
            NN_("{seat} has {n} trick.", "{seat} has {n} tricks."), seat=winner, n=int(self.tricks[winner])
        )
        if int(self.tricks[winner]) == t.options.tricks:
            return Outcome(winners=(winner,), scores=tuple(self.tricks.values()))
        return None

    def zones(self, t: Table[HigherOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The pack, what was turned, the tricks."""
        return (
            pile_zone(self.deck, N_("Pack")),
            pile_zone(self.turned, N_("Turned")),
            counters_zone(self.tricks, N_("Tricks")),
        )


class BoldBot(Bot):
    """Always turns a card."""

    level = "bold"

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """See `Bot`."""
        return True

    def interject(self, view: View, standing: Mapping[str, Question], chance: Chance) -> None:
        """Nothing to say."""


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """The one game of this package."""
    return [Higher]


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Its bot."""
    return [("higher", BoldBot)]
