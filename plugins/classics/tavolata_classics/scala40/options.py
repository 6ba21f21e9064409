"""The house rules of Scala 40."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Options, option


@dataclass(frozen=True, kw_only=True)
class Scala40Options(Options):
    """What a table agrees on."""

    points: int = option(
        101, "Points that knock a player out.", title=N_("points"), low=51, high=201, step=50
    )
    opening: int = option(
        40,
        "Points your first melds must reach (turn off for rummy).",
        title=N_("opening"),
        low=30,
        high=50,
        step=10,
        off=True,
    )
    take: bool = option(False, "You may take discards before you've opened.", title=N_("discards for all"))
