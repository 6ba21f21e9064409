"""The house rules of Horse Fever."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Options, option


class Mode(Enum):
    """The two games in the box."""

    FAMILY = N_("family")
    BOARD = N_("board")


@dataclass(frozen=True, kw_only=True)
class HorseFeverOptions(Options):
    """The options of a match (rulings 3, 33)."""

    mode: Mode = option(
        Mode.FAMILY,
        "The Family Game, or the Board Game with purchases, loans and auctions.",
        title=N_("game"),
    )
    starred: bool = option(
        False, "Add the cards marked with a star.", title=N_("starred cards"), when={"mode": Mode.BOARD}
    )
    printed_cards: bool = option(
        False,
        "Use three characters as printed on their cards, not as in the rulebook.",
        title=N_("cards as printed"),
    )
    removal_first: bool = option(
        False,
        "Fritz Finden and Rochelle Recherche act before matching letters cancel out, not after.",
        title=N_("removals first"),
    )
    turns: int = option(
        0,
        "Turns in a match; 0 for the rulebook's number.",
        title=N_("turns"),
        low=0,
        high=12,
    )

    @property
    def board(self) -> bool:
        return self.mode is Mode.BOARD
