"""The drawing of numbers: the mark of a change, and the course of a number over the turns. Pure."""

from __future__ import annotations

from tavolata._ui.scene.scene import Panel
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.drawing.runs import Line
from tavolata._ui.tui.drawing.workshop import Workshop


def change(delta: int | None, glyphs: Glyphs) -> Line:
    if not delta:
        return ()
    sign, role = (glyphs.up, "up") if delta > 0 else (glyphs.down_by, "down")
    size = abs(delta)
    return ((f" {sign}{size if size < 1000 else f'{size // 1000}k'}", role),)


def chart(panel: Panel, cells: int, rows: int, shop: Workshop) -> list[Line]:
    """Draw the numbers after each turn as a surface; nothing before the third turn.

    Where the table is roomy, a turn is as wide as there's room, up to four cells.
    """
    numbers = panel.series[-cells:]
    if len(numbers) < 3 or rows < 1:
        return []
    signs = shop.glyphs.spark
    low, high = min(0, *numbers), max(numbers)
    steps = [1 + (number - low) * (rows * len(signs) - 1) // max(1, high - low) for number in numbers]
    each = max(1, min(4, cells // len(numbers))) if shop.roomy else 1
    lines: list[Line] = []
    for row in reversed(range(rows)):
        over = [step - row * len(signs) for step in steps]
        line = (
            (" " if one <= 0 else signs[one - 1] if one <= len(signs) else shop.glyphs.shade) * each
            for one in over
        )
        lines.append((("".join(line), f"hue{panel.hue}"),))
    return lines


def spark(numbers: tuple[int, ...], signs: str) -> str:
    low, high = min(numbers), max(numbers)
    step = max(1, high - low)
    return "".join(signs[(number - low) * (len(signs) - 1) // step] for number in numbers)
