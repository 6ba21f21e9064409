"""Lines wrapped at the width of a terminal."""

from __future__ import annotations

import io

import pytest

from tavolata._ui.wrapping import fitted, wrapped

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


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_note_is_wrapped_only_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal no word is cut, and lines stay lines; in a pipe the text stays as it is."""
    monkeypatch.setenv("COLUMNS", "30")
    text = "one two three four five six seven\neight"
    assert fitted(text, Terminal()) == "one two three four five six\n  seven\neight"
    assert fitted(text, io.StringIO()) == text
