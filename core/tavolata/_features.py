"""A view as numbers, for programs that learn."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any
from zlib import crc32

from tavolata.view import View, written
from tavolata.zones import CardView

MOST = 1_000_000
"""The greatest number of a feature, and with a minus the least."""
SEATS = 32
"""The places at the beginning, which show the seat."""
Add = Callable[[str, int], None]


def features(view: View[Any], width: int, heard: Iterable[str] = ()) -> list[int]:
    """Return a view as numbers, by feature hashing: a thing in a zone is added at the place of its name.

    The first 32 places show the seat; `heard` are further names, added in their order. Two things may share a
    place; the wider, the less often (Weinberger and others, "Feature hashing for large scale multitask
    learning", ICML 2009).
    """
    row = [0] * width
    if view.seat is not None:
        row[int(view.seat) % SEATS] = 1

    def add(name: str, number: int) -> None:
        place = SEATS + crc32(name.encode()) % (width - SEATS)
        row[place] = max(-MOST, min(MOST, row[place] + number))

    for zone in view.zones().values():
        _add(zone.id, zone.shape(), add)
    for at, name in enumerate(heard):
        add(f"{at}/{name}", 1)
    return row


def _add(name: str, thing: Any, add: Add) -> None:
    if isinstance(thing, CardView):
        add(f"{name}/{'?' if thing.face is None else written(thing.face)}", 1)
    elif isinstance(thing, bool) or thing is None:
        add(name, int(bool(thing)))
    elif type(thing) is int:
        add(name, thing)
    elif isinstance(thing, Mapping):
        for key, part in thing.items():
            _add(f"{name}/{written(key)}", part, add)
    elif hasattr(thing, "_asdict"):
        for key, part in thing._asdict().items():
            _add(f"{name}/{key}", part, add)
    elif isinstance(thing, list | tuple):
        for at, part in enumerate(thing):
            _add(name if isinstance(part, CardView) else f"{name}/{at}", part, add)
    else:
        add(f"{name}={written(thing)}", 1)
