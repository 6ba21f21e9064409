"""Lines wrapped at the width of a terminal."""

from __future__ import annotations

import pytest

from tavolata._ui.wrapping import wrapped

LINE = "  3. discard the seven of coppe, which nobody at this table can want"


@pytest.mark.parametrize("width", [20, 30, 40, 79, 80])
def test_a_line_is_wrapped_between_words_and_loses_none(width: int) -> None:
    """No row is wider than the terminal; the first keeps its indent, those below stand further in."""
    first, *rows = wrapped(LINE, width).split("\n")
    assert max(map(len, (first, *rows))) <= width
    assert first.startswith("  3. ")
    assert [row for row in rows if not row.startswith("    ")] == []
    assert " ".join((first, *rows)).split() == LINE.split()
    assert bool(rows) is (width < len(LINE))


@pytest.mark.parametrize("width", [0, 5])
def test_a_terminal_without_a_width_wraps_at_twenty(width: int) -> None:
    """Some terminals say that they have no columns; words longer than a row stay whole."""
    assert max(map(len, wrapped(LINE, width).split("\n"))) <= 20
    assert wrapped("a" * 50, width) == "a" * 50
