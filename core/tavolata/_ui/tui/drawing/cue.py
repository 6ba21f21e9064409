"""The drawing of a verdict over the board: what is counted, the stamp, and the number of its bearer. Pure."""

from __future__ import annotations

from typing import Final

from tavolata._ui.scene.scene import Cue, Tally
from tavolata._ui.tui.drawing.runs import Block, Line, centred, clipped, over, padded, width
from tavolata._ui.tui.drawing.stage import GUTTER, Rect
from tavolata._ui.tui.drawing.workshop import Workshop, change
from tavolata.messages import N_

COUNTED = N_("{n} of {need}")
ROOMY: Final = 11
"""The rows of a hero from which a verdict has its lower third; in fewer it's beside the card."""
WIDEST: Final = 62


def draw_cue(board: Block, room: Rect, rect: Rect, shop: Workshop) -> Block:
    """Draw the verdict over a board, of which `room` is the part with everything but a ring of players.

    `rect` is the place of the hero. Choices there go before the verdict, and tokens of a race, too.
    """
    cue, hero = shop.scene.cue, next((one for one in shop.scene.board if one.slot == "hero.0"), None)
    if cue is None or (cue.dim and any(one.at and hero and one.at.zone == hero.id for one in shop.options)):
        return board
    below = rect.height >= ROOMY
    alone = rect.width == room.width  # then its cards are at its left
    beside = room.x + room.width * 3 // 5 - 1 if alone else rect.x + rect.width - GUTTER
    cells = min(WIDEST, rect.width - 4) if below else room.x + room.width - beside
    box = _box(cue, cells, shop)
    if box.height > rect.height or hero is None or hero.draw in ("lanes", "grid"):
        row = _row(cue, room.width, shop)  # over asides, at the right
        return over(board, Block((row,)), room.x + room.width - width(row), board.height - room.y - 1)
    x = rect.x + (rect.width - cells) // 2 if below else beside
    low = rect.height - box.height - 1  # above the line below the cards
    y = rect.y + (low if below else (rect.height - box.height) // 2)
    return over(board, box, x, max(rect.y, y))


def _box(cue: Cue, cells: int, shop: Workshop) -> Block:
    heavy, edge, inner = shop.glyphs.heavy, "dim" if cue.dim else "hot", cells - 4
    lines = [padded(_fitting(one, inner, shop), inner) for one in cue.tallies]  # a row stays while it grows
    stamp, bearer = _stamp(cue, inner), _bearer(cue, shop)
    if cue.step != "tally":
        lines += [centred(stamp, inner)] if stamp else []
        shown = bearer if cue.step == "mark" else ()
        lines += [centred(clipped(shown, inner), inner)] if bearer else []
    else:  # the box is as high as it will be
        lines += [padded((), inner)] * 2
    rows = (((" ", edge), *line, (" ", edge)) for line in lines)
    return Block(tuple(heavy.around(rows, cells - 2, edge)))


def _row(cue: Cue, cells: int, shop: Workshop) -> Line:
    """Draw the verdict in one row: the newest of its steps."""
    stamp, bearer = _stamp(cue, cells // 2), _bearer(cue, shop) if cue.step == "mark" else ()
    role = "dim" if cue.dim else "cursor"
    line: Line = (("  ", role), *((text, role) for text, _ in stamp), ("  ", role)) if stamp else ()
    line = (*line, ("  ", ""), *bearer) if bearer else line
    if cue.step == "tally":
        whole, brief = (
            tuple(run for one in cue.tallies for run in (*tally(one, shop, brief=brief), ("   ", "")))
            for brief in (False, True)
        )
        line = whole if width(whole) <= cells else brief
    return clipped(line, cells)


def _fitting(one: Tally, cells: int, shop: Workshop) -> Line:
    """Draw what was counted: its cards apart, side by side, or as many as there's room for."""
    drawn: Line = ()
    for gap in " ", "":
        drawn = tally(one, shop, gap=gap)
        if width(drawn) <= cells:
            return drawn
    return clipped(tally(one, shop, brief=True), cells)


def tally(one: Tally, shop: Workshop, *, brief: bool = False, gap: str = " ") -> Line:
    cards: Line = ()
    for card in () if brief else one.cards:
        cards = (*cards, (card, "cursor"), (gap, ""))
    n = len(one.cards)
    number = shop.say(COUNTED, {"n": n, "need": one.need}) if one.need else str(n)
    role = "good" if n >= one.need else "number"
    return ((f"{one.of}  ", "strong"), *cards, (f" {number}", role))


def _stamp(cue: Cue, cells: int) -> Line:
    """Draw the words in spaced capitals where there's room."""
    words = cue.stamp.upper()
    spaced = "   ".join(" ".join(word) for word in words.split())
    text = ((spaced if len(spaced) <= cells else words, "dim" if cue.dim else "hot"),)
    return clipped(text, cells) if words else ()


def _bearer(cue: Cue, shop: Workshop) -> Line:
    panel = shop.panels.get(cue.seat)
    if panel is None:
        return ()
    role = f"hue{panel.hue}" if cue.dim else f"hue{panel.hue}-here"
    name: Line = ((f" {shop.glyphs.marks[panel.mark]} {panel.name} ", role),)
    if cue.number is None:
        return name
    was = f"  {cue.number - cue.delta} {shop.glyphs.arrows[1][-1]} " if cue.delta else "  "
    return (*name, (was, "dim"), (str(cue.number), "number"), *change(cue.delta, shop.glyphs))
