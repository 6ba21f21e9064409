"""The board: five horses, and courses of three lengths with four hedges."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_
from tavolata_jumpy_jack.options import Length


class Horse(Enum):
    """A horse: its colour, and a letter that no other horse has in the same language (ruling 20)."""

    YELLOW = N_("yellow (Y)")
    BLACK = N_("black (K)")
    RED = N_("red (R)")
    GREEN = N_("green (G)")
    BLUE = N_("blue (B)")


HORSES = tuple(Horse)
"""All five; a horse's number is its place in here."""

PLACES = 3
"""The number of the first squares of the podium, which predictions are about."""

PODIUM = 5
"""The number of all squares of the podium."""


class Fate(Enum):
    """What a square does to the horse that ends its move there (ruling 5)."""

    GRASS = "nothing"
    STOP = "alone it is a barrier"
    DOUBLE = "its next move is doubled"
    OUT = "it is out of the race"
    RESTART = "it goes back to the start"
    FINISH = "it has arrived"


@dataclass(frozen=True, slots=True)
class Course:
    """A board: the number of its squares, and the squares with hedges.

    The start is 0 and no square (ruling 1); the finish is everything beyond the last square.
    """

    squares: int
    stop: int
    double: int
    out: int
    restart: int

    def fate(self, square: int) -> Fate:
        if square > self.squares:  # 10: any overshoot will do
            return Fate.FINISH
        return self.hedges().get(square, Fate.GRASS)

    def hedges(self) -> dict[int, Fate]:
        return {
            self.stop: Fate.STOP,
            self.double: Fate.DOUBLE,
            self.out: Fate.OUT,
            self.restart: Fate.RESTART,
        }


COURSES = {
    Length.SHORT: Course(20, stop=4, double=8, out=12, restart=16),
    Length.STANDARD: Course(24, stop=5, double=10, out=15, restart=20),
    Length.LONG: Course(28, stop=6, double=11, out=17, restart=22),
}

MARKS = {
    Fate.STOP: N_("STOP"),
    Fate.DOUBLE: N_("DOUBLE"),
    Fate.OUT: N_("OUT"),
    Fate.RESTART: N_("RESTART"),
}
"""The names of the hedges."""
