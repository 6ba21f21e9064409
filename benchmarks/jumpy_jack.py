"""Simulated statistics of Jumpy Jack: the length of races, horses that go out, the strength of the bots.

Run: python benchmarks/jumpy_jack.py. All is seeded; the figures are printed, nothing is asserted.
"""

from __future__ import annotations

import argparse
from collections import Counter
from itertools import combinations
from time import perf_counter
from typing import Any

from shares import interval

from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata_jumpy_jack.board import COURSES, Fate
from tavolata_jumpy_jack.bots import EasyBot, HardBot, NormalBot
from tavolata_jumpy_jack.moves import Standing, moved, steps
from tavolata_jumpy_jack.options import JumpyJackOptions, Length
from tavolata_jumpy_jack.rules import JumpyJack

BOTS: tuple[type[Bot], ...] = (RandomBot, EasyBot, NormalBot, HardBot)


class Watched:
    """Matches of one kind, and the statistics of their races."""

    def __init__(self) -> None:
        self.throws: list[int] = []
        self.fates: Counter[Fate] = Counter()
        self.races: list[int] = []
        self.wins: Counter[int] = Counter()

    def play(self, rules: JumpyJackOptions, bots: list[type[Bot]], seed: int) -> None:
        """One match; the bots' seats rotate with the seed."""
        order = [(place + seed) % len(bots) for place in range(len(bots))]
        source = OpenSource(seed, [bots[number]() for number in order], lambda _: None)
        match = new_match(JumpyJack, Terms(("A", "B", "C", "D")[: len(bots)], rules), source)
        game: Any = match.game

        def look() -> None:
            if not game.racing:
                self.race(rules, game.moves)

        match.on_turn = look
        match.run()
        self.race(rules, game.moves)
        self.races.append(game.race)
        assert match.outcome is not None
        self.wins[order[match.outcome.winners[0]]] += 1

    def race(self, rules: JumpyJackOptions, moves: list[tuple[int, int, int]]) -> None:
        """Count a race that is over."""
        course, standing = COURSES[rules.board], Standing()
        for _, throw, horse in moves:
            self.fates[course.fate(standing.at[horse] + steps(course, standing, horse, throw))] += 1
            standing = moved(course, standing, horse, throw)
        self.throws.append(len(moves))

    def line(self) -> str:
        """The figures of a race."""
        races = len(self.throws)
        lengths = sorted(self.throws)
        return (
            f"{sum(self.races) / len(self.races):5.1f} races a match; in a race {sum(lengths) / races:5.1f}"
            f" throws (half {lengths[races // 4]} to {lengths[races * 3 // 4]}, longest {lengths[-1]}), "
            + ", ".join(
                f"{self.fates[fate] / races:.2f} {fate.name}"
                for fate in (Fate.OUT, Fate.RESTART, Fate.DOUBLE, Fate.STOP, Fate.FINISH)
            )
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="matches of each kind")
    games = parser.parse_args().games
    for length in Length:
        for bot in BOTS[:3]:
            watched = Watched()
            for seed in range(games // 2):
                watched.play(JumpyJackOptions(board=length), [bot, bot], seed)
            print(f"{length.value:9} {bot.level:7} {watched.line()}")
    for guess in (False, True):
        for weaker, stronger in combinations(BOTS, 2):
            watched, start = Watched(), perf_counter()
            for seed in range(games):
                watched.play(JumpyJackOptions(guess=guess), [stronger, weaker], seed)
            speed = games / (perf_counter() - start)
            name = f"{stronger.level} against {weaker.level}{', guessing' if guess else ''}"
            print(f"{name:32} {interval(watched.wins[0], games):28} {speed:6.0f} matches a second")
            print(f"{'':9} {watched.line()}")


if __name__ == "__main__":
    main()
