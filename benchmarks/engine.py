"""`python benchmarks/engine.py`: the engine against a straight-line function, Leduc, and replays.

Prints games, decisions and cards per second and the ratios; nothing is asserted.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import leduc
import straight_zompa
from ratio import fastest

from tavolata._engine.log_source import LogSource, replay
from tavolata._engine.match import Match, Terms
from tavolata._engine.simulate import play
from tavolata.bots import RandomBot
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import Zompa

GAMES = 200


def zompa(seats: int) -> None:
    """Games per second of both, from the same seeds."""
    options, bots = ZompaOptions(), [RandomBot()] * seats
    cards = [0, 0]

    def straight() -> int:
        cards[0] = sum(straight_zompa.play(seats, seed)[1] for seed in range(GAMES))
        return GAMES

    def engine() -> int:
        cards[1] = sum(len(play(Zompa, options, bots, seed).log) for seed in range(GAMES))
        return GAMES

    each = fastest({"straight": straight, "engine": engine})
    print(
        f"zompa, {seats} seats: straight {1 / each['straight']:,.0f} games/s, engine {1 / each['engine']:,.0f} "
        f"games/s and {cards[1] / GAMES / each['engine']:,.0f} entries/s, ratio {each['straight'] / each['engine']:.2f}"
    )


def leduc_poker() -> None:
    """Decisions per second of a small game of many decisions."""
    bots = [leduc.Caller(), leduc.Caller()]

    def run() -> int:
        return sum(
            play(leduc.Leduc, leduc.LeducOptions(hands=200), bots, seed).match.table._asks
            for seed in range(3)
        )

    each = fastest({"leduc": run})
    print(f"leduc: {1 / each['leduc']:,.0f} decisions/s, view and validation included")


def replays() -> None:
    """Microseconds an entry, from memory; from a file, see `files`."""
    logs = []
    seed = 0
    while sum(map(len, logs)) < 10_000:
        logs.append(play(Zompa, ZompaOptions(), [RandomBot()] * 20, seed).log)
        seed += 1
    terms = Terms(tuple(f"Seat {number}" for number in range(20)), ZompaOptions())

    def run() -> int:
        for log in logs:
            replay(Match(Zompa, terms, LogSource(20)), log)
        return sum(map(len, logs))

    each = fastest({"memory": run})
    print(f"replay of {sum(map(len, logs)):,} entries: {each['memory'] * 1e6:.2f} us an entry in memory")


if __name__ == "__main__":
    for seats in (2, 4, 6, 10):
        zompa(seats)
    leduc_poker()
    replays()
