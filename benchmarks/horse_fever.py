"""A benchmark of Horse Fever: races and matches per second, a profile, and the strength of the bots.

Run: python benchmarks/horse_fever.py. All is seeded; the figures are printed, nothing is asserted.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
from collections import Counter
from contextlib import suppress
from itertools import combinations
from time import perf_counter

from ratio import fastest
from shares import interval

from tavolata import Bot, Chance, RandomBot
from tavolata._engine.match.match import Match, Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulate import play
from tavolata_horse_fever.bots import EasyBot, NormalBot
from tavolata_horse_fever.foresight import Outlook, imagine
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.race import race

BOTS: tuple[type[Bot], ...] = (RandomBot, EasyBot, NormalBot)
SEATS = (2, 4, 6)
RACES = 100


def races() -> dict[str, float]:
    """Seconds for a race in the engine, with log and track, and for one that a bot imagines."""
    source = OpenSource(1, [RandomBot(), RandomBot()], lambda _: None)
    match = Match(HorseFever, Terms(("A", "B"), HorseFeverOptions()), source)
    match.on_turn = _laid
    with suppress(_Laid):
        match.run()
    number = iter(range(1 << 30))

    def engine() -> int:
        for _ in range(RACES):
            with suppress(StopIteration):  # the open dealer never waits
                race(match.game, match.table).send(None)  # type: ignore[arg-type] # it is Horse Fever
        return RACES

    def imagined() -> int:
        Outlook(imagine(RACES, Chance(next(number))), (2, 3, 4, 5, 6, 7), [()] * 6).places()
        return RACES

    return fastest({"engine": engine, "imagined": imagined}, rounds=20)


class _Laid(Exception):
    """The table is laid: the first race can be run."""


def _laid() -> None:
    raise _Laid


def matches_a_second(mode: Mode, seats: int, bot: type[Bot], matches: int) -> float:
    """Whole matches with the open dealer."""
    rules = HorseFeverOptions(mode=mode)
    start = perf_counter()
    for seed in range(matches):
        play(HorseFever, rules, [bot() for _ in range(seats)], seed)
    return matches / (perf_counter() - start)


def duel(mode: Mode, one: type[Bot], other: type[Bot], matches: int) -> str:
    """The wins of `one` against `other` with alternating seats, and the points of both."""
    wins, points, gone = 0, Counter[int](), Counter[int]()
    for seed in range(matches):
        order = (one, other) if seed % 2 else (other, one)
        played = play(HorseFever, HorseFeverOptions(mode=mode), [bot() for bot in order], seed)
        mine = 1 - seed % 2
        wins += played.outcome.winners == (mine,)
        for seat, score in enumerate(played.outcome.scores or ()):
            points[seat == mine] += score
        for seat in played.match.game.gone:  # type: ignore[attr-defined] # it is Horse Fever
            gone[seat == mine] += 1
    return (
        f"{interval(wins, matches):26} points {points[1] / matches:4.1f} to {points[0] / matches:4.1f},"
        f" out {gone[1] / matches:4.0%} and {gone[0] / matches:4.0%}"
    )


def profile(mode: Mode, matches: int) -> None:
    """Print the profile of a match between random players."""
    profiler = cProfile.Profile()
    profiler.enable()
    matches_a_second(mode, 4, RandomBot, matches)
    profiler.disable()
    print(f"\n{mode.value}, what {matches} matches of 4 seats cost, by function:")
    pstats.Stats(profiler).sort_stats("tottime").print_stats(12)


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=200, help="matches of each kind")
    parser.add_argument("--profile", action="store_true", help="say where the time goes")
    given = parser.parse_args()
    games = given.games
    speed = {name: 1 / seconds for name, seconds in races().items()}
    print(
        f"{speed['engine']:7.0f} races a second in the engine, {speed['imagined']:7.0f} imagined by a bot:"
        f" {speed['engine'] / speed['imagined']:.2f}"
    )
    for mode in Mode:
        for seats in SEATS:
            matches = matches_a_second(mode, seats, RandomBot, games)
            print(f"{matches:7.0f} matches a second, {mode.value}, {seats} random players")
    for mode in Mode:
        for weaker, stronger in combinations(BOTS, 2):
            who = f"{stronger.level} against {weaker.level}"
            print(f"{mode.value:7} {who:22} {duel(mode, stronger, weaker, games)}")
    if given.profile:
        for mode in Mode:
            profile(mode, games)


if __name__ == "__main__":
    main()
