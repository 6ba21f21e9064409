"""The house rules of Horse Fever."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Options, option
from tavolata.errors import OptionError


class Mode(Enum):
    """The two games in the box."""

    FAMILY = "family"
    BOARD = "board"


@dataclass(frozen=True, kw_only=True)
class HorseFeverOptions(Options):
    """The options of a match (rulings 3, 33)."""

    mode: Mode = option(Mode.FAMILY, "The Family Game, or the Board Game with everything that can be bought.")
    starred: bool = option(False, "In the Board Game, play with the cards that have a star.")
    printed_cards: bool = option(
        False, "Three characters begin as their cards say, not as the rulebook does."
    )
    removal_first: bool = option(
        False, "Fritz Finden and Rochelle Recherche act before equal letters cancel, not after."
    )
    turns: int = option(0, "How many turns a match has; 0 for as many as the rulebook says.", low=0, high=12)

    def __post_init__(self) -> None:
        """Refuse starred cards without the Board Game, to which they belong."""
        if self.starred and not self.board:
            raise OptionError(N_("Starred cards are for the Board Game: set mode=board first."))

    @property
    def board(self) -> bool:
        """Whether it is the Board Game that is played."""
        return self.mode is Mode.BOARD
