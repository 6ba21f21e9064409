"""The drawing of the board's items: one function for each form, in a rectangle of fixed size. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from tavolata._ui.scene.scene import CardFace, Scene, SceneItem
from tavolata._ui.tui.drawing.cards import HandOfCards, backs
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.lanes import draw_lanes
from tavolata._ui.tui.drawing.layout import Rect, board_places
from tavolata._ui.tui.drawing.runs import (
    Block,
    Line,
    Run,
    Spot,
    beside,
    clipped,
    fitted,
    flowing,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.workshop import Workshop


def draw_board(scene: Scene, rect: Rect, shop: Workshop) -> Block:
    """Draw the board: every item in its place, so that nothing moves while the window keeps its size."""
    items = scene.board
    by_slot = {item.slot: item for item in items}
    hero = by_slot.get("hero.0")
    places = board_places(rect.width, rect.height, wide=hero is not None and hero.draw in ("lanes", "grid"))
    rows: list[list[tuple[int, Block]]] = [[] for _ in range(rect.height)]
    spots: list[Spot] = []
    rest = [item for item in items if item.slot not in places.slots]
    drawn = [(places.slots[slot], item) for slot, item in by_slot.items() if slot in places.slots]
    drawn += list(zip(places.cells, rest, strict=False))
    if len(rest) > len(places.cells):
        last = drawn.pop()[0]
        more = f"+{len(rest) - len(places.cells) + 1}"
        drawn.append((last, SceneItem("", "", "aside", 0, "words", more, text="")))
    for place, item in drawn:
        block = fitted(draw_item(item, place.width, place.height, shop), place.width, place.height)
        for y, line in enumerate(block.lines):
            rows[place.y + y].append((place.x, Block((line,))))
        spots += [spot.moved(place.x, place.y) for spot in block.spots]
    lines = []
    for row in rows:
        whole: Line = ()
        for x, block in sorted(row, key=lambda one: one[0]):
            whole = (*padded(whole, x), *block.lines[0])
        lines.append(padded(whole, rect.width))
    return Block(tuple(lines), tuple(spots))


def draw_item(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw an item in a rectangle: as a box with a title, with a title above, or in one line."""
    if item.gone:
        return Block(((("  " + item.title, "gone"),),))
    if item.draw == "lanes":
        return draw_lanes(item, cells, rows, shop)
    if rows < 3:
        return _line(item, cells, rows, shop)
    if item.emphasis == 2 and item.draw != "grid" and rows >= 5:
        return _boxed(item, cells, rows, shop)
    role = "hot" if item.about else "title"
    head: Line = ((" " + item.title, role),)
    return stacked(
        [Block((clipped(head, cells),)), fitted(_content(item, cells - 1, rows - 1, shop), cells, rows - 1)]
    )


