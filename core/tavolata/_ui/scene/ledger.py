"""The ledger of places: what was drawn somewhere once is drawn there until the match ends.

It is filled in the order in which zones appear, so a replay fills it in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tavolata._ui.scene.scene import Draw, OpeningScene


@dataclass(frozen=True, slots=True)
class SlotOfZone:
    """The place of a zone, such as "board.0".

    Role and form (`draw`) are those in which it was seen first; `title` is for the time after it has gone.
    """

    slot: str
    role: str
    draw: Draw
    title: str


class Ledger:
    """The places of all zones of one match, and the things of its tracks.

    Attributes:
        places: by the id of the zone, in the order in which they were taken.
        things: the tokens of the tracks, in the order in which they were set up.
        declared: the game has said anything of how it is shown.
        opening: of the first scene; None before it.
    """

    def __init__(self) -> None:
        self.places: dict[str, SlotOfZone] = {}
        self.things: dict[str, None] = {}
        self.declared = False
        self.opening: OpeningScene | None = None
        self._taken: dict[str, int] = {}

    def place(self, zone: str, role: str, draw: Draw, title: str) -> SlotOfZone:
        """The place of a zone; a zone that is new gets the next free place of its region."""
        kept = self.places.get(zone)
        if kept is None:
            region = role if role in ("hero", "aside", "fact", "yours") else "centre"
            number = self._taken.get(region, 0)
            self._taken[region] = number + 1
            kept = self.places[zone] = SlotOfZone(f"{region}.{number}", role, draw, title)
        return kept

    def has_hero(self) -> bool:
        return "hero" in self._taken

    def see(self, things: Iterable[str]) -> None:
        self.things |= dict.fromkeys(things)
