"""`benchmarks/growth.py`: a row for everything there can be much of, and each of them can be measured."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))
import growth

SPANS = {
    "a table's match, all machines": (2, 20), "the same, machines that watch": (0, 32),
    "the same, phones at one machine": (0, 24), "seats, simulated": (2, 20), "seats, fifty frames": (2, 20),
    **{f"entries: {what}": (100, 100_000) for what in ("play", "resume", "replay", "verify", "memory")},
    **{f"matches: tt{command}": (10, 10_000)
       for command in (" history", " history --ratings", " resume --list", "")},
    **{f"plugins: tt {command}": (5, 200) for command in ("games, first", "games", "--help")},
    "events told on the screen": (100, 50_000), "games of a campaign": (3, 3000),
}  # fmt: skip
"""The smallest and the largest size of each row."""


def test_all_that_grows_has_a_row() -> None:
    """From the fewest that are usual to more than anybody has."""
    found = {row.name: (row.sizes[0], (*row.sizes, *row.more)[-1]) for row in growth.ROWS}
    assert SPANS.items() <= found.items()


def test_what_grows_faster_than_it_may_needs_a_reason(capsys: pytest.CaptureFixture[str]) -> None:
    """A row fails by the exponent between its two largest sizes, unless it says why, which is printed."""
    square = growth.Row("squares", (1, 10, 100), lambda size: float(size * size))
    assert not growth.measured(square, whole=False)
    assert growth.measured(replace(square, reason="all meet all"), whole=False)
    assert growth.measured(replace(square, measure=float), whole=False)
    assert [line.split(" | ")[3:] for line in capsys.readouterr().out.splitlines()] == [
        ["2.00", "1.1", " |"], ["2.00", "1.1", "all meet all |"], ["1.00", "1.1", " |"],
    ]  # fmt: skip


@pytest.mark.battery
@pytest.mark.parametrize("row", growth.ROWS, ids=lambda row: row.name)
def test_each_row_can_be_measured(row: Any) -> None:
    """At its smallest size it costs something."""
    assert row.measure(row.sizes[0]) > 0
