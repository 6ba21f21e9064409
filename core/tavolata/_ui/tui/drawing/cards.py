"""The drawing of cards: large, normal or small boxes, side by side, lapped, or as flat text.

Pure. A card that can be chosen has its number on its edge.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from rich.cells import cell_len

from tavolata._ui.scene.art import digits, picture, pip_of
from tavolata._ui.scene.scene import CardFace, Option
from tavolata._ui.tui.drawing.glyphs import BoxSigns, Glyphs
from tavolata._ui.tui.drawing.runs import (
    Block,
    Hotspot,
    Line,
    Run,
    beside,
    clipped,
    counted_out,
    fitted,
    flowing,
    padded,
    part_of,
    wrapped,
)

SIZES: Final = ((25, 21), (21, 17), (17, 13), (13, 9), (9, 7), (7, 5), (5, 3))
"""Widths and heights of a card with a corner."""
LARGE: Final = 9
"""The width of the largest card of a hand; only the hero of the board has larger ones."""
LEAST: Final = 4
"""The fewest cells of a card below another one."""
LARGE_PIPS: Final = 15
"""The cells inside a card from which pips are bitmaps, where the rows are enough for five."""
TEXT: Final = 24
"""The most cells of a card that has its name on it."""
_PIPS: Final = {
    1: "--1--", 2: "1---1", 3: "1-1-1", 4: "2---2", 5: "2-1-2",
    6: "2-2-2", 7: "212-2", 8: "21212", 9: "22122", 10: "22222",
}  # fmt: skip
"""By rank, how many pips there are in each of five rows."""
_FEW: Final = {7: "232", 8: "323", 9: "333", 10: "343"}
"""The same in three rows, where these aren't the first, third and last of five."""


