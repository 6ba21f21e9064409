"""`tt simulate`: what it tells of many matches."""

from __future__ import annotations

import pytest

from tavolata import Outcome, Seat
from tavolata._cli import main
from tavolata._cli.workshop import Means


def test_means_are_by_the_level_that_made_the_numbers() -> None:
    """Points and statistics are added by the level in each seat; a seat without a number does not count."""
    means = Means()
    means.add(Outcome((Seat(0),), scores=(4, 2), statistics={"Deaths": (None, 3)}), ["easy", "hard"])
    means.add(Outcome((Seat(0),), scores=(1, 6), statistics={"Deaths": (1, None)}), ["hard", "easy"])
    assert means.of("easy") == [("Points", 5.0)]
    assert means.of("hard") == [("Points", 1.5), ("Deaths", 2.0)]
    assert means.of("random") == []


def test_simulate_tells_the_means_of_each_level(capsys: pytest.CaptureFixture[str]) -> None:
    """Below the matches that a level has won stand its statistics, in the person's language."""
    words = ["--lang", "it", "simulate", "zompa", "--bots", "easy,random", "--games", "2"]
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines if line.startswith("  ")] == ["  Morti"] * 2
