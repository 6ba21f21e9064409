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

    __hash__ = object.__hash__  # colours are keys all the time; Enum's own hash calls Python twice

    @property
    def stable(self) -> Stable:
        return Stable[self.name]


class Stable(Enum):
    """A stable in a sentence: in many languages its colour is another word there than the horse's."""

    BLACK = N_("the black stable (K)")
    BLUE = N_("the blue stable (B)")
    GREEN = N_("the green stable (G)")
    RED = N_("the red stable (R)")
    YELLOW = N_("the yellow stable (Y)")
    WHITE = N_("the white stable (W)")

    @property
    def colour(self) -> Colour:
        return Colour[self.name]


LANES = tuple(Colour)
"""All six. A lane's number is its place in this list."""

TOKENS = {colour: str(colour.value) for colour in LANES}
"""The names of the horses on the track."""

STABLES = {
    Colour.BLACK: "Die Swarz Mond",
    Colour.BLUE: "The Blue Blood",
    Colour.GREEN: "La Gloire Vert",
    Colour.RED: "El Fragor Rojo",
    Colour.YELLOW: "L'Ardor Giallo",
    Colour.WHITE: "Virtus Alba",
}
"""The names of the stables."""
