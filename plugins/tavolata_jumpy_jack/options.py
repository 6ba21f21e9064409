"""The options of Jumpy Jack."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import Options, option


class Length(Enum):
    """The board."""

    SHORT = "short"
    STANDARD = "standard"
    LONG = "long"


class Start(Enum):
    """Which seat begins a race after the first (ruling 15)."""

    NEXT = "next"
    THROW = "throw"


class Writer(Enum):
    """Which player of a team writes its prediction (ruling 18)."""

    TURNS = "turns"
    CHOSEN = "chosen"


@dataclass(frozen=True, kw_only=True)
class JumpyJackOptions(Options):
    """The house rules of a match (rulings 15 to 18)."""

    board: Length = option(Length.STANDARD, "The board: 20, 24 or 28 squares.")
    writer: Writer = option(
        Writer.TURNS, "Who writes for a team: its players in turn, or who is chosen before each race."
    )
    guess: bool = option(False, "After a race, everybody may guess one opponent's prediction for a bonus.")
    start: Start = option(Start.NEXT, "Who begins the next race: the next seat, or the highest throw again.")
    points: int = option(16, "Points that win the match.", low=2, high=40)
    seconds: int = option(180, "Seconds to write a prediction or a guess.", low=10, high=3600)
