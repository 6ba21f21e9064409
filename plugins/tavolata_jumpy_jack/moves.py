"""Moves of horses: the rules of a throw as pure functions, for the match and for bots that think ahead.

A horse is a number here: its place in `HORSES`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from tavolata import Track
from tavolata_jumpy_jack.board import HORSES, PLACES, PODIUM, Course, Fate

FREE = -1
"""The value of a free square of the podium."""


@dataclass(frozen=True, slots=True)
class Standing:
    """The places of the horses.

    `at` is `Track.OFF` for those on the podium; `podium` has the first one first, `FREE` where none is.
    """

    at: tuple[int, ...] = (0,) * len(HORSES)
    podium: tuple[int, ...] = (FREE,) * PODIUM

    @property
    def racing(self) -> list[int]:
        return [horse for horse, square in enumerate(self.at) if square != Track.OFF]

    @property
    def over(self) -> bool:
        """Return True if the first three squares of the podium are filled, and so the race is over (12)."""
        return FREE not in self.podium[:PLACES]

    def to_podium(self, horse: int, place: int) -> Standing:
        at, podium = list(self.at), list(self.podium)
        at[horse], podium[place] = Track.OFF, horse
        return Standing(tuple(at), tuple(podium))

    def free(self) -> list[int]:
        """Return the free squares of the podium, from 0, the first first."""
        return [place for place, horse in enumerate(self.podium) if horse == FREE]


def steps(course: Course, standing: Standing, horse: int, throw: int) -> int:
    """Return the number of squares that this throw moves this horse: twice the throw from DOUBLE (6)."""
    return 2 * throw if standing.at[horse] == course.double else throw


def barrier(course: Course, standing: Standing, horse: int, throw: int) -> int | None:
    """Return the square of the first barrier on a horse's way or at its end (2); None if the way is free.

    The horse's own square is not on its way (3), and the start isn't a square (1).
    """
    start = standing.at[horse]
    end = start + steps(course, standing, horse, throw)
    for square in range(start + 1, min(end, course.squares) + 1):
        if is_barrier(course, standing, square):
            return square
    return None


def is_barrier(course: Course, standing: Standing, square: int) -> bool:
    """Return True if the square is blocked: two horses are on it, or one on STOP (4)."""
    horses = standing.at.count(square)
    return horses > 1 or (horses == 1 and square == course.stop)


def movable(course: Course, standing: Standing, throw: int) -> list[int]:
    """Return the horses that this throw can move; the leading horse is always one of them."""
    return [horse for horse in standing.racing if barrier(course, standing, horse, throw) is None]


def moved(course: Course, standing: Standing, horse: int, throw: int) -> Standing:
    end = standing.at[horse] + steps(course, standing, horse, throw)
    match course.fate(end):
        case Fate.FINISH:  # the lowest free square (10)
            after = standing.to_podium(horse, standing.free()[0])
        case Fate.OUT:  # the highest free square (11)
            after = standing.to_podium(horse, standing.free()[-1])
        case fate:
            square = 0 if fate is Fate.RESTART else end  # (8)
            after = replace(standing, at=(*standing.at[:horse], square, *standing.at[horse + 1 :]))
    if not after.over and len(after.racing) == 1:  # the last one's place is certain (12)
        after = after.to_podium(after.racing[0], after.free()[0])
    return after
