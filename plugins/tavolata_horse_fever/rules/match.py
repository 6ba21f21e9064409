"""The order of a match of Horse Fever: the chapters of a turn, one after the other.

Each chapter is a module beside this one. Numbers in brackets are those of the rulings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Self

from tavolata import N_, Ask, Layout, Opening, Outcome, Seat, Text, View, Zone
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.rules.auctions import auctions
from tavolata_horse_fever.rules.betting import first_bets, preview, second_bets, tamper, tips
from tavolata_horse_fever.rules.dealing import clear, deal
from tavolata_horse_fever.rules.ending import decide, end
from tavolata_horse_fever.rules.line_up import line_up
from tavolata_horse_fever.rules.payments import new_odds, payments
from tavolata_horse_fever.rules.preparation import prepare
from tavolata_horse_fever.rules.purchases import purchases
from tavolata_horse_fever.rules.race import race, reveal
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.rules.zones import zones

FAMILY_GAME = (deal, first_bets, tamper, second_bets, reveal, race, payments, new_odds)
BOARD_GAME = (
    purchases, line_up, first_bets, tips, tamper, second_bets, reveal, race, payments, new_odds, auctions,
)  # fmt: skip


class HorseFever(HorseFeverTable):
    """Horse Fever: bet on races, and tamper with them."""

    name = "horse-fever"
    title = N_("Horse Fever")
    summary = N_("Bet on horses, slip cards behind them and own stables. Unofficial adaptation.")
    card = Opening(
        goal=N_("Score the most points by the end of the last race."),
        turn=N_("Bet on horses, then slip Action cards behind them, good or bad."),
        lose=N_("A losing bet costs you the stake; a winning bet pays money and points."),
    )
    seats = (2, 6)
    best_with = 4
    minutes = 30
    options = HorseFeverOptions
    first_match: ClassVar[Mapping[str, Any]] = {"turns": 2}
    layout = Layout(palette="pieces")
    guide = "tavolata_horse_fever.guide"

    def setup(self, t: T) -> None:
        """Lay the board and all decks. Odds and characters follow in the preparation."""
        self.open_books(t)
        self.lay(t)

    async def turn(self, t: T) -> Outcome | None:
        """Play one chapter of a turn. The end follows the last chapter of the last turn."""
        if not self.turn_number:
            await prepare(self, t)
            return None
        chapters = BOARD_GAME if t.options.board else FAMILY_GAME
        await chapters[self.chapter](self, t)
        if self.only_one_left:
            return await decide(self, t)
        self.chapter += 1
        if self.chapter == len(chapters):
            clear(self, t)
            self.chapter = 0
            if self.turn_number > self.last_turn(t.options):
                return await end(self, t)
            self.results.append(tuple(map(self.points, t.ring)))
            self.fortunes.append(tuple(self.money.values()))
        return None

    def turns_begun(self, t: T) -> int:
        """Return the turn on the turn track: each has many chapters. Before the first one it's 1."""
        return min(self.turn_number, self.last_turn(t.options)) if self.turn_number else 1

    def preview(self, view: View[Self], ask: Ask, draft: Sequence[Any]) -> Iterable[Text]:
        return preview(self, view, ask, draft)

    def zones(self, t: T, viewer: Seat | None) -> Iterable[Zone]:
        return zones(self, t)
