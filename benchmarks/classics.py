"""Win shares of the bots of Tavolata Classics: each level among bots of the level below, with intervals.

Run: python benchmarks/classics.py [--games N] [--minutes N] [--first SEED] [--only TEXT]
with `plugins/classics` on PYTHONPATH, or with `pip install "tavolata[classics]"`.

The tables take turns of a few seconds each. All is seeded; seats change with the seed. Partners are of one
level. The last line of a table counts; nothing is asserted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shares import interval, take_turns

import tavolata_classics
from tavolata import Game
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot

SEATS: Final = {"draughts": (2,), "tressette": (4,), "briscola": (2, 4), "scopa": (2, 4)}
"""By game, the numbers of seats that are played; four elsewhere, and two teams where there are any."""


@dataclass
class Table:
    """One bot, or one team of them, among weaker ones, and what it has won; a shared match counts in part."""

    rules: type[Game[Any]]
    bots: tuple[type[Bot], type[Bot]]
    many: int
    games: int = 0
    won: float = 0.0
    turn: float = 4.0

    @property
    def name(self) -> str:
        return self.rules.name

    @property
    def teams(self) -> tuple[int, ...]:
        """By seat, its team; none where everyone plays alone."""
        return (0, 1, 0, 1) if self.many == 4 and self.rules.teams is not None else ()

    def play(self, seed: int) -> None:
        """One match, counted."""
        first = seed % self.many
        ours = {first, (first + 2) % self.many} if self.teams else {first}
        strong, weak = self.bots
        source = OpenSource(seed, [strong() if seat in ours else weak() for seat in range(self.many)])
        names = tuple(f"Seat {seat + 1}" for seat in range(self.many))
        match = new_match(self.rules, Terms(names, self.rules.options(), teams=self.teams), source)
        match.run()
        source.let_go()
        outcome = match.outcome
        assert outcome is not None
        self.games += 1
        if outcome.winners:
            self.won += sum(int(seat) in ours for seat in outcome.winners) / len(outcome.winners)

    def told(self) -> str:
        """The figures in a line."""
        strong, weak = self.bots
        fair, ours = (50, "2") if self.teams else (round(100 / self.many), "1")
        others = f"against 2 {weak.level}" if self.teams else f"among {self.many - 1} {weak.level}"
        won = f"{interval(self.won, self.games)} won of {self.games}, fair {fair} %"
        return f"{self.rules.name}: {ours} {strong.level} {others}; {won}"


def tables() -> Iterator[Table]:
    """Every game, level and usual number of seats."""
    levels: dict[str, list[type[Bot]]] = {}
    for name, bot in tavolata_classics.tavolata_bots():
        levels.setdefault(name, [RandomBot]).append(bot)
    for rules in tavolata_classics.tavolata_games():
        for many in SEATS.get(rules.name, (4,)):
            for weak, strong in zip(levels[rules.name], levels[rules.name][1:], strict=False):
                yield Table(rules, (strong, weak), many)


if __name__ == "__main__":
    take_turns(__doc__, tables(), 20)
