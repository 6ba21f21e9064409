"""The cartelle of Tombola: three rows of nine places with five numbers each, a column for every ten."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from enum import Enum
from itertools import combinations
from math import comb
from typing import Final

from tavolata import N_

NUMBERS: Final = 90
COLUMNS: Final = 9
PER_ROW: Final = 5
ROWS: Final = tuple(combinations(range(COLUMNS), PER_ROW))
PLACES: Final = len(ROWS) ** 3
SERIALS: Final = 1 << 62
"""The lots that make a cartella: one for the places of its numbers, one for the numbers."""

TABELLONE: Final = tuple(tuple(range(ten + 1, ten + 11)) for ten in range(0, NUMBERS, 10))
"""The caller's board: all numbers, in rows of ten."""

Cartella = tuple[tuple[int, ...], ...]
"""Three rows of nine numbers, 0 for an empty place."""


class Prize(Enum):
    """The prizes, in the order in which they are called."""

    AMBO = N_("ambo")
    TERNO = N_("terno")
    QUATERNA = N_("quaterna")
    CINQUINA = N_("cinquina")
    TOMBOLA = N_("tombola")
    TOMBOLINO = N_("tombolino")


NEEDED: Final = {Prize.AMBO: 2, Prize.TERNO: 3, Prize.QUATERNA: 4, Prize.CINQUINA: 5}
"""The numbers of one row that a prize needs; the others need all of a cartella."""


def column(number: int) -> range:
    """Return the numbers of a column: 1 to 9, 10 to 19, and at last 80 to 90."""
    return range(max(1, 10 * number), 10 * number + 10 + (number == COLUMNS - 1))


def cartella(places: int, serial: int) -> Cartella:
    """Return the cartella of two lots; no column is empty, and numbers rise downward."""
    places, first = divmod(places, len(ROWS))
    places, second = divmod(places, len(ROWS))
    bare = [one for one in range(COLUMNS) if one not in ROWS[first] + ROWS[second]]
    fits = [row for row in ROWS if all(one in row for one in bare)]
    chosen = (ROWS[first], ROWS[second], fits[places % len(fits)])
    rows = [[0] * COLUMNS for _ in range(3)]
    for at in range(COLUMNS):
        where = [row for row, taken in enumerate(chosen) if at in taken]
        ways = list(combinations(column(at), len(where)))
        serial, which = divmod(serial, len(ways))
        for row, number in zip(where, ways[which], strict=True):
            rows[row][at] = number
    return tuple(map(tuple, rows))


def numbers(row: Sequence[int]) -> list[int]:
    return [number for number in row if number]


def missing(one: Cartella, drawn: Collection[int], prize: Prize) -> int:
    """Return how many numbers a cartella still lacks for a prize."""
    lacks = [sum(number not in drawn for number in numbers(row)) for row in one]
    needed = NEEDED.get(prize)
    return sum(lacks) if needed is None else max(0, needed - PER_ROW + min(lacks))


def odds(drawn: int) -> float:
    """Return the odds that one cartella is full once this many numbers are drawn."""
    full = 3 * PER_ROW
    return comb(NUMBERS - full, drawn - full) / comb(NUMBERS, drawn) if drawn >= full else 0.0


def marked(cartelle: Sequence[Cartella], drawn: Collection[int]) -> tuple[str, ...]:
    """Return the rows of cartelle in words: their numbers, with a star if they are drawn."""
    rows = (numbers(row) for one in cartelle for row in one)
    return tuple(" ".join(f"{number}{'*' * (number in drawn)}" for number in row) for row in rows)
