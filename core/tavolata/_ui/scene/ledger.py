"""The ledger of places: what was drawn somewhere once is drawn there until the match ends.

A rehearsal fills it, in the order in which zones appear there, and notes the largest extent of each. What
lies on the table first is its opening, which the layout of small screens follows. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len

from tavolata._ui.scene.scene import Draw, OpeningScene, Scene, SceneItem


@dataclass(frozen=True, slots=True)
class SlotOfZone:
    """The place of a zone, such as "board.0".

    Role and form (`draw`) are those in which it was seen first; `title` is for the time after it has gone.
    """

    slot: str
    role: str
    draw: Draw
    title: str


@dataclass(slots=True)
class Extent:
    """The largest extent of a zone so far: the cells of each column of a track, the parts of a row, the cards
    shown of a pile.
    """

    columns: dict[str, int] = field(default_factory=dict)
    slots: int = 0

    def note(self, item: SceneItem) -> None:
        for at, column in enumerate(item.columns):
            widest = max(cell_len(lane.columns[at]) for lane in item.lanes)
            self.columns[column] = max(widest, self.columns.get(column, 0))
        self.slots = max(self.slots, len(item.row), len(item.cards) if item.draw == "fan" else 0)


class Ledger:
    """The places of all zones of one match, and the things of its tracks.

    Attributes:
        places: by the id of the zone, in the order in which they were taken.
        things: the tokens of the tracks, in the order in which they were set up.
        extents: by the id of the zone.
        choices: the columns of tracks in which choices lie; message ids.
        declared: the game has said anything of how it is shown.
        opening: of the first scene; None before it.
        stamps: the game stamps its verdicts.
    """

    def __init__(self) -> None:
        self.places: dict[str, SlotOfZone] = {}
        self.things: dict[str, None] = {}
        self.extents: dict[str, Extent] = {}
        self.choices: dict[str, None] = {}
        self.declared = self.stamps = False
        self.opening: OpeningScene | None = None
        self._taken: dict[str, int] = {}

    def place(self, zone: str, role: str, draw: Draw, title: str) -> SlotOfZone:
        """Return the place of a zone; a new zone gets the next free place of its region."""
        kept = self.places.get(zone)
        if kept is None:
            region = role if role in ("hero", "aside", "fact", "yours") else "centre"
            number = self._taken.get(region, 0)
            self._taken[region] = number + 1
            kept = self.places[zone] = SlotOfZone(f"{region}.{number}", role, draw, title)
        return kept

    @property
    def hero(self) -> str:
        """The id of the zone with the largest place, or ""."""
        return next((zone for zone, kept in self.places.items() if kept.slot == "hero.0"), "")

    def has_hero(self) -> bool:
        return "hero" in self._taken

    def see(self, things: Iterable[str]) -> None:
        self.things |= dict.fromkeys(things)


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
