"""Four in a Row has a quick way to the end of a match: it is that of its rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tavolata._engine.plugins.catalogue import Catalogue
from tavolata.bots import Bot, Chance, RandomBot, SearchBot
from tavolata.game import Game
from tavolata.sim import Simulation

FOUR = Catalogue().game(str(Path(__file__).parents[2] / "examples" / "games" / "four" / "rules.py")).game


class Flat(SearchBot):
    """It compares its own answers alone, by random playouts."""

    playouts, looks_ahead = 60, False


def positions(**options: int) -> list[Simulation[Any]]:
    """Positions of random matches after so many answers that are not over."""
    found = []
    for steps in range(0, options["rows"] * options["columns"], 3):
        simulation: Simulation[Any] = Simulation(FOUR, 2, options=FOUR.options(**options), seed=steps)
        if simulation.rollout(RandomBot(), Chance(steps), steps=steps) is None:
            found.append(simulation)
    return found


@pytest.mark.parametrize(
    ("rows", "columns", "line"), [(6, 7, 4), (4, 4, 3), (4, 4, 5), (9, 4, 5), (4, 12, 4), (9, 9, 3)]
)
def test_it_ends_as_the_rules_do(rows: int, columns: int, line: int) -> None:
    """From any position the same numbers lead to the same end, and the position stays as it is."""
    ends = set()
    for simulation in positions(rows=rows, columns=columns, line=line):
        before = simulation.digest()
        for seed in range(4):
            found = simulation.playout(Chance(seed))
            assert found == simulation.clone().rollout(RandomBot(), Chance(seed))
            ends.add(found.winners)
        assert simulation.digest() == before
    assert len(ends) > 1 or line > rows


def test_a_thinker_with_random_playouts_thinks_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it finds out by the quick way is, number by number, what it finds out by the rules."""

    def found(bot: Bot) -> list[Any]:
        return [
            bot.weigh(one.view(one.open[0].seat), one.open[0], Chance(1)).weighed  # type: ignore[attr-defined]
            for one in positions(rows=6, columns=7, line=4)[:3]
        ]

    quickly = found(Flat())
    monkeypatch.setattr(FOUR, "playout", Game.playout)
    assert found(Flat()) == quickly
