"""The rules of a game, formatted from Markdown for a terminal, with or without colour."""

from __future__ import annotations

from tavolata._ui.scene.plain_text import in_ascii
from tavolata._ui.tui.drawing.markdown import markdown_block
from tavolata._ui.tui.drawing.runs import Run

MOST = 88
"""The widest line that is easy to read, in columns."""
STYLES = {"title": ("1", "36"), "strong": ("1",), "em": ("3",)}
"""The SGR codes for bold, italic and colours, by role."""
COLOURS = {"36"}


def rules_page(text: str, columns: int, *, color: bool, styles: bool, ascii_only: bool) -> str:
    """Return Markdown as lines of a terminal; with `styles` there may be control sequences at all."""

    def styled(run: Run) -> str:
        words = in_ascii(run[0]) if ascii_only else run[0]
        codes = [code for code in STYLES.get(run[1], ()) if color or code not in COLOURS]
        return f"\x1b[{';'.join(codes)}m{words}\x1b[0m" if styles and codes else words

    block = markdown_block(text, max(20, min(MOST, columns)))
    return "\n".join("".join(map(styled, row)).rstrip() for row in block.lines).strip("\n")
