"""The drawing of cards: small boxes, or one line if height is scarce; cards to choose from are marked."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.runs import Block, Line, Spot, beside, clipped, flowing, wrapped
from tavolata._ui.zone_lines import CARDS, EMPTY
from tavolata.zones import CardView

WIDEST = 14
"""The most cells for a card; a longer name is wrapped."""

FANNED = 4
"""The most open cards of a pile that are shown."""


def draw_cards(cards: Sequence[CardView], pen: Pen) -> Block:
    """Draw cards in rows that fit the room; hidden cards are only counted."""
    if not cards:
        return Block((pen.line(pen.say(EMPTY), "dim"),))
    if all(not pen.card_face(card)[0] for card in cards):
        return backs(len(cards), pen)
    return flowing([card_block(card, pen) for card in cards], pen.room, gap=1 if pen.flat else 0)


def backs(count: int, pen: Pen) -> Block:
    """Draw a number of hidden cards in one line."""
    signs = pen.glyphs.back * min(count, 12)
    words = pen.say(CARDS, {"n": count})
    return Block((((signs, "back"), (f" {words}" if signs else words, "")),))


def card_block(card: CardView, pen: Pen) -> Block:
    """Draw one card."""
    text, colour = pen.card_face(card)
    taken, at = card.id in pen.taken, pen.cursor == card.id
    edge = "cursor" if at else "taken" if taken else "choice" if card.id in pen.pointed else "edge"
    if pen.flat:
        shown = text or pen.glyphs.back * 2
        face: Line = (("[", edge), *clipped(((shown, colour),), max(1, pen.room - 2)), ("]", edge))
        return _pointed(Block((face,)), card)
    return _pointed(_boxed(text, colour, edge, pen), card)


def _pointed(block: Block, card: CardView) -> Block:
    return Block(block.lines, (Spot(0, 0, block.width, block.height, card.id),))


def _boxed(text: str, colour: str, edge: str, pen: Pen) -> Block:
    glyphs = pen.glyphs
    rows = [row[0][0] for row in wrapped(text, "", WIDEST)] if text else [glyphs.back * 3]
    role = colour if text else "back"
    inner = max(3, *map(cell_len, rows))
    left, right, low_left, low_right = glyphs.corners
    middle: list[Line] = [
        ((glyphs.down, edge), (row + " " * (inner - cell_len(row)), role), (glyphs.down, edge))
        for row in rows
    ]
    top: Line = ((left + glyphs.across * inner + right, edge),)
    bottom: Line = ((low_left + glyphs.across * inner + low_right, edge),)
    return Block((top, *middle, bottom))


def draw_pile(cards: Sequence[CardView], pen: Pen) -> Block:
    """Draw a pile: its topmost open cards with the top one last, and the number of cards."""
    if not cards:
        return Block((pen.line(pen.say(EMPTY), "dim"),))
    first = len(cards) - 1
    while first > max(0, len(cards) - FANNED) and all(pen.card_face(card)[0] for card in cards[first - 1 :]):
        first -= 1
    fan = beside([*(_edge_of(card, pen) for card in cards[first:-1]), card_block(cards[-1], pen)], 0)
    if len(cards) == 1:
        return fan
    count = pen.line(pen.say(CARDS, {"n": len(cards)}))
    return beside([fan, Block((count,) if pen.flat else ((), count))])


def _edge_of(card: CardView, pen: Pen) -> Block:
    """Draw the visible edge of a card below another one."""
    text, colour = pen.card_face(card)
    if pen.flat:
        return Block((((text, colour), (" ", "")),))
    size, (upper, _, lower, _) = min(cell_len(text), WIDEST), pen.glyphs.corners
    row: Line = ((pen.glyphs.down, "edge"), *clipped(((text, colour),), size))
    across = pen.glyphs.across * size
    return Block((((upper + across, "edge"),), row, ((lower + across, "edge"),)))
