"""The opening of a match: what lies on the table first, which the layout of small screens follows. Pure."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len

from tavolata._ui.scene.scene import OpeningScene, Scene, SceneItem

LANES: Final = (36, 40)
"""The cells of lanes with their names: one for each of two dozen squares, and with what lies beside them."""
LINED: Final = 4
"""The cells of a column of a grid from which lines are between the columns."""
GRID: Final = 5
"""The least rows of a grid that is higher."""


def opening_of(scene: Scene) -> OpeningScene:
    hero = next((item for item in scene.board if item.slot == "hero.0"), None)
    rows, least, cells = (0, 0, (0, 0)) if hero is None else _needs(hero)
    held = [value for panel in scene.panels for value in panel.more]
    others = [value for panel in scene.panels if panel.seat != scene.seat for value in panel.more]
    return OpeningScene(
        rows, least, cells, len(scene.panels), 1 + any(value.draw != "cards" for value in others),
        any(item is not hero for item in scene.board), bool(scene.yours or held),
    )  # fmt: skip


def _needs(hero: SceneItem) -> tuple[int, int, tuple[int, int]]:
    """Return the rows of a track or a grid, the least rows, and the cells."""
    if hero.draw == "lanes":
        return len(hero.lanes) + 1 + bool(hero.marks), len(hero.lanes) + 1, LANES
    if hero.draw != "grid":
        return 0, 0, (0, 0)
    down, across = hero.labels
    columns = max(map(len, hero.cells), default=0)
    widest = max((cell_len(cell.short) for row in hero.cells for cell in row), default=0)
    each = max(widest, len(str(len(hero.cells) * columns)), *map(cell_len, across), 1) + 1
    side = max(map(cell_len, down), default=-1) + 1
    cells = side + columns * each, side + columns * max(each, LINED) + 1
    return len(hero.cells) + bool(across), min(len(hero.cells), GRID), cells
