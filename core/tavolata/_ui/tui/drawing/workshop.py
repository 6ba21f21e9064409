"""What drawing functions know: a pen for words alone, or the workshop of a frame; and drawn numbers. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tavolata._ui.scene.say import in_ascii
from tavolata._ui.scene.scene import Option, Panel, Scene
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.runs import Line, line
from tavolata._ui.words import Words
from tavolata.messages import N_, NN_
from tavolata.view import View

Cells = tuple[tuple[int, int], ...]
EMPTY = N_("empty")
CARDS = NN_("{n} card", "{n} cards")
MORE = N_("+ {n} more")
DICE = NN_("{n} die", "{n} dice")
YOURS = N_("yours")
NOTHING_YOURS = N_("nothing in front of you")


class Workshop:
    """The context of every drawing function of one frame.

    `is_charted` says that the board has the charts of all seats with their scale. `before` are
    lines of the board with what happened before the story. `panels` is by seat.
    """

    is_charted = False
    before: Sequence[Line] = ()

    def __init__(self, scene: Scene, glyphs: Glyphs, say: Callable[..., str]) -> None:
        self.scene, self.glyphs, self.say = scene, glyphs, say
        self.empty = say(EMPTY)
        self.yours = say(YOURS)
        self.nothing_yours = say(NOTHING_YOURS)
        self.panels: Mapping[int | None, Panel] = {panel.seat: panel for panel in scene.panels}
        decision = scene.decision
        self.options = options = decision.options
        self.pointed: Option | None = options[decision.pointed] if options else None
        self._cards: dict[str, dict[int, Option]] = {}
        self._places: dict[str, list[tuple[Cells, Option]]] = {}
        self.lanes: dict[tuple[str, str], list[Option]] = {}
        for option in options:
            at = option.at
            if at is not None and at.card is not None:
                self._cards.setdefault(at.zone, {})[at.card] = option
            elif at is not None and at.cells:
                self._places.setdefault(at.zone, []).append((at.cells, option))
            elif at is not None and at.thing:
                self.lanes.setdefault((at.zone, at.thing), []).append(option)

    def cards(self, count: int, *, dice: bool = False) -> str:
        return self.say(DICE if dice else CARDS, {"n": count})

    def more(self, count: int) -> str:
        return self.say(MORE, {"n": count})

    def on_cards(self, zone: str) -> Mapping[int, Option]:
        return self._cards.get(zone, {})

    def on_cells(self, zone: str) -> Mapping[tuple[int, int], Option]:
        return {cells[0]: option for cells, option in self._places.get(zone, ()) if len(cells) == 1}

    def on_columns(self, zone: str) -> list[tuple[Cells, Option]]:
        return [(cells, option) for cells, option in self._places.get(zone, ()) if len(cells) > 1]

    def role_on(self, option: Option) -> str:
        return "cursor" if option is self.pointed else "key" if option.can else "dim"

    def pointed_card(self, zone: str) -> int | None:
        at = None if self.pointed is None else self.pointed.at
        return at.card if at is not None and at.zone == zone else None

    def pointed_words(self) -> list[tuple[str, str]]:
        """Return what there is to know of the choice pointed at, each sentence with its role."""
        option = self.pointed
        if option is None:
            return []
        at = option.at
        shown = () if at is None or at.card is None else self.scene.yours
        words = [
            (card.text, "strong") for item in shown for card in item.cards if at and card.card == at.card
        ]
        words += [(option.more, "dim")] if option.more else []
        return [*words, (option.why, "dim")] if option.why else words


@dataclass(frozen=True, slots=True)
class Pen:
    """The drawing context for one viewer; without a match `view` is None. `room` is the width in cells."""

    words: Words
    view: View | None
    glyphs: Glyphs
    room: int

    def say(self, message: str, params: Any = None) -> str:
        """Return a message in words; in ASCII if only ASCII may be drawn."""
        return self.plainly(self.words.text(message, params, self.view))

    def name(self, value: Any) -> str:
        return self.plainly(self.words.describe(value, self.view))

    def plainly(self, text: str) -> str:
        """Return a text in the letters that may be drawn."""
        return text if self.glyphs.suits else in_ascii(text)

    def line(self, text: str, role: str = "") -> Line:
        return line(self.plainly(text), role)


def change(delta: int | None, glyphs: Glyphs) -> Line:
    if not delta:
        return ()
    sign, role = (glyphs.up, "up") if delta > 0 else (glyphs.down_by, "down")
    size = abs(delta)
    return ((f" {sign}{size if size < 10_000 else f'{size // 1000}k'}", role),)


def chart(panel: Panel, cells: int, rows: int, shop: Workshop) -> list[Line]:
    """Draw the numbers after each turn as a surface, on one scale for all seats, once one has changed.

    At the end a turn is as wide as there's room, up to four cells. Turns without room are left out at equal
    distances then, and from the oldest on before it.
    """
    low, high = scale_of(shop.scene.panels)
    end = shop.scene.end
    course = f" {end.course}" if end is not None and end.course != shop.scene.title else ""
    scale = "" if shop.is_charted else f"{course} {low}{shop.glyphs.ellipsis}{high}"
    numbers, cells = panel.series, cells - len(scale)
    if len(numbers) < 3 or rows < 1 or cells < 3 or all(len({*one.series}) < 2 for one in shop.scene.panels):
        return []
    if len(numbers) > cells and end is not None:
        numbers = tuple(numbers[at * (len(numbers) - 1) // (cells - 1)] for at in range(cells))
    numbers = numbers[-cells:]
    signs = shop.glyphs.spark
    steps = [1 + (number - low) * (rows * len(signs) - 1) // max(1, high - low) for number in numbers]
    each = max(1, min(4, cells // len(numbers))) if end is not None else 1
    lines: list[Line] = []
    for row in reversed(range(rows)):
        over = [step - row * len(signs) for step in steps]
        line = (
            (" " if one <= 0 else signs[one - 1] if one <= len(signs) else shop.glyphs.shade) * each
            for one in over
        )
        lines.append((("".join(line), f"hue{panel.hue}"),))
    lines[-1] = (*lines[-1], (scale, "dim")) if scale else lines[-1]
    return lines


def scale_of(panels: Sequence[Panel]) -> tuple[int, int]:
    """Return the least and the largest number of all charts, nought among them."""
    numbers = [0, *(number for panel in panels for number in panel.series)]
    return min(numbers), max(numbers)