class HandOfCards:
    """The cards to draw, and how each of them is marked.

    `options`, `pointed`, the cards that a later field may ask for (`later`), and the one that the answer has
    to contain (`held`) go by a card's number.
    """

    def __init__(
        self,
        cards: Sequence[CardFace],
        options: Mapping[int, Option],
        pointed: int | None,
        glyphs: Glyphs,
        later: Collection[int] = (),
        held: int | None = None,
    ) -> None:
        self.cards, self.options, self.pointed, self.glyphs = cards, options, pointed, glyphs
        self.later, self.held = later, held

    def draw(
        self, cells: int, rows: int, largest: int = LARGE, *, stack: bool = False, most: int = 0
    ) -> Block:  # fmt: skip
        """Draw the cards in the largest form that fits, up to cards of this width; a stack is lapped.

        With `most` each card is where it is among this many, if some form has room for them.
        """
        here = len(self.cards)
        for count in dict.fromkeys((max(most, here), here)) if here else ():
            if (block := self._boxed(count, cells, rows, largest, stack=stack)) is not None:
                return block
        return flowing(self._flat(cells), cells, 2)

    def _boxed(self, count: int, cells: int, rows: int, largest: int, *, stack: bool) -> Block | None:
        """Draw the cards in the largest form in which `count` of them fit; None without one."""
        faces = [self._short(card) for card in self.cards]
        if all(faces):
            for wide, high in SIZES:
                if high > rows or wide > largest:
                    continue
                if not stack and count * (wide + 1) - 1 <= cells:
                    block = beside([self._box(card, wide, high) for card in self.cards], 1)
                    return fitted(block, count * (wide + 1) - 1, high)
                if (stack or wide != LARGE) and wide + (count - 1) * LEAST <= cells:
                    return self._lapped(wide, high, cells, count)
        elif rows >= 3 and (wide := min(TEXT, (cells + 1) // count - 1)) >= 9:
            block = beside([self._named(card, wide, rows) for card in self.cards], 1)
            return fitted(block, count * (wide + 1) - 1, block.height)
        return None

    def cut(self, cells: int, rows: int) -> Block:
        """Draw the cards in their smallest form; the last place says how many have no room."""
        return counted_out(self._flat(cells), cells, rows, "+{}".format, 2)

    def _short(self, card: CardFace) -> str:
        """Rank and suit; "?" for a hidden card; "" for one that has only a name."""
        return f"{card.corner}{card.sign}" if card.corner or card.sign else "" if card.text else "?"

    # -- one card ---------------------------------------------------------------------------------

    def _edge(self, card: CardFace) -> tuple[BoxSigns, str]:
        option, glyphs = self.options.get(card.card), self.glyphs
        if card.card == self.pointed:
            return glyphs.heavy, "choice"
        if card.counted:
            return glyphs.heavy, "hot"
        if card.card == self.held or (option is not None and option.order):
            return glyphs.double, "taken"
        if option is not None and not option.can:
            return glyphs.dotted, "dim"
        if card.new:
            return glyphs.double, "hot"
        return glyphs.round, "choice" if option is not None or card.card in self.later else "edge"

    def _box(self, card: CardFace, wide: int, high: int, *, whole: bool = True) -> Block:
        """Draw a card; one that isn't `whole` has nothing at its foot's right, where another lies."""
        box, edge = self._edge(card)
        option, role = self.options.get(card.card), card.colour or "face"
        corner = self._short(card) if card.text else ""
        if option is not None and not option.can:
            role = "dim"
        inner = wide - 2
        if high == 3:
            top: Line = ((box.top(inner), edge),)
            middle = [(((box.side, edge), *padded(((corner, role),), inner), (box.side, edge)))]
            if not card.text:
                middle = [((box.side, edge), (self.glyphs.back * inner, "back"), (box.side, edge))]
            bottom = self._foot(box, edge, inner, option, ("", ""))
        else:
            size = cell_len(corner)
            top = ((box.left_top, edge), (corner, role), (box.across * (inner - size) + box.right_top, edge))
            middle = [
                ((box.side, edge), (row, role if card.text else "back"), (box.side, edge))
                for row in self._middle(card, inner, high - 2, whole=whole)
            ]
            below = (card.sign + card.corner if size == 2 else corner) if whole else ""
            bottom = self._foot(box, edge, inner, option, (below, role))
        block = Block((top, *middle, bottom))
        return Block(block.lines, self._spot(card, wide, high))

    def _foot(self, box: BoxSigns, edge: str, inner: int, option: Option | None, corner: Run) -> Line:
        number = "" if option is None else str(option.number)
        if option is not None and option.order:
            number += self.glyphs.on
        gap = inner - cell_len(number) - cell_len(corner[0])
        if gap < 0:
            corner, gap = ("", ""), inner - cell_len(number)
        mark = "cursor" if edge == "choice" and box is self.glyphs.heavy else "key"
        return (
            (box.left_low, edge), (number, mark), (box.across * gap, edge), corner, (box.right_low, edge),
        )  # fmt: skip

    def _middle(self, card: CardFace, inner: int, rows: int, *, whole: bool) -> list[str]:
        if not card.text:
            return [self.glyphs.back * inner] * rows
        if card.title or card.tag:
            return _written(card, inner, rows)
        if self.glyphs.suits and (drawn := picture(card.corner, card.sign, inner, rows)):
            return drawn
        counts = self._pips(card, rows)
        if counts is None:
            large = digits(card.corner, inner, rows) if self.glyphs.suits and rows > 5 else []
            if large:
                above = (rows - len(large)) // 2
                large = [*[""] * above, *large, *[""] * (rows - above - len(large))]
                return [f"{one:^{inner}}" for one in large]
            drawn = [""] * rows
            drawn[rows // 2 - (rows > 3)], drawn[-1 if rows == 3 else rows // 2 + 1] = card.corner, card.sign
            return [f"{one:^{inner}}" for one in drawn]
        if rows > 5:
            return self._spread(card, counts, inner, rows, large=whole and self.glyphs.suits)
        one, two = card.sign, card.sign * 2
        pips = {"-": "", "1": one, "2": f"{one} {one}", "3": f"{one} {one} {one}", "4": f"{two} {two}"}
        return [f"{pips[count]:^{inner}}" for count in counts]

    def _pips(self, card: CardFace, rows: int) -> str | None:
        number = int(card.corner) if card.corner.isdecimal() else 1 if card.corner == "A" else 0
        counts = _PIPS.get(number) if card.sign else None
        return _FEW.get(number, counts[::2]) if counts and rows < 5 else counts

    @staticmethod
    def _spread(card: CardFace, counts: str, inner: int, rows: int, *, large: bool) -> list[str]:
        at = inner // 4
        columns = {
            "-": (),
            "1": (inner // 2,),
            "2": (at, inner - 1 - at),
            "3": (at, inner // 2, inner - 1 - at),
        }
        drawn = [[" "] * inner for _ in range(rows)]
        pip = pip_of(card.sign) if large and inner >= LARGE_PIPS else (card.sign,)
        pip = pip if rows >= 5 * len(pip) else (card.sign,)
        for row, count in enumerate(counts):
            for x in columns[count]:
                for y, signs in enumerate(pip, row * (rows - len(pip)) // 4):
                    left = x - len(signs) // 2
                    drawn[y][left : left + len(signs)] = signs
        return ["".join(line) for line in drawn]

    def _named(self, card: CardFace, wide: int, high: int) -> Block:
        box, edge = self._edge(card)
        option, inner = self.options.get(card.card), wide - 2
        role = "dim" if option is not None and not option.can else card.colour or "face"
        rows = wrapped(card.text, role, inner) if card.text else [((self.glyphs.back * inner, "back"),)]
        high = min(high, max(3, len(rows) + 2))
        middle = [
            ((box.side, edge), *padded(row, inner), (box.side, edge))
            for row in (rows + [()] * high)[: high - 2]
        ]
        bottom = self._foot(box, edge, inner, option, ("", ""))
        return Block((((box.top(inner), edge),), *middle, bottom), self._spot(card, wide, high))

    def _spot(self, card: CardFace, wide: int, high: int) -> tuple[Hotspot, ...]:
        option = self.options.get(card.card)
        if option is not None:
            return (Hotspot(0, 0, wide, high, ("choice", option.number - 1)),)
        return (Hotspot(0, 0, wide, high, ("hold", card.card)),) if card.card in self.later else ()

    # -- several ----------------------------------------------------------------------------------

    def _lapped(self, wide: int, high: int, cells: int, count: int) -> Block:
        """Draw overlapping cards with room for `count` of them; the last and the pointed one are whole."""
        each, last = max(LEAST, (cells - wide) // max(1, count - 1)), len(self.cards) - 1
        whole = [card.card == self.pointed or at == last for at, card in enumerate(self.cards)]
        over = sum(wide - each for at, one in enumerate(whole) if one and at < last)
        if each * (count - 1) + wide + over > cells:
            each = max(3, (cells - wide - over) // max(1, count - 1))
        parts = []
        for at, card in enumerate(self.cards):
            block = self._box(card, wide, high, whole=whole[at])
            if not whole[at]:
                lines = tuple(part_of(row, 0, each) for row in block.lines)
                spots = tuple(Hotspot(0, 0, each, high, spot.thing) for spot in block.spots)
                block = Block(lines, spots)
            parts.append(block)
        block = beside(parts, 0)
        return fitted(block, max(block.width, each * (count - 1) + wide), high)

    def _flat(self, cells: int) -> list[Block]:
        blocks: list[Block] = []
        for card in self.cards:
            option = self.options.get(card.card)
            text = self._short(card) or card.text
            if not card.text:
                text = self.glyphs.back * 2
            number: Line = () if option is None else ((f"{option.number} ", "key"),)
            here = card.card == self.pointed or card.counted
            role = "cursor" if here else "dim" if option and not option.can else card.colour
            taken: Line = ((self.glyphs.on, "taken"),) if option is not None and option.order else ()
            block = Block((clipped((*number, (text, role or "face"), *taken), cells),))
            blocks.append(Block(block.lines, self._spot(card, block.width, 1)))
        return blocks


def _written(card: CardFace, inner: int, rows: int) -> list[str]:
    """A card with a title in its middle and a tag at its foot, as far as there is room for them.

    A title with a word that is too long is left out: the corners say which card it is.
    """
    tag = ["".join(text for text, _ in clipped(((card.tag, ""),), inner))] if card.tag else []
    fits = max(map(cell_len, card.title.split()), default=0) <= inner
    lines = wrapped(card.title, "", inner)[: max(0, rows - len(tag))] if card.title and fits else []
    titles = ["".join(text for text, _ in one) for one in lines]
    above = (rows - len(tag) - len(titles)) // 2
    below = rows - len(tag) - len(titles) - above
    written = [*[""] * above, *titles, *[""] * below, *tag]
    return [
        " " * ((inner - cell_len(one)) // 2) + one + " " * ((inner - cell_len(one) + 1) // 2)
        for one in written
    ]


def backs(count: int, glyphs: Glyphs) -> Line:
    """Hidden cards as a few signs and their number."""
    return ((glyphs.back * min(count, 3), "back"), (str(count), "number"))
