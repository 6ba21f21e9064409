"""The rules of a game: their chapters, and Markdown drawn as lines of a screen or a terminal. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tavolata._text import Clean, cleaned
from tavolata._ui.scene.say import in_ascii
from tavolata._ui.tui.drawing.runs import Block, Line, Run, clipped, flowed, line, padded, width
from tavolata.errors import Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from markdown_it.tree import SyntaxTreeNode


class Heading(NamedTuple):
    line: int
    level: int
    title: str


def chapter(text: str, topic: str) -> str:
    """Return the chapter whose heading equals, begins with or contains the topic, tried in this order.

    Of a chapter and the whole, which can have the same name, the chapter is meant. Raise `Refused`, which
    lists all headings, if none matches.
    """
    headings = list(_headings(text))
    wanted = topic.casefold().strip()
    for fits in (str.__eq__, str.startswith, str.__contains__):
        for one in sorted(headings, key=lambda heading: heading.level == 1):
            if fits(one.title.casefold(), wanted):
                ends = [
                    later.line for later in headings if later.line > one.line and later.level <= one.level
                ]
                return "\n".join(text.splitlines()[one.line : ends[0] if ends else None])
    raise Refused(N_("No chapter called {topic}. Try: {known}."), topic=topic, known=", ".join(topics(text)))


def topics(text: str) -> list[str]:
    """Return the headings of a text, each once: a chapter can have the name of the whole."""
    return list(dict.fromkeys(one.title for one in _headings(text)))


def _headings(text: str) -> Iterator[Heading]:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - most matches don't show the rules

    tokens = MarkdownIt("commonmark").parse(text)
    for opened, inline in pairwise(tokens):
        if opened.type == "heading_open" and opened.map is not None:
            yield Heading(opened.map[0], int(opened.tag[1:]), inline.content)


ENDLESS = 10**6
"""A width at which no line of rules is broken, in cells."""
ROLES_OF = {"strong": "strong", "em": "em", "code_inline": "strong"}
"""The role of text between marks."""


def markdown_block(
    text: str, room: int, *, columns: bool = True, plainly: Callable[[str], str] = str
) -> Block:
    """Render Markdown in lines of `room` cells; without `columns` a table's row is a line, as for a screen
    reader. `plainly` returns a text in the letters that may be drawn.
    """
    from markdown_it import MarkdownIt  # noqa: PLC0415 - the table screen starts faster without it
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - as above

    tokens = MarkdownIt("commonmark").enable("table").parse(text)
    for token in tokens:
        for one in (token, *(token.children or ())):
            one.content = plainly(one.content)  # not before: a plain dash begins a list
    return Block(tuple(_stacked(SyntaxTreeNode(tokens).children, max(1, room), columns=columns)))


def paragraphs(text: str) -> list[str]:
    """Return a text to be heard, without Markdown's marks: a line for each paragraph, point and row of a
    table.
    """
    rows = markdown_block(text, ENDLESS, columns=False).lines
    return [said for row in rows if (said := "".join(words for words, _ in row).rstrip())]


def told_rules(text: str, topic: str) -> list[str]:
    """Return the paragraphs of one chapter; without a topic, the titles of all, or a text without any.

    Raise `Refused` if there's no such chapter.
    """
    if topic:
        return paragraphs(chapter(text, topic))
    return [f"  {title}" for title in topics(text)] or paragraphs(text)


def _stacked(nodes: Iterable[SyntaxTreeNode], room: int, *, columns: bool) -> list[Line]:
    """Stack the nodes with an empty line between them except in tight lists."""
    lines: list[Line] = []
    close = False
    for node in nodes:
        if lines and not (close and node.type in ("paragraph", "bullet_list", "ordered_list")):
            lines.append(())
        lines += _lines(node, room, columns=columns)
        close = node.type == "paragraph" and node.hidden
    return lines


def _lines(node: SyntaxTreeNode, room: int, *, columns: bool) -> list[Line]:
    match node.type:
        case "heading":
            return flowed([(text, "title") for text, _ in _runs(node)], room)
        case "paragraph":
            return flowed(_runs(node), room)
        case "bullet_list" | "ordered_list":
            return _list(node, room, columns=columns)
        case "table":
            return _table(node, room, columns=columns)
        case "fence" | "code_block":
            return [clipped(line(row, "strong"), room) for row in node.content.splitlines()]
        case "hr" | "html_block":
            return []
        case _:  # a quotation
            return _indented(_stacked(node.children, max(1, room - 2), columns=columns), "  ")


def _list(node: SyntaxTreeNode, room: int, *, columns: bool) -> list[Line]:
    lines: list[Line] = []
    loose = any(
        child.type == "paragraph" and not child.hidden for item in node.children for child in item.children
    )
    for number, item in enumerate(node.children, int(node.attrs.get("start", 1))):
        mark = "- " if node.type == "bullet_list" else f"{number}. "
        lines += [()] if loose and lines else []
        inside = _stacked(item.children, max(1, room - len(mark)), columns=columns) or [()]
        lines += _indented(inside, " " * len(mark), mark)
    return lines


def _indented(lines: Sequence[Line], hang: str, first: str | None = None) -> list[Line]:
    return [
        ((first if first is not None and at == 0 else hang, ""), *row) if row else row
        for at, row in enumerate(lines)
    ]


def _table(node: SyntaxTreeNode, room: int, *, columns: bool) -> list[Line]:
    rows = [[tuple(_runs(cell)) for cell in row.children] for part in node.children for row in part.children]
    wide = [max(map(width, column)) for column in zip(*rows, strict=True)]
    if columns and sum(wide) + 2 * (len(wide) - 1) <= room:
        head = [tuple((text, "title") for text, _ in cell) for cell in rows[0]]
        return [_beside(cells, wide) for cells in [head, *rows[1:]]]
    lines: list[Line] = []
    for cells in rows:
        first, *rest = [cell for cell in cells if cell] or [()]
        joined = [*first, *(run for cell in rest for run in ((": ", ""), *cell))]
        lines += flowed(joined, room, "  ")
    return lines


def _beside(cells: Sequence[Line], wide: Sequence[int]) -> Line:
    filled = [padded(cell, size + 2) for cell, size in zip(cells, wide, strict=True)]
    return tuple(run for cell in [*filled[:-1], cells[-1]] for run in cell)


def _runs(node: SyntaxTreeNode, role: str = "") -> Iterator[Run]:
    for child in node.children:
        if child.type in ("softbreak", "hardbreak"):
            yield " ", role
        elif child.type in ("text", "code_inline"):
            yield child.content, ROLES_OF.get(child.type, role)
        else:
            yield from _runs(child, ROLES_OF.get(child.type, role))


MOST = 88
"""The widest line that is easy to read, in columns."""
STYLES = {"title": ("1", "36"), "strong": ("1",), "em": ("3",)}
"""The SGR codes for bold, italic and colours, by role."""
COLOURS = {"36"}


def rules_page(text: str, columns: int, *, color: bool, styles: bool, ascii_only: bool) -> Clean:
    """Return Markdown as lines of a terminal; with `styles` there may be control sequences at all."""
    plainly: Callable[[str], str] = in_ascii if ascii_only else str

    def styled(run: Run) -> str:
        words = cleaned(plainly(run[0]))
        codes = [code for code in STYLES.get(run[1], ()) if color or code not in COLOURS]
        return f"\x1b[{';'.join(codes)}m{words}\x1b[0m" if styles and codes else words

    block = markdown_block(text, max(20, min(MOST, columns)), plainly=plainly)
    return Clean("\n".join("".join(map(styled, row)).rstrip() for row in block.lines).strip("\n"))
