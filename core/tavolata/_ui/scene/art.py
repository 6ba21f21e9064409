"""The bitmaps of courts, suits and digits: two pixels a cell, by half-blocks, in one colour. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

FRENCH: Final = {
    "K": ("█▄ █ ▄█|▀▀▀▀▀▀▀|  ▀ ▀  | ██▄██ | ▄▀█▀▄ ", "█▄█▄█| ▀ ▀ |▀███▀"),
    "Q": (" ▄ █ ▄ |▄█▀▀▀█▄|█ ▀ ▀ █|█▀ ▀ ▀█|▄█████▄", " ▄█▄ |█▀ ▀█|█▄▄▄█"),
    "J": (" ▄████▄|██▀▀▀▀▀|█ ▀ ▀  |▀  ▀   |▄█████▄", "▄███▀|█ ▀  |▄███▄"),
}
"""By rank, its pictures, the largest first; `|` ends a row."""
ITALIAN: Final = {
    "R": FRENCH["K"],
    "C": ("  █▄▄█▄    |▄██▄████▄  |▀▀  ▀█████▄|   ▄███████|  ▄████████", " █▄█ |█▄██▄| ▄███"),
    "F": ("▄███▄  |██▀▀▀  |█ ▀ ▀  |  ▄▄▄  |▄█████▄", FRENCH["J"][1]),
}
SUITS: Final = {
    "C": ("█▀▀▀▀▀█|▀█████▀|  ▀█▀  | ▄███▄ ", "█▀▀▀█| ▀█▀ | ▄█▄ "),
    "D": (" ▄▀▀▀▄ |█ ▄█▄ █|█ ▀█▀ █| ▀▄▄▄▀ ", "▄▀▀▀▄|█ █ █|▀▄▄▄▀"),
    "B": ("▄███▄  |▀███▄█ |  ██▀  | ▄█▀   ", "▄██  | ██▀ |  ██ "),
    "S": ("   █   |   █   | ▄▄█▄▄ |  ▄█▄  ", "  █  |  █  | ▀█▀ "),
}
"""By the sign of an Italian suit; they are on its ace."""
PIPS: Final = {
    "♣": ("▄▄█▄▄", "▀ █ ▀"), "♦": (" ▄█▄ ", " ▀█▀ "), "♥": ("▄█▄█▄", " ▀█▀ "), "♠": (" ▄█▄ ", "▀▀█▀▀"),
}  # fmt: skip
"""By the sign of a French suit, its pip on a large card."""
_DIGITS: Final = dict(zip("0123456789A", (
    "█▀█|█ █|▀▀▀", "▀█ | █ |▀▀▀", "▀▀█|█▀▀|▀▀▀", "▀▀█|▀▀█|▀▀▀", "█ █|▀▀█|  ▀", "█▀▀|▀▀█|▀▀▀",
    "█▀▀|█▀█|▀▀▀", "▀▀█|  █|  ▀", "█▀█|█▀█|▀▀▀", "█▀█|▀▀█|▀▀▀", "▄▀▄|█▀█|▀ ▀",
), strict=True))  # fmt: skip


def digits(text: str, cells: int, rows: int) -> list[str]:
    """Return digits in the largest form that has room, in exactly three, six or twelve rows; or []."""
    if not text or not set(text) <= _DIGITS.keys():
        return []
    parts = [_DIGITS[sign].split("|") for sign in text]
    drawn = [" ".join(part[row] for part in parts) for row in range(3)]
    twice = [*_doubled(drawn)]
    forms = ([*_doubled(twice)], twice, drawn)
    return next((one for one in forms if len(one) <= rows and len(one[0]) <= cells), [])


def pip_of(sign: str) -> tuple[str, ...]:
    """Return the rows of the pip of a suit on a large card; of another sign, the sign."""
    return PIPS.get(sign) or tuple(SUITS[sign][-1].split("|") if sign in SUITS else (sign,))


def _doubled(drawn: Iterable[str]) -> Iterator[str]:
    """Yield the rows of a picture at twice its size."""
    for row in drawn:
        for half in ("▀█", "▄█"):
            yield "".join(("█" if sign in half else " ") * 2 for sign in row)


def picture(corner: str, sign: str, cells: int, rows: int) -> list[str]:
    """Return the largest picture of a card that has room, in exactly these cells and rows; [] without one."""
    found: tuple[str, ...] = ()
    if sign in SUITS:
        found = SUITS[sign] if corner == "A" else ITALIAN.get(corner, ())
    elif not sign or sign in "♣♦♥♠":
        found = FRENCH.get(corner, ())
    pictures = [one.split("|") for one in found]
    for drawn in [[*_doubled(pictures[0])], *pictures] if pictures else []:
        if len(drawn) <= rows and len(drawn[0]) <= cells:
            above = (rows - len(drawn)) // 2
            below = rows - len(drawn) - above
            return [f"{row:^{cells}}" for row in [*[""] * above, *drawn, *[""] * below]]
    return []
