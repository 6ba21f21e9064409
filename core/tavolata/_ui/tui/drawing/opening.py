"""The drawing of the opening card over the board. Pure."""

from __future__ import annotations

from rich.cells import cell_len

from tavolata._ui.scene.scene import GameCard
from tavolata._ui.tui.drawing.runs import Block, Line, over, padded, wrapped
from tavolata._ui.tui.drawing.stage import Rect
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata.messages import N_

HOW = N_("how to play")
WIDEST = 76
"""The most cells of its text."""


def draw_card(card: GameCard, frame: Block, board: Rect, shop: Workshop) -> Block:
    """Draw the card over the board of a frame, in a box if there's room; otherwise it may cover the story."""
    box, cells = shop.glyphs.round, board.width
    lines = _lines(card, cells - 4, air=True)
    if len(lines) + 2 > board.height:
        lines = _lines(card, cells - 4, air=False)
    if len(lines) + 2 > board.height:
        bare = (((" ", ""), *padded(row, cells - 1)) for row in _lines(card, cells - 2, air=False))
        return over(frame, Block(tuple(bare)), board.x, board.y)
    lines += [()] * (board.height - 2 - len(lines))
    head = ((f"{box.across} {shop.say(HOW)} ", "edge"),)
    rows = (((" ", "edge"), *padded(row, cells - 4), (" ", "edge")) for row in lines)
    return over(frame, Block(tuple(box.around(rows, cells - 2, "edge", head))), board.x, board.y)


def _lines(card: GameCard, cells: int, *, air: bool) -> list[Line]:
    cells, labels = min(cells, WIDEST), 2 + max(cell_len(label) for label, _ in card.rows)
    lines: list[Line] = []
    for label, said in card.rows:
        first, *more = wrapped(said, "", cells - labels)
        lines += [()] if air else []
        lines += [(*padded(((label, "title"),), labels), *first)]
        lines += [((" " * labels, ""), *row) for row in more]
    return lines
