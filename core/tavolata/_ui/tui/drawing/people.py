"""The drawing of several people at one keyboard: the form before a match, and the curtain in it. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tavolata._ui.people_here import FIELDS, Person
from tavolata._ui.scene.identity import MARKS
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    centred,
    clipped,
    fitted,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.workshop import Pen
from tavolata.messages import N_

WHO = N_("Who sits here?")
HOW = N_("Type names, choose a colour with Space and a mark with C, and give everyone a reaction key.")
KEY = N_("key {key}")
BEGIN = N_("Begin")
TURN = N_("It's your turn. Everyone else, look away.")
I_AM = N_("I'm {name}: show my hand")
SITS = N_("who sits here")
NAMES = 26
"""The cells of a name in the form."""
BOX = 56
"""The most cells of the box of a curtain."""


def draw_people(people: Sequence[Person], at: tuple[int, str], pen: Pen) -> tuple[Block, tuple[int, int]]:
    """Draw the form; return it with the place of the cursor."""
    lines: list[Line] = [(), pen.line(pen.say(WHO), "title"), (), *wrapped(pen.say(HOW), "dim", pen.room), ()]
    spots: list[Hotspot] = []
    cursor = (0, 0)
    for row, one in enumerate(people):
        hue, mark = f"hue{one.look[0]}", pen.glyphs.marks[MARKS[one.look[1]]]
        name = pen.plainly(one.name)
        texts = {
            "look": f" {mark} ",
            "name": f" {name} ",
            "key": pen.say(KEY, {"key": one.key or pen.glyphs.dot}),
        }
        runs: Line = (("  ", ""),)
        for field in FIELDS:
            here = (row, field) == at
            x = width(runs)
            role = "cursor" if here else hue if field != "key" else ""
            said: Line = ((f"{pen.glyphs.cursor if here else ' '} ", "turn"), (texts[field], role))
            if here:
                cursor = (x + 2 + cell_len(texts[field].rstrip()), len(lines))
            size = NAMES if field == "name" else width(said)
            runs = (*runs, *padded(said, size), ("  ", ""))
            spots.append(Hotspot(x, len(lines), size, 1, (row, field)))
        lines += [clipped(runs, pen.room), ()]
    button = f" {pen.glyphs.enter} {pen.say(BEGIN)} "
    across = pen.glyphs.across
    spots.append(Hotspot(pen.room - 1 - cell_len(button), len(lines), cell_len(button), 1, (0, "act")))
    lines.append(sides((), ((button, "act"), (across, "edge")), pen.room, (across, "edge")))
    return Block(tuple(lines), tuple(spots)), cursor


def draw_curtain(
    at: int, people: Sequence[Person], last: str, pen: Pen, cells: int, rows: int, key: str
) -> Block:
    """Draw the curtain: nothing of the table but who comes (`at`), and what happened last, which everyone may
    know.

    In games of quick hands, the bottom line says which key is whose.
    """
    one, box = people[at], pen.glyphs.double
    size = min(BOX, cells - 2)
    inner = size - 2
    head = (pen.glyphs.marks[MARKS[one.look[1]]] + " " + pen.plainly(one.name), f"hue{one.look[0]}-here")
    act: Line = ((f" {key} ", "act"), ("  ", ""), *pen.line(pen.say(I_AM, {"name": one.name}), "strong"))
    body: list[Line] = [(), ((" ", ""), head, (" ", "")), (), *wrapped(pen.say(TURN), "", inner - 4), ()]
    body += [*wrapped(pen.plainly(last), "dim", inner - 4)[:3], ()] if last else []
    body += [act, ()]
    if rows < len(body) + 2:
        body = [row for row in body if row]
    lines = box.around((centred(row, inner) for row in body), inner, "edge")
    left = (cells - size) // 2
    whole = Block(tuple(lines), (Hotspot(0, 0, size, len(lines), ("key", "answer")),)).moved(left)
    below: list[Line] = [(), ((" " * left, ""), *pen.line(pen.say(SITS), "dim"))]
    runs: Line = ((" " * left, ""),)
    for person in people:
        mark = pen.glyphs.marks[MARKS[person.look[1]]]
        item: Line = ((f"{mark} {pen.plainly(person.name)}", f"hue{person.look[0]}"), ("   ", ""))
        if width(runs) + width(item) > cells and width(runs) > left:
            below.append(runs)
            runs = ((" " * left, ""),)
        runs = (*runs, *item)
    below.append(runs)
    if whole.height + len(below) <= rows:
        whole = stacked([whole, Block(tuple(below))])
    return fitted(whole.moved(0, max(0, (rows - whole.height) // 2)), cells, rows)