def _boxed(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw the hero in a box, in the middle of it."""
    glyphs = shop.glyphs
    box = glyphs.double if item.new else glyphs.round
    edge = "hot" if item.about or item.new else "edge"
    inner = cells - 4
    title = clipped(((f" {item.title} ", "hot" if item.about else "title"),), inner - 4)
    foot = f" {item.note} " if item.note else ""
    content = fitted(
        _middle(_content(item, inner - 2, rows - 2, shop), inner - 2, rows - 2), inner - 2, rows - 2
    )
    fill = box.across * max(0, inner - 3 - width(title))
    top: Line = (
        (" " + box.left_top + box.across, edge),
        *title,
        (fill + box.right_top, edge),
    )
    low = clipped(((foot, "dim"),), inner - 4) if foot else ()
    bottom: Line = (
        (" " + box.left_low + box.across, edge), *low,
        (box.across * max(0, inner - 3 - width(low)) + box.right_low, edge),
    )  # fmt: skip
    middle = [((" " + box.side, edge), *line, (box.side, edge)) for line in content.lines]
    spots = tuple(spot.moved(2, 1) for spot in content.spots)
    return Block((top, *middle, bottom), spots)


def _middle(block: Block, cells: int, rows: int) -> Block:
    """A block in the middle of a rectangle."""
    left, top = max(0, (cells - block.width) // 2), max(0, (rows - block.height) // 2)
    lines = [((" " * left, ""), *line) for line in block.lines]
    spots = tuple(spot.moved(left, top) for spot in block.spots)
    return Block((*[()] * top, *lines), spots)


def _line(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw an item in one line, or two."""
    head: Run = (f" {item.title} " if item.title else " ", "hot" if item.about else "dim")
    body = _flat(item, shop)
    if rows > 1 and width((head, *body)) > cells:
        text = "".join(text for text, _ in body)
        return Block((clipped((head,), cells), *wrapped("  " + text, "", cells - 1, "  ")))
    return Block((clipped((head, *body), cells - 1),))


def _flat(item: SceneItem, shop: Workshop) -> Line:
    """The content of an item in one line."""
    new = "hot" if item.new else ""
    match item.draw:
        case "backs":
            return backs(item.count, shop.glyphs)
        case "fan" | "hand":
            runs = [run for card in item.cards for run in ((_name(card), card.colour or "face"), (" ", ""))]
            more = item.count - len(item.cards)
            return (*runs, (f"+{more}", "dim")) if more else tuple(runs)
        case "coins" | "number":
            return ((item.text, "number"), *change(item.delta, shop.glyphs))
        case "rows":
            parts = [(f"{row.label} {row.value}", row.colour) for row in item.rows]
            return tuple(run for part in parts for run in (part, ("  ", ""))) or ((shop.empty, "dim"),)
        case "grid":
            return ((shop.empty, "dim"),)
        case _:
            return ((item.text, new),)


def _name(card: CardFace) -> str:
    return f"{card.corner}{card.sign}" or card.text


def _content(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """The content of an item in a rectangle."""
    glyphs = shop.glyphs
    match item.draw:
        case "fan" | "hand":
            cards = HandOfCards(item.cards, shop.on_cards(item.id), shop.pointed_card(item.id), glyphs)
            room = cells - (8 if item.count > len(item.cards) else 0)
            block = cards.draw(room, rows)
            more = item.count - len(item.cards)
            if more:
                block = beside([block, Block((((f"+{more}", "dim"),),))], 1)
            named = item.cards[-1].text if item.draw == "fan" and item.cards and rows > block.height else ""
            return stacked([block, Block((clipped(((named, "hot"),), cells),))]) if named else block
        case "backs":
            return Block((backs(item.count, glyphs) if item.count else ((shop.empty, "dim"),),))
        case "coins":
            coins = item.number or 0
            signs = " ".join(glyphs.coin * coins) if 2 * coins <= cells else glyphs.coin * coins
            number: Line = ((item.text, "number"), *change(item.delta, glyphs))
            return Block((((signs, "coin"),), number)) if coins and rows > 1 else Block((number,))
        case "number":
            return Block((((item.text, "number"), *change(item.delta, glyphs)),))
        case "rows":
            return _rows(item, cells, rows, shop)
        case "grid":
            return _grid(item, cells, shop)
        case _:
            role = "hot" if item.new else "strong" if item.emphasis == 2 else ""
            return Block(tuple(wrapped(item.text, role, max(1, cells))))


def _rows(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    if not item.rows:
        return Block((((" " + shop.empty, "dim"),),))
    left = min(20, max(cell_len(row.label) for row in item.rows))
    blocks = [
        Block(((*padded(((row.label, row.colour),), left), (" ", ""), (row.value, "number")),))
        for row in item.rows
    ]
    return flowing(blocks, cells, gap=3) if len(blocks) > rows else stacked(blocks)


def _grid(item: SceneItem, cells: int, shop: Workshop) -> Block:
    size = max((cell_len(text) for row in item.cells for text, _ in row), default=1)
    columns = max(map(len, item.cells), default=1)
    if (size + 1) * columns > cells:
        size = max(1, cells // columns - 1)
    lines = []
    for row in item.cells:
        runs: Line = ()
        for text, role in row:
            cell: Run = (text or shop.glyphs.dot, role if text else "dim")
            runs = (*runs, *padded((cell,), size), (" ", ""))
        lines.append(runs)
    return Block(tuple(lines))


def change(delta: int | None, glyphs: Glyphs) -> Line:
    """The mark of a number that has changed."""
    if not delta:
        return ()
    sign, role = (glyphs.up, "up") if delta > 0 else (glyphs.down_by, "down")
    size = abs(delta)
    return ((f" {sign}{size if size < 1000 else f'{size // 1000}k'}", role),)


def draw_yours(items: Sequence[SceneItem], rect: Rect, shop: Workshop, *, titled: bool) -> Block:
    """Draw one's own things: cards at the left, words and what the pointed choice means at the right."""
    cells, rows = rect.width, rect.height - titled
    hands = [item for item in items if item.draw in ("hand", "fan") and item.cards]
    others = [item for item in items if not any(item is one for one in hands)]
    side = min(30, cells // 3) if hands else cells - 5
    room = cells - side - 3
    used = 0
    blocks: list[Block] = []
    for number, item in enumerate(hands):
        own = (room - used) // (len(hands) - number) if len(hands) > 1 else room
        cards = HandOfCards(item.cards, shop.on_cards(item.id), shop.pointed_card(item.id), shop.glyphs)
        block = cards.draw(own - 1, rows)
        used += block.width + 1
        blocks.append(block)
    left = fitted(beside(blocks, 1), room, rows) if blocks else fitted(Block(()), room, rows)
    told: list[Line] = [] if items else [((shop.nothing_yours, "dim"),)]
    for text, role in shop.pointed_words():
        told += wrapped(text, role, side)
    for item in others:
        head: Run = (f"{item.title} ", "dim")
        body = _flat(item, shop)
        if width((head, *body)) <= side:
            told.append((head, *body))
        else:
            told += wrapped(item.title + " " + "".join(text for text, _ in body), "", side, "  ")
    block = beside([Block(((("  ", ""),),) * rows), left, fitted(Block(tuple(told)), side, rows)], 0)
    if titled:
        title = hands[0].title if hands else items[0].title if items else shop.yours
        count = shop.cards(hands[0].count) if hands else ""
        head_line = sides(((f" {title}", "title"),), ((f"{count} ", "dim"),), cells)
        block = stacked([Block((head_line,)), block])
    return fitted(block, cells, rect.height)
