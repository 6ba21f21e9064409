"""Rows of text in columns, which are wrapped between words at the width of a terminal. Pure."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from itertools import zip_longest

from tavolata._ui.wrapping import bound, freed

GAP = "  "
NARROWEST = 12
"""The least width to which a column is wrapped."""


def in_columns(rows: Sequence[Sequence[str]], width: int | None) -> list[str]:
    """The rows as lines.

    Args:
        rows: the cells of each row, the same number in each; the first row may be headings.
        width: the columns of the terminal; None wraps nothing.
    """
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
