"""The drawing of the board's items: one function for each form, in a rectangle of fixed size. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, assert_never

from rich.cells import cell_len

from tavolata._ui.scene.art import digits
from tavolata._ui.scene.scene import CardFace, Row, SceneItem
from tavolata._ui.tui.drawing.cards import LARGE, LARGE_PIPS, LEAST, SIZES, HandOfCards, backs
from tavolata._ui.tui.drawing.grids import draw_grid
from tavolata._ui.tui.drawing.lanes import draw_lanes
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    Run,
    beside,
    centred,
    clipped,
    counted_out,
    fitted,
    label,
    padded,
    sides,
    stacked,
    width,
    wrapped,
)
from tavolata._ui.tui.drawing.stage import GUTTER, Rect, TableStage
from tavolata._ui.tui.drawing.workshop import Workshop, change, chart

LOW: Final = 3
"""The rows of a place from which it has a form of its own size; what is lower is a row of words."""
FIRST: Final = 4
"""The least cells of the number before a card of a row; with four more it's of twice the size."""
PART: Final = 9
"""The cells beside a large number for its change."""
CALL: Final = 40
"""The cells of the words below a row."""
PLUS: Final = 2
"""The cells before the number of a further part of a row."""
DIGITS: Final = 3
"""The rows of large digits beside something else."""
NARROW: Final = 18
"""The cells beside a hand that needs more of them."""
NAME: Final = 20
"""The cells of the name below a card that lies alone."""
NAMES: Final = 12
"""The least cells for the names of the cards below the top one of a pile."""
OWN: Final = 22
"""The cells beside one's own stack for how many cards it has."""
MORE: Final = 8
"""The least cells beside a pile for the number of its cards."""
TWO: Final = 14
"""The cells of two digits of twice the size."""


def placed(items: Sequence[SceneItem], plan: TableStage) -> list[tuple[Rect, SceneItem]]:
    """Return the items of a board, each with its place counted from the board's first cell.

    Items without a place are counted in the last one.
    """
    drawn = [(plan.places[item.id], item) for item in items if item.id in plan.places]
    if (beyond := len(items) - len(drawn)) and drawn:
        last = max(drawn, key=lambda one: (one[0].y, one[0].x))
        drawn[drawn.index(last)] = last[0], SceneItem("", "", "aside", "words", f"+{beyond + 1}")
    return drawn


def draw_board(plan: TableStage, shop: Workshop) -> Block:
    """Draw the board with its strip: every item in its place."""
    places = placed(shop.scene.board, plan)
    size = max((place.y + place.height for place, _ in places), default=0)
    rows: list[list[tuple[int, Line]]] = [[] for _ in range(max(plan.board.height, size))]
    spots: list[Hotspot] = []
    for place, item in places:
        block = fitted(draw_item(item, place.width, place.height, shop), place.width, place.height)
        for y, line in enumerate(block.lines, place.y):
            rows[y].append((place.x, line))
        spots += [spot.moved(place.x, place.y) for spot in block.spots]
    for y, line in enumerate(shop.before, plan.earlier.y):
        rows[y].append((plan.earlier.x, line))
    lines: list[Line] = []
    for row in rows:
        whole: Line = ()
        for x, line in sorted(row):
            whole = (*padded(whole, x), *line)
        lines.append(whole)
    return Block(tuple(lines), tuple(spots))


