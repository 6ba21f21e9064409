"""Rules on a terminal: what Markdown means instead of its signs, at any width, in colour or without."""

from __future__ import annotations

import pytest
from rich.cells import cell_len

from tavolata._ui.tui.drawing.markdown import rules_page

TEXT = """# Però!

Play *well*, and **always** say `zompa`; [more](https://example.org) of it.

## Cards

- one
- two

| card | what |
|---|---|
| ace | two fiches |
"""


@pytest.mark.parametrize("columns", [20, 80, 200])
def test_signs_of_markdown_become_what_they_mean(columns: int) -> None:
    """No marks are left, headings stand at the left, and no line is longer than the terminal."""
    page = rules_page(TEXT, columns, color=False, styles=False, ascii_only=False)
    lines = page.split("\n")
    assert lines[0] == "Però!"
    assert "Cards" in lines
    assert not set("#*`|[\x1b") & set(page)
    assert any(line.split() == ["ace", "two", "fiches"] for line in lines)
    assert max(map(cell_len, lines)) <= min(columns, 88)


def test_colour_bold_and_ascii_only_where_they_may_be() -> None:
    """Colours need leave, and so does everything that is no ASCII; without styles there is no escape."""
    with_color = rules_page(TEXT, 80, color=True, styles=True, ascii_only=False)
    without = rules_page(TEXT, 80, color=False, styles=True, ascii_only=False)
    assert "36m" in with_color
    assert "36m" not in without
    assert "\x1b[1" in without
    assert rules_page(TEXT, 80, color=True, styles=True, ascii_only=True).isascii()


def test_ascii_is_wrapped_as_it_is_read() -> None:
    """Signs that ASCII spells with two letters widen no line, and a dash at its beginning makes no list."""
    text = "È " * 90 + "\n— sì\n\n| à | è |\n|---|---|\n| perché | no |\n"
    *lines, space, head, row = rules_page(text, 40, color=False, styles=False, ascii_only=True).split("\n")
    assert " ".join(lines) == "E' " * 90 + "- si'"
    assert max(map(len, lines)) <= 40
    assert (space, head, row) == ("", "a'       e'", "perche'  no")
