"""The six colours: each is a lane of the track, the horse that runs there, and a stable."""

from __future__ import annotations

from enum import Enum

from tavolata import N_


class Colour(Enum):
    """A colour with the letter that no other has in the same language; lanes from left to right."""

    BLACK = N_("black (K)")
    BLUE = N_("blue (B)")
    GREEN = N_("green (G)")
    RED = N_("red (R)")
    YELLOW = N_("yellow (Y)")
    WHITE = N_("white (W)")

    __hash__ = object.__hash__  # they are keys all the time, and the usual way calls Python twice for each


LANES = tuple(Colour)
"""All six; a lane's number is its place in here."""

TOKENS = {colour: str(colour.value) for colour in LANES}
"""What the horses are called on the track."""

STABLES = {
    Colour.BLACK: "Die Swarz Mond",
    Colour.BLUE: "The Blue Blood",
    Colour.GREEN: "La Gloire Vert",
    Colour.RED: "El Fragor Rojo",
    Colour.YELLOW: "L'Ardor Giallo",
    Colour.WHITE: "Virtus Alba",
}
"""What the stables are called."""
