"""The options of Jumpy Jack."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_, Options, option


class Length(Enum):
    """The board."""

    SHORT = N_("short")
    STANDARD = N_("standard")
    LONG = N_("long")


class Start(Enum):
    """Which seat begins a race after the first (ruling 15)."""

    NEXT = N_("next")
    THROW = N_("throw")


class Writer(Enum):
    """Which player of a team writes its prediction (ruling 18)."""

    TURNS = N_("turns")
    CHOSEN = N_("chosen")


@dataclass(frozen=True, kw_only=True)
class JumpyJackOptions(Options):
    """The house rules of a match (rulings 15 to 18)."""

    board: Length = option(Length.STANDARD, "The board: 20, 24 or 28 squares.", title=N_("board"))
    writer: Writer = option(
        Writer.TURNS,
        "Writing for a team: each player in turn, or one player chosen before each race.",
        title=N_("who writes"),
    )
    guess: bool = option(
        False,
        "After a race, everyone may guess one opponent's prediction for a bonus.",
        title=N_("guessing"),
    )
    start: Start = option(
        Start.NEXT,
        "Start of the next race: the next seat, or the highest throw again.",
        title=N_("who begins"),
    )
    points: int = option(16, "Points needed to win the match.", title=N_("points to win"), low=2, high=40)
    seconds: int = option(
        180, "Seconds to write a prediction or a guess.", title=N_("seconds to write"), low=10, high=3600
    )
