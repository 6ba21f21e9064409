"""A page of rules as lines: headings, lists and paragraphs of Markdown, wrapped. Pure."""

from __future__ import annotations

import re

from tavolata._ui.tui.drawing.runs import Block, Line, wrapped

_ITEM = re.compile(r"(\s*)([-*]|\d+\.)\s+")
_MARKS = re.compile(r"\*\*|__|`|(?<!\w)[*_](?=\S)|(?<=\S)[*_](?!\w)")
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def rules_block(text: str, room: int) -> Block:
    """The text in lines of so many cells."""
    lines: list[Line] = []
    paragraph: list[str] = []

    def flush() -> None:
        if paragraph:
            item = _ITEM.match(paragraph[0])
            joined = " ".join(part.strip() for part in paragraph)
            hang = " " * len(item[0]) if item else ""
            lines.extend(wrapped(_bare((item[1] if item else "") + joined), "", room, hang))
            paragraph.clear()

    for row in text.splitlines():
        if row.startswith("#"):
            flush()
            lines.extend(wrapped(_bare(row.lstrip("# ")), "title", room))
        elif row.lstrip().startswith("|"):
            flush()
            lines.extend(_table_row(row, room))
        elif not row.strip():
            flush()
            lines.append(())
        else:
            if _ITEM.match(row):
                flush()
            paragraph.append(row)
    flush()
    return Block(tuple(lines))


def _table_row(row: str, room: int) -> list[Line]:
    cells = [_bare(cell.strip()) for cell in row.strip().strip("|").split("|")]
    if all(set(cell) <= set("-: ") for cell in cells):
        return []
    return wrapped(": ".join(cell for cell in cells if cell), "", room, "  ")


def _bare(text: str) -> str:
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip("\n")
