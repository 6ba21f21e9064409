"""The drawing of a question: the prompt, the answer so far, and the numbered choices.

Pure. Short choices are drawn in columns, so that many of them fit into few lines.
"""

from __future__ import annotations

from typing import assert_never

from rich.cells import cell_len

from tavolata._ui.answers import (
    IN_BRACKETS,
    NOT_NOW,
    NOT_THESE,
    NOT_THIS,
    NUMBERED,
    limits,
    own_words,
)
from tavolata._ui.scene.faces import colour_of
from tavolata._ui.tui.drawing.runs import Block, Hotspot, Line, clipped, line, width, wrapped
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.kinds.one_of import GO
from tavolata.kinds.question import Choices, Number, Writing
from tavolata.messages import N_

FIELD = N_("{label} ({number} of {all})")
FILLED = N_("{label}: {value}")
SOME = N_("Pick {low} to {high}: Space picks, Enter answers.")
SOME_IN_ORDER = N_("Pick {low} to {high} in order: Space picks the next, Enter answers.")
EXACTLY = N_("Pick {low}: Space picks, Enter answers.")
ALL_IN_ORDER = N_("Pick {low} in order: Space picks the next, Enter answers.")
BARE = "{choice}"


Drawn = tuple[Block, int, tuple[int, int], int]
"""A drawn question: the block, whose spots are the places of choices, the columns of choices, the cell of the
cursor, and the number of lines before the choices.
"""


def draw_question(prompt: str, draft: Draft, pen: Pen, ask: Ask | None, *, numbered: bool) -> Drawn:
    texts = pen.plainly(prompt).split("\n")
    lines = [row for text in texts if text for row in wrapped(text, "prompt", pen.room)]
    if draft.question is GO:
        return Block(tuple(lines)), 1, (0, 0), 0
    if len(draft.fields) > 1:
        lines += _form(draft, pen)
    match draft.shape:
        case Number() | Writing() as shape:
            return _typed(shape, draft, lines, pen)
        case Choices() as shape:
            return _choices(ask, shape, draft, lines, pen, numbered=numbered)
        case _ as never:
            assert_never(never)


def _form(draft: Draft, pen: Pen) -> list[Line]:
    lines: list[Line] = []
    fields = draft.fields
    for (label, kind), given in zip(fields, draft.given, strict=False):
        shape = kind.shape()
        chosen = [shape.choices[place] for place in given] if isinstance(shape, Choices) else []
        value = ", ".join(pen.words.choice(one, pen.view) for one in chosen) or pen.name(kind.value_of(given))
        said = pen.say(FILLED, {"label": pen.say(label), "value": value}) if label else value
        colour = colour_of(chosen[0].value) if len(chosen) == 1 else ""
        lines.append(clipped(pen.line(said, colour), pen.room))
    label, number = draft.field[0], len(draft.given) + 1
    if not label:
        return lines
    words = pen.say(FIELD, {"label": pen.say(label), "number": number, "all": len(fields)})
    return [*lines, pen.line(words, "title")]


def _typed(shape: Number | Writing, draft: Draft, lines: list[Line], pen: Pen) -> Drawn:
    if isinstance(shape, Writing):
        shown, size, told = draft.typed, 1, own_words(shape, pen.words)
    else:
        shown = draft.typed or ("" if shape.default is None else str(shape.default))
        size, told = len(str(shape.high)) + 1, limits(shape, pen.words)
    at = len(lines)
    field = clipped(((f"{pen.glyphs.cursor} ", "turn"), (f"{shown:<{size}}", "cursor")), pen.room)
    said = wrapped(pen.plainly(told), "dim", pen.room)
    return Block((*lines, field, *said)), 1, (min(width(field), 2 + cell_len(shown)), at), at


def _choices(
    ask: Ask | None, shape: Choices, draft: Draft, lines: list[Line], pen: Pen, *, numbered: bool
) -> Drawn:
    message = NUMBERED if numbered else BARE
    places = range(len(shape.choices))
    unfit = {place for place in places if not draft.fits(place)}
    reason = pen.say(ask.claim.reason) if ask is not None and ask.claim is not None else ""
    cells = [_choice(shape, draft, place, pen, message, unfit, reason) for place in places]
    longest = max(map(width, cells))
    columns = max(1, min((pen.room + 2) // (longest + 2), -(-len(cells) // 3) if len(cells) > 4 else 1))
    spots: list[Hotspot] = []
    head, cursor = len(lines), (0, len(lines))
    for first in range(0, len(cells), columns):
        row: list[tuple[str, str]] = []
        for place in range(first, min(first + columns, len(cells))):
            cell, x = clipped(cells[place], pen.room), width(row)
            spots.append(Hotspot(x, len(lines), width(cell), 1, place))
            if place == draft.cursor:
                cursor = (x, len(lines))
            row += [*cell, (" " * (longest + 2 - width(cell)), "")]
        lines.append(tuple(row[:-1]))
    if shape.several:
        some, exactly = (SOME_IN_ORDER, ALL_IN_ORDER) if shape.ordered else (SOME, EXACTLY)
        said = pen.say(exactly if shape.low == shape.high else some, {"low": shape.low, "high": shape.high})
        lines += wrapped(said, "dim", pen.room)
    if len(unfit) > 1:
        lines += wrapped(pen.say(IN_BRACKETS, {"reason": reason}), "dim", pen.room, "   ")
    for no in shape.unavailable:
        choice, reason = pen.say(no.label, no.params), pen.say(no.reason, no.params)
        lines += wrapped(pen.say(NOT_NOW, {"choice": choice, "reason": reason}), "dim", pen.room, "   ")
    return Block(tuple(lines), tuple(spots)), columns, cursor, head


def _choice(
    shape: Choices, draft: Draft, place: int, pen: Pen, message: str, unfit: set[int], reason: str
) -> Line:
    choice, at = draft.choices[place], place == draft.cursor
    said = {"number": choice.key or place + 1, "choice": pen.words.choice(choice, pen.view), "reason": reason}
    role = "cursor" if at else "dim" if place in unfit else colour_of(choice.value)
    if place in unfit:
        message = NOT_THIS if len(unfit) == 1 else NOT_THESE
    mark = f"{pen.glyphs.cursor if at else ' '} "
    if shape.several:
        mark += f"{_taken(shape, draft, place, pen)} "
    return ((mark, "turn"), *line(pen.say(message, said), role))


def _taken(shape: Choices, draft: Draft, place: int, pen: Pen) -> str:
    """Mark a choice as selected or not; if the order counts, by its number."""
    if place not in draft.marked:
        return pen.glyphs.off
    return f"[{draft.marked.index(place) + 1}]" if shape.ordered else pen.glyphs.on
