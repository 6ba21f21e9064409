"""Shares of won matches with their confidence intervals, and tables that take turns until each is done."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from time import perf_counter
from typing import Protocol


def interval(wins: float, games: int) -> str:
    """Wilson's confidence interval of a share at 95 %, in percent."""
    z, share = 1.96, wins / games
    scale = 1 / (1 + z * z / games)
    middle = (share + z * z / (2 * games)) * scale
    reach = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5 * scale
    return f"{100 * share:.1f} % ({100 * (middle - reach):.1f} to {100 * (middle + reach):.1f})"


class Table(Protocol):
    """Matches of one kind, which are counted."""

    @property
    def name(self) -> str:
        """What `--only` picks it by."""

    @property
    def turn(self) -> float:
        """Seconds of its turn."""

    @property
    def games(self) -> int:
        """How many seeds it has played."""

    def play(self, seed: int) -> None:
        """Play a seed, and count."""

    def told(self) -> str:
        """The figures in a line."""


def take_turns(about: str | None, tables: Iterable[Table], minutes: float) -> None:
    """The program of a benchmark: print each table's figures after each of its turns; the last ones count.

    `minutes` is how long it takes if nobody says so.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--games", type=int, default=1000, help="at most so many seeds of a table")
    parser.add_argument("--minutes", type=float, default=minutes, help="how long in all")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--only", default="", help="tables in whose names this stands")
    given = parser.parse_args()
    all_of_them = [table for table in tables if given.only in table.name]
    end = perf_counter() + 60 * given.minutes
    while left := [table for table in all_of_them if table.games < given.games]:
        for table in left:
            now = perf_counter()
            if now > end:
                return
            while table.games < given.games and perf_counter() < now + table.turn:
                table.play(given.first + table.games)
            print(table.told(), flush=True)
