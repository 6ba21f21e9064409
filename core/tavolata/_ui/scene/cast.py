"""The cast of a match: the place, the form and the largest extent of everything, as a rehearsal showed it.

What was drawn somewhere once is drawn there until the match ends. A zone that no rehearsal had takes a spare
cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

from msgspec import Struct, field

Draw = Literal["backs", "coins", "fan", "grid", "hand", "lanes", "number", "row", "rows", "words"]
"""The forms of an item on a screen or a page."""
NAMED: Final = 12
"""The most cells of a name on a grid, in each of its lines."""


class CastPart(Struct):
    """The place of a zone, such as "centre.0", with its role and its form, and its largest extent.

    Attributes:
        title: for the time after it has gone.
        columns: the cells of each column of a track; by "" those of a cell of a grid, or the cards of a row.
        slots: the parts of a row, the cards shown of a pile, or the cells of the longest name on a grid.
        rows, least: the rows that it needs to be seen whole, and those from which it is of use.
        cells: the cells that it needs, and those with which it looks well.
        largest: by form, the zone as it was at its largest; for pages, which measure it.
        filled: how often it held something, of the `changes` of the cast.
    """

    slot: str
    role: str
    draw: Draw
    title: str
    columns: dict[str, int] = field(default_factory=dict)
    slots: int = 0
    rows: int = 0
    least: int = 0
    cells: tuple[int, int] = (0, 0)
    largest: dict[Draw, Any] = field(default_factory=dict)
    filled: int = 0


class Cast(Struct):
    """The parts of all zones of a single match, and the things of its tracks.

    Attributes:
        parts: by the id of the zone, in the order in which they took their places.
        things: the tokens of the tracks, in the order in which they were set up.
        choices: the columns of tracks in which choices lie; message ids.
        most: the most choices that lay on cells of grids.
        stamps: the game stamps its verdicts.
        seats, lines: how many panels there are, and the lines that one needs.
        own: something is before a seat.
        rehearsed: how many parts of the board a rehearsal had beside the hero; None without one.
        asks: the largest decision of each sort that the viewer was asked for.
        windows: what a page shows of one, by the number of the viewer's reactions.
        changes: how often something changed on the table.
        main, shown: the longest main number of a seat, and the most open cards before one.
    """

    parts: dict[str, CastPart] = field(default_factory=dict)
    things: dict[str, None] = field(default_factory=dict)
    choices: dict[str, None] = field(default_factory=dict)
    most: int = 0
    stamps: bool = False
    seats: int = 0
    lines: int = 1
    own: bool = False
    rehearsed: int | None = None
    asks: dict[str, Any] = field(default_factory=dict)
    windows: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    changes: int = 0
    main: str = ""
    shown: int = 0

    def place(self, zone: str, role: str, draw: Draw, title: str) -> CastPart:
        """Return the part of a zone; a new zone gets the next free place of its region."""
        kept = self.parts.get(zone)
        if kept is None:
            region = role if role in ("hero", "aside", "fact", "yours") else "centre"
            number = sum(part.slot.startswith(region) for part in self.parts.values())
            kept = self.parts[zone] = CastPart(f"{region}.{number}", role, draw, title)
        return kept

    @property
    def hero(self) -> str:
        """The id of the zone with the largest place, or ""."""
        return next((zone for zone, part in self.parts.items() if part.slot == "hero.0"), "")

    def is_own(self, zone: str) -> bool:
        """Return True if a zone is before the viewer, whoever's it is."""
        return zone in self.parts and self.parts[zone].role == "yours"

    def others(self) -> list[str]:
        """Return the ids of the zones of the board but for the hero."""
        beside = ("hero.0", "fact", "yours")
        return [zone for zone, part in self.parts.items() if not part.slot.startswith(beside)]
