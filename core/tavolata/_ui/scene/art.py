"""The bitmaps of courts and Italian suits: two pixels a cell, by half-blocks, in one colour. Pure."""

from __future__ import annotations

from typing import Final

FRENCH: Final = {
    "K": ("█▄ █ ▄█|▀▀▀▀▀▀▀|  ▀ ▀  | ██▄██ | ▄▀█▀▄ ", "█▄█▄█| ▀ ▀ |▀███▀"),
    "Q": (" ▄ █ ▄ |▄█▀▀▀█▄|█ ▀ ▀ █|█▀ ▀ ▀█|▄█████▄", " ▄█▄ |█▀ ▀█|█▄▄▄█"),
    "J": (" ▄████▄|██▀▀▀▀▀|█ ▀ ▀  |▀  ▀   |▄█████▄", "▄███▀|█ ▀  |▄███▄"),
}
"""By rank, its pictures, the largest first; `|` ends a row."""
ITALIAN: Final = {
    "R": FRENCH["K"],
    "H": ("  █▄▄█▄    |▄██▄████▄  |▀▀  ▀█████▄|   ▄███████|  ▄████████", " █▄█ |█▄██▄| ▄███"),
    "F": ("▄███▄  |██▀▀▀  |█ ▀ ▀  |  ▄▄▄  |▄█████▄", FRENCH["J"][1]),
}
SUITS: Final = {
    "C": ("█▀▀▀▀▀█|▀█████▀|  ▀█▀  | ▄███▄ ", "█▀▀▀█| ▀█▀ | ▄█▄ "),
    "D": (" ▄▀▀▀▄ |█ ▄█▄ █|█ ▀█▀ █| ▀▄▄▄▀ ", "▄▀▀▀▄|█ █ █|▀▄▄▄▀"),
    "B": ("▄███▄  |▀███▄█ |  ██▀  | ▄█▀   ", "▄██  | ██▀ |  ██ "),
    "S": ("   █   |   █   | ▄▄█▄▄ |  ▄█▄  ", "  █  |  █  | ▀█▀ "),
}
"""By the sign of an Italian suit; they are on its ace."""


def picture(corner: str, sign: str, cells: int, rows: int) -> list[str]:
    """Return the largest picture of a card that has room, in exactly these cells and rows; [] without one."""
    found: tuple[str, ...] = ()
    if sign in SUITS:
        found = SUITS[sign] if corner == "A" else ITALIAN.get(corner, ())
    elif not sign or sign in "♣♦♥♠":
        found = FRENCH.get(corner, ())
    for one in found:
        drawn = one.split("|")
        if len(drawn) <= rows and len(drawn[0]) <= cells:
            above = (rows - len(drawn)) // 2
            below = rows - len(drawn) - above
            return [f"{row:^{cells}}" for row in [*[""] * above, *drawn, *[""] * below]]
    return []
