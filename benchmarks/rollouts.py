"""Matches played on from the middle, a copy included, beside OpenSpiel's C++ driven from Python.

Run it with `python benchmarks/rollouts.py`; OpenSpiel's column needs `pip install open_spiel`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from ratio import fastest
from straight_zompa import play as straight

from tavolata.bots import Chance, RandomBot
from tavolata.options import Options
from tavolata.sim import Simulation

sys.path.insert(0, str(Path(__file__).parents[1] / "examples" / "games"))
QUIET = 14_500
"""Games of Zompa a second that the straight line plays where the goals are given."""


def midway(rules: Any, answers: int, seats: int, options: Options | None = None) -> Simulation[Any]:
    """A position after so many random answers."""
    simulation, chance = Simulation(rules, seats, options=options, seed=1), Chance(1)
    assert simulation.rollout(RandomBot(), chance, steps=answers) is None
    return simulation


def rollouts(of: Simulation[Any]) -> Callable[[], int]:
    """Play on 20 copies at random."""

    def some() -> int:
        bot, chance = RandomBot(), Chance(2)
        for _ in range(20):
            of.clone().rollout(bot, chance)
        return 20

    return some


def playouts(of: Simulation[Any]) -> Callable[[], int]:
    """Have the game itself reckon 20 times how it ends at random."""

    def some() -> int:
        chance = Chance(2)
        for _ in range(20):
            of.playout(chance)
        return 20

    return some


def copies(of: Simulation[Any]) -> Callable[[], int]:
    """Make 20 copies."""

    def some() -> int:
        for _ in range(20):
            of.clone()
        return 20

    return some


def worlds(of: Simulation[Any]) -> Callable[[], int]:
    """Imagine 20 worlds from the view of who is asked."""
    view = of.view(of.open[0].seat)

    def some() -> int:
        chance = Chance(3)
        for _ in range(20):
            view.imagine(chance)
        return 20

    return some


def open_spiel(answers: int) -> Callable[[], int]:
    """Play on 20 copies of a position of OpenSpiel's connect four at random."""
    pyspiel = import_module("pyspiel")
    random = Random(1)
    state = pyspiel.load_game("connect_four").new_initial_state()
    for _ in range(answers):
        state.apply_action(random.choice(state.legal_actions()))

    def some() -> int:
        for _ in range(20):
            copy = state.clone()
            while not copy.is_terminal():
                copy.apply_action(random.choice(copy.legal_actions()))
        return 20

    return some


def main() -> None:
    """Measure turn about, and print rates and ratios."""
    four, hearts = import_module("four.rules"), import_module("hearts.rules")
    connect, trick = midway(four.Four, 8, 2), midway(hearts.Hearts, 20, 4, hearts.HeartsOptions(points=1))
    tasks = {
        "zompa": lambda: straight_games(20),
        "connect four: rollouts": rollouts(connect),
        "connect four: copies alone": copies(connect),
        "connect four: playouts of its own": playouts(connect),
        "hearts, one deal: rollouts": rollouts(trick),
        "hearts, one deal: copies alone": copies(trick),
        "hearts, one deal: imagined worlds": worlds(trick),
    }
    if find_spec("pyspiel"):
        tasks["OpenSpiel's connect four: rollouts"] = open_spiel(8)
    seconds = fastest(tasks, rounds=15, clock=process_time)
    scale = 1 / (QUIET * seconds["zompa"])
    for name, each in seconds.items():
        print(f"{name:36} {1 / each:8,.0f} a second, {1000 * each:7.3f} ms; scaled {1 / each / scale:8,.0f}")
    if "OpenSpiel's connect four: rollouts" in seconds:
        theirs, ours = seconds["OpenSpiel's connect four: rollouts"], seconds["connect four: rollouts"]
        own = seconds["connect four: playouts of its own"]
        print(
            f"connect four, OpenSpiel to ours: {ours / theirs:.1f}, to playouts {own / theirs:.1f} (goal: 3)"
        )


def straight_games(number: int) -> int:
    """Play Zompa without an engine."""
    for seed in range(number):
        straight(6, seed)
    return number


if __name__ == "__main__":
    main()
