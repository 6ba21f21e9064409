"""Lists for people: columns that fit the terminal, and moments such as "today 19:02". Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any

from tavolata._ui.wrapping import bound, freed
from tavolata.messages import N_, NN_

GAP = "  "
NARROWEST = 12
"""The least width to which a column is wrapped."""


def in_columns(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """Return the rows as lines; the first row may be headings, and `width` None wraps nothing."""
    from rich.cells import cell_len, set_cell_size

    room = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    while width is not None and sum(room) + len(GAP) * (len(room) - 1) > width:
        widest = max(range(len(room)), key=lambda at: room[at])
        if room[widest] <= NARROWEST:
            break
        room[widest] -= 1  # two wide columns share what is missing
    lines = []
    for row in rows:
        wrapped = [
            [freed(part) for part in textwrap.wrap(bound(cell), max(1, size))]
            for cell, size in zip(row, room, strict=True)
        ]
        for parts in zip_longest(*wrapped, fillvalue=""):
            sized = (set_cell_size(part, size) for part, size in zip(parts, room, strict=True))
            lines.append(GAP.join(sized).rstrip())
    return lines


Said = tuple[str, Mapping[str, Any]]
"""A message with its parameters."""
NOW = N_("just now")
MINUTES = NN_("{n} minute ago", "{n} minutes ago")
HOURS = NN_("{n} hour ago", "{n} hours ago")
DAYS = NN_("{n} day ago", "{n} days ago")
TODAY = N_("today {time}")
YESTERDAY = N_("yesterday {time}")
DAY = N_("{day} {time}")
FORGOTTEN = timedelta(days=60)
"""After this, a date says more than the number of days."""


def ago(then: datetime, now: datetime) -> Said:
    """Return how long ago something was; a long time ago is a date."""
    past = now - then
    minutes = int(past.total_seconds() // 60)
    if minutes < 1:
        return NOW, {}
    if minutes < 60:
        return MINUTES, {"n": minutes}
    if past < timedelta(days=1):
        return HOURS, {"n": minutes // 60}
    return (DAYS, {"n": past.days}) if past < FORGOTTEN else ("{day}", {"day": then.date().isoformat()})


def day_and_time(then: datetime, now: datetime) -> Said:
    """Return the day and the time of something, with words for today and yesterday."""
    days = (now.date() - then.date()).days
    said = {"day": then.date().isoformat(), "time": then.strftime("%H:%M")}
    return {0: TODAY, 1: YESTERDAY}.get(days, DAY), said
