"""A benchmark of Horse Fever: races and matches per second, a profile, and the strength of the bots.

Run: python benchmarks/horse_fever.py. All is seeded; the figures are printed, nothing is asserted.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from collections import Counter
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from time import perf_counter

from ratio import fastest
from shares import interval

from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata_horse_fever import foresight
from tavolata_horse_fever.bots import EasyBot, HardBot, NormalBot
from tavolata_horse_fever.foresight import _lane, _run, ahead, lane, places
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.race import race

sys.path.insert(0, str(Path(__file__).parent.parent))
from tests.plugins.horse_fever.simple_bot import SimpleBot

BOTS: tuple[type[Bot], ...] = (RandomBot, EasyBot, SimpleBot, NormalBot, HardBot)
SEATS = (2, 4, 6)
RACES = 100


def races() -> dict[str, float]:
    """Seconds for a race in the engine, with log and track, and for one that a bot imagines."""
    source = OpenSource(1, [RandomBot(), RandomBot()], lambda _: None)
    match = new_match(HorseFever, Terms(("A", "B"), HorseFeverOptions()), source)
    match.on_turn = _laid
    with suppress(_Laid):
        match.run()

    def engine() -> int:
        for _ in range(RACES):
            with suppress(StopIteration):  # the open dealer never waits
                race(match.game, match.table).send(None)  # type: ignore[arg-type] # it is Horse Fever
        return RACES

    def imagined() -> int:
        rows = (2, 3, 4, 5, 6, 7)
        for forgets in (_lane, _run, ahead):
            forgets.cache_clear()
        places([lane(number, odds, (), rows) for number, odds in enumerate(rows)])
        return foresight.RACES

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


def duel(mode: Mode, seats: int, one: type[Bot], other: type[Bot], matches: int) -> str:
    """The matches that `one` wins against `other`, with half of the seats each, changed after each match."""
    wins, points, turns = 0, Counter[bool](), 0
    rules = HorseFeverOptions(mode=mode)
    for number in range(matches):
        who = [(seat + number) % 2 == 0 for seat in range(seats)]
        played = play(HorseFever, rules, [one() if mine else other() for mine in who], number // 2)
        wins += who[played.outcome.winners[0]] if played.outcome.winners else 0
        turns += played.match.turns
        for mine, score in zip(who, played.outcome.scores or (), strict=True):
            points[mine] += score
    ours, theirs = (points[one] * 2 / matches / seats for one in (True, False))
    return f"{interval(wins, matches):26} points {ours:4.1f} to {theirs:4.1f}, {turns / matches:.1f} turns"


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
        for bot in BOTS:
            print(
                f"{matches_a_second(mode, 4, bot, games):7.1f} matches a second, {mode.value}, 4 {bot.level}"
            )
        for seats in SEATS:
            for weaker, stronger in pairwise(BOTS):
                who = f"{stronger.level} against {weaker.level}"
                print(f"{mode.value:7} {seats} {who:22} {duel(mode, seats, stronger, weaker, games)}")
    if given.profile:
        for mode in Mode:
            profile(mode, games)


if __name__ == "__main__":
    main()
