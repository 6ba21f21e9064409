"""Rules in Markdown as text to be read on a terminal: headings, lists and tables as they are meant."""

from __future__ import annotations

import io

from rich.console import Console
from rich.markdown import Heading, Markdown
from rich.theme import Theme

MOST = 88
"""Columns from which on a line is hard to follow with one's eyes."""
STYLES = {
    "markdown.h1": "bold underline", "markdown.h2": "bold cyan", "markdown.h3": "bold",
    "markdown.item.bullet": "cyan", "markdown.item.number": "cyan", "markdown.code": "bold",
    "markdown.table.border": "dim", "markdown.table.header": "bold",
}  # fmt: skip


class LeftHeading(Heading):
    """A heading where lines begin, not in their middle."""

    LEVEL_ALIGN = dict.fromkeys(Heading.LEVEL_ALIGN, "left")


class Page(Markdown):
    """Markdown with such headings."""

    elements = {**Markdown.elements, "heading_open": LeftHeading}  # noqa: RUF012 - Rich's own attribute


def rules_page(text: str, columns: int, *, color: bool, styles: bool, ascii_only: bool) -> str:
    """A text of rules as lines of a terminal.

    Args:
        text: Markdown.
        columns: of the terminal.
        color: whether colours may be used.
        styles: whether any control sequences may be, such as those for bold.
        ascii_only: whether nothing else than ASCII may be.
    """
    console = Console(
        file=io.StringIO(),
        width=max(20, min(MOST, columns)),
        force_terminal=styles,
        color_system="standard" if styles else None,
        no_color=not color,
        theme=Theme(STYLES),
        legacy_windows=False,
        emoji=False,
        highlight=False,
        _environ={},
    )
    with console.capture() as capture:
        console.print(Page(text, hyperlinks=False))
    lines = "\n".join(line.rstrip() for line in capture.get().splitlines())
    if ascii_only:
        from tavolata._ui.tui.drawing.glyphs import in_ascii  # noqa: PLC0415 - few terminals want it

        lines = in_ascii(lines.translate({ord("•"): "-", ord("─"): "-", ord("│"): "|", ord("▌"): "|"}))
    return lines.strip("\n")