def draw_item(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw an item in a rectangle with its title above, or in one line; a hero's content is centred."""
    if item.gone and not (item.draw == "row" and rows > LOW):
        return Block(())
    if item.draw == "lanes":
        return draw_lanes(item, cells, rows, shop)
    if rows < LOW:
        return _line(item, cells, rows, shop)
    if (
        item.draw == "grid" and len(item.cells) + bool(item.labels[1]) >= rows
    ):  # these say more than its title
        return _content(item, cells - 1, rows, shop)
    is_hero = item.slot == "hero.0"
    head: Line = ((" " + item.title, "hot" if item.about or (item.new and is_hero) else "title"),)
    content = _content(item, cells - 1, rows - 1, shop, cells if is_hero else LARGE)
    if is_hero and item.draw == "fan" and item.cards:  # if its name has no room below it
        name = item.cards[-1].text
        is_named = any(name in "".join(text for text, _ in line) for line in content.lines)
        head = head if is_named else (*head, (f"  {name}", "strong"))
    if item.draw != "grid":
        content = _middle(content, cells - GUTTER, rows - 1) if is_hero else content.moved(1)
    return stacked([Block((clipped(head, cells),)), fitted(content, cells, rows - 1)])


def _middle(block: Block, cells: int, rows: int) -> Block:
    return block.moved(max(0, (cells - block.width) // 2), max(0, (rows - block.height) // 2))


def _line(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    head: Run = (f" {item.title} " if item.title else " ", "hot" if item.about else "dim")
    body = _flat(item, shop)
    # letters are on the lanes, too
    if item.draw == "rows" and item.rows and width((head, *body)) > cells - 1:
        body = tuple((f"{_letter_of(row)} {row.value} ", row.colour) for row in item.rows)
    if item.draw == "rows" and item.rows and width((head, *body)) > cells - 1:
        parts = [Block((((f"{row.label} {row.value}", row.colour),),)) for row in item.rows]
        room = cells - 1 - (2 if rows > 1 else width((head,)))
        more = shop.more if rows > 1 else "+{}".format
        lines = counted_out(parts, room, max(1, rows - 1), more, 2).lines
        return Block((clipped((head,), cells), *lines) if rows > 1 else ((head, *lines[0]),))
    if rows > 1 and width((head, *body)) > cells - 1:
        text = "".join(text for text, _ in body)
        below = wrapped("  " + text, "", cells - 1, "  ")
        if len(below) < rows:
            return Block((clipped((head,), cells), *below))
        first, *others = wrapped(head[0] + text, "", cells - 1, "  ")  # a row less than below its title
        whole = "".join(text for text, _ in first)
        if len(others) >= rows:
            others[rows - 2] = clipped((*others[rows - 2], (f" {shop.glyphs.ellipsis}", "dim")), cells - 1)
        return Block(((head, (whole[len(head[0]) :], "")), *others))
    if item.title and width((head, *body)) > cells - 1:  # no number is cut for its label
        head = (f" {label(item.title)} ", head[1])
    return Block((clipped((head, *body), cells - 1),))


def _letter_of(row: Row) -> str:
    letter = row.label.rpartition(" (")[2]
    return letter[0] if letter[1:] == ")" else row.label


def _flat(item: SceneItem, shop: Workshop) -> Line:
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
        case "words" | "row" | "lanes":
            return ((item.text, new),)
        case _ as never:
            assert_never(never)


def _name(card: CardFace) -> str:
    return f"{card.corner}{card.sign}" or card.text


def _content(item: SceneItem, cells: int, rows: int, shop: Workshop, largest: int = LARGE) -> Block:
    glyphs = shop.glyphs
    match item.draw:
        case "fan" | "hand":
            if item.draw == "fan" and item.slots:
                return _pile(item, cells, rows, shop, largest)
            cards = _hand(item, shop)
            room = cells - (8 if item.count > len(item.cards) else 0)
            high = rows - (rows > 5 and item.draw == "fan")
            block = cards.draw(room, high, largest, most=max(item.widths, default=0))
            more = item.count - len(item.cards)
            if more:
                block = beside([block, Block((((f"+{more}", "dim"),),))], 1)
            named = item.cards[-1].text if item.draw == "fan" and item.cards and rows > block.height else ""
            return stacked([block, Block((clipped(((named, "hot"),), cells),))]) if named else block
        case "backs":
            if not item.count and item.slots and largest > LARGE:
                return _pile(item, cells, rows, shop, largest)
            if item.count and rows > LEAST:
                card = HandOfCards((CardFace(-1),), {}, None, glyphs).draw(cells, rows - 1)
                return stacked([card, Block((((shop.cards(item.count, dice=item.dice), "number"),),))])
            return Block((backs(item.count, glyphs) if item.count else ((shop.empty, "dim"),),))
        case "coins":
            coins = item.number or 0
            signs = " ".join(glyphs.coin * coins) if 2 * coins <= cells else glyphs.coin * coins
            number = _number(item, cells, rows - 1, shop)
            return stacked([Block((((signs, "coin"),),)), number]) if coins and rows > 1 else number
        case "number":
            return _number(item, cells, rows, shop)
        case "rows":
            return _rows(item, cells, rows, shop)
        case "row":
            return _row(item, cells, rows, shop)
        case "grid":
            return draw_grid(item, cells, rows, shop)
        case "words" | "lanes":
            role = "hot" if item.new else "strong" if item.slot == "hero.0" else ""
            return Block(tuple(wrapped(item.text, role, max(1, cells))))
        case _ as never:
            assert_never(never)


def _number(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw a number with its change, in large digits where there's room."""
    large = digits(item.text, cells - PART, min(rows, 2 * DIGITS)) if shop.glyphs.suits else []
    *above, last = [((row, "number"),) for row in large] or [((item.text, "number"),)]
    return Block((*above, (*last, *change(item.delta, shop.glyphs))))


def _pile(item: SceneItem, cells: int, rows: int, shop: Workshop, largest: int) -> Block:
    """Draw the newest cards of a pile: the top one is where it always is, older ones lap to its left.

    A card with large pips has all the rows, if it's larger that way; otherwise its name is below it.
    """
    slots = max(item.slots, len(item.cards))
    older, note = (slots - 1) * LEAST, MORE if slots > 1 else 0
    sizes = [size for size in SIZES if size[0] <= min(largest, cells - note - older)]
    bare = next((size for size in sizes if size[1] <= rows and size[0] > LARGE_PIPS), None)
    low = rows - (rows > LOW)
    named = next((size for size in sizes if size[1] <= low), (LEAST, low))
    size = named if bare is None else max(bare, named)
    high = size[1]
    drawn = _hand(item, shop).draw(size[0] + older, high, size[0], stack=True)
    block = drawn if item.cards else _outline(size, shop)
    block = block.moved(size[0] + older - block.width)
    beyond = max(0, NAME - block.width) if not note else 0
    block = fitted(block.moved(beyond // 2), size[0] + older + beyond, block.height)
    if note:
        room = min(TWO, cells - block.width - 2)
        block = beside([block, fitted(_count(item, room, high, shop), room, high)], 2)
        if (left := min(NAME, cells - block.width - 2)) >= NAMES:
            block = beside([block, fitted(_older(item.cards[-2::-1], left), left, high)], 2)
    if rows == high:
        return block
    name: Line = ((item.cards[-1].text, "hot"),) if item.cards else ()
    below = Block((name,)).moved(max(0, size[0] + older - width(name)))  # ends where the top card does
    return stacked([block, below if note else Block((centred(name, block.width),))])


def _older(cards: Sequence[CardFace], cells: int) -> Block:
    """Name the cards below the top one of a pile, the newest first."""
    lines: list[Line] = []
    for card in cards:
        name = card.text if cell_len(card.text) <= cells else _name(card)
        lines.append(clipped(((name, card.colour or "face"),), cells))
    return Block(tuple(lines))


def _count(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw how many cards there are, in large digits where there's room."""
    said = shop.cards(item.count, dice=item.dice)
    room = rows - 1 if cells >= TWO else DIGITS  # of one size, whether it's one digit or two
    large = digits(str(item.count), cells, min(room, rows - 1, 2 * DIGITS)) if shop.glyphs.suits else []
    lines = [*large, said.partition(" ")[2]] if large else [said]
    return Block(tuple(clipped(((line, "number"),), cells) for line in lines) if item.count else ())


def _outline(size: tuple[int, int], shop: Workshop) -> Block:
    """Draw the place of a card of this size; where the word has no room, its dots say that it's empty."""
    box, inner, high = shop.glyphs.dotted, size[0] - 2, size[1] - 2
    empty: Line = ((shop.empty, "dim"),) if len(shop.empty) <= inner else ()
    middle = fitted(_middle(Block((empty,)), inner, high), inner, high)
    return Block(tuple(box.around(middle.lines, inner, "edge")))


def _row(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw the parts of a row as cards, each with its number, above the whole in words."""
    slots = max(item.slots, len(item.row))
    firsts = (FIRST + 4, FIRST)
    forms = [(wide, high, first) for wide, high in SIZES for first in firsts[high < LARGE :] if high < rows]
    wide, high, first = next(
        (form for form in forms if slots * (form[0] + form[2] + PLUS + 2) - PLUS - 1 <= cells), (0, 0, FIRST)
    )
    words = Block((clipped(((item.text, "hot" if item.new else "strong"),), cells),))
    if not wide:
        return words
    parts: list[Block] = []
    for number in range(slots):
        count, of = item.row[number] if number < len(item.row) else (0, "")
        card = HandOfCards((CardFace(-1, of, "", "", of, item.new),), {}, None, shop.glyphs)
        parts += [
            _times(count, high, first, shop, is_first=not number),
            card.draw(wide, high, wide) if count else _outline((wide, high), shop),
        ]
    drawn = beside(parts, 1)
    full = slots * (wide + first + PLUS + 2) - PLUS - 1 if item.slots else drawn.width
    whole = min(cells, max(full, CALL))
    return stacked([fitted(drawn.moved((whole - full) // 2), whole, drawn.height), fitted(words, whole, 1)])


def _times(count: int, rows: int, cells: int, shop: Workshop, *, is_first: bool) -> Block:
    """Draw the number before a card of this height; the card is in one column, whatever the number."""
    room, most = cells - 1, rows - LOW if cells > FIRST else DIGITS
    large = digits(str(count), room, most) if shop.glyphs.suits and rows > LOW + DIGITS else []
    lines = [*large] or [str(count)]
    at = len(lines) // 2
    lines = [f"{line:>{room}}{shop.glyphs.times if row == at else ' '}" for row, line in enumerate(lines)]
    if not is_first:
        lines = [f"{'+' if row == at else '':{PLUS}}{line}" for row, line in enumerate(lines)]
    above = 2 if large else rows // 2  # a verdict covers the lower half
    blank = Block((padded((), cell_len(lines[0])),) * above)
    return stacked([blank, Block(tuple(((line if count else " " * len(line), "strong"),) for line in lines))])


def _rows(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    if not item.rows:
        return Block((((" " + shop.empty, "dim"),),))
    left = min(20, max(cell_len(row.label) for row in item.rows))
    blocks = [
        Block(((*padded(((row.label, row.colour),), left), (" ", ""), (row.value, "number")),))
        for row in item.rows
    ]
    return counted_out(blocks, cells, rows, shop.more) if len(blocks) > rows else stacked(blocks)


def _tags(items: Sequence[SceneItem], cells: int, rows: int, shop: Workshop) -> Block:
    box, each = shop.glyphs.round, min(36, cells // max(1, len(items)) - 1)
    boxes = []
    for item in items:
        text = "".join(text for text, _ in _flat(item, shop))
        lines = wrapped(text, "hot" if item.new else "", each - 4)[: rows - 2]
        wide = max(cell_len(item.title) + 2, *map(width, lines)) + 2
        wide = min(each - 2, wide)
        head = clipped(((f" {item.title} ", "title"),), wide - 2)
        body = [((" ", "edge"), *padded(line, wide - 2), (" ", "edge")) for line in lines]
        boxes.append(Block(tuple(box.around(body, wide, "edge", ((box.across, "edge"), *head)))))
    return beside(boxes, 1)


def _own_number(cells: int, rows: int, shop: Workshop) -> Block:
    """Draw one's main number and its course, where nothing else is before the viewer."""
    scene, glyphs = shop.scene, shop.glyphs
    panel = shop.panels.get(scene.seat)
    if panel is None or panel.main is None:  # who watches has nothing here, and need not be told so
        told = ((shop.nothing_yours, "dim"),) if scene.seat is not None else ()
        return fitted(Block((told,)), cells, rows)
    main = panel.main
    number: Line = ((main.text, "number"), *change(main.delta, glyphs))
    if main.draw == "stack" and main.number and rows > 2:
        room = 1 + (cells - OWN - LARGE) // LEAST
        hidden = tuple(CardFace(-1 - at) for at in range(min(main.number, room)))
        block = HandOfCards(hidden, {}, None, glyphs).draw(cells - OWN, rows, stack=True)
        if block.height > 1:
            side = Block((((shop.cards(main.number), "number"), *change(main.delta, glyphs)),))
            if glyphs.suits and (large := digits(str(main.number), 7, DIGITS)):
                said = shop.cards(main.number).partition(" ")[2]
                last = ((large[-1], "number"), (f" {said}", "number"), *change(main.delta, glyphs))
                side = Block((*(((line, "number"),) for line in large[:-1]), last))
            return fitted(beside([block, side], 2), cells, rows)
    if main.number is not None and 0 < main.number <= cells - 30:
        number = ((glyphs.coin * main.number + "  ", "coin"), *number)
    lines: list[Line] = [((main.title + "  ", "dim"), *number)]
    if rows > 2 and len(set(panel.series)) > 1:
        lines += [(), *chart(panel, cells - 12, rows - 2, shop)]
    return fitted(Block(tuple(lines)), cells, rows)


def own_title(items: Sequence[SceneItem], shop: Workshop) -> str:
    """Return the title above one's own things, naming each hand in order; without a hand each thing has its
    own.
    """
    hands = [item.title for item in items if item.draw in ("hand", "fan") and item.cards]
    return f" {shop.glyphs.dot} ".join(hands) or shop.yours


def draw_yours(items: Sequence[SceneItem], rect: Rect, shop: Workshop, *, titled: bool) -> Block:
    """Draw one's own things: cards at the left, words and the meaning of the pointed choice at the right."""
    cells, rows = rect.width, rect.height - titled
    hands = [item for item in items if item.draw in ("hand", "fan") and item.cards]
    others = [item for item in items if item.draw not in ("hand", "fan")]  # a hand without cards says nothing
    side = cells - 5 if items and not hands else min(30, cells // 3)
    if any(
        _hand(item, shop).draw((cells - side - 3) // len(hands) - 1, rows).height > rows for item in hands
    ):
        side = min(side, NARROW)
    room = cells - side - 3
    used = 0
    blocks: list[Block] = []
    for number, item in enumerate(hands):
        own = (room - used) // (len(hands) - number) if len(hands) > 1 else room
        cards = _hand(item, shop)
        block = cards.draw(own - 1, rows)
        if block.height > rows:
            block = cards.cut(own - 1, rows)
        used += block.width + 1
        blocks.append(block)
    drawn = beside(blocks, 1)
    words = shop.pointed_words()
    if sum(len(wrapped(text, role, side)) for text, role in words) > rows:  # then cards leave it more room
        room = drawn.width + 1
        side = cells - room - 3
    left = fitted(drawn, room, rows)
    told: list[Line] = []
    if not items:
        left = _own_number(room, rows, shop)
    elif not hands and not others:
        left = Block((((shop.nothing_yours, "dim"),) if shop.scene.seat is not None else (),))
        side = cells - left.width - 3
    elif not hands and rows >= 5:
        room, side = cells - 5, 2
        left = fitted(_tags(others, room, rows, shop), room, rows)
        others = []
    for text, role in words:
        told += wrapped(text, role, side)
    for item in others:
        head: Run = (f"{item.title} ", "dim")
        body = _flat(item, shop)
        if width((head, *body)) <= side:
            told.append((head, *body))
        else:
            told += wrapped(item.title + " " + "".join(text for text, _ in body), "", side, "  ")
    if len(told) > rows:
        told[rows - 1] = clipped((*told[rows - 1], (f" {shop.glyphs.ellipsis}", "dim")), side)
    block = beside([Block(((("  ", ""),),) * rows), left, fitted(Block(tuple(told)), side, rows)], 0)
    if titled:
        count = shop.cards(hands[0].count, dice=hands[0].dice) if len(hands) == 1 else ""
        head_line = sides(((f" {own_title(items, shop)}", "title"),), ((f"{count} ", "dim"),), cells)
        block = stacked([Block((head_line,)), block])
    return fitted(block, cells, rect.height)


def _hand(item: SceneItem, shop: Workshop) -> HandOfCards:
    decision = shop.scene.decision
    options, pointed = shop.on_cards(item.id), shop.pointed_card(item.id)
    return HandOfCards(item.cards, options, pointed, shop.glyphs, decision.later, decision.held)
