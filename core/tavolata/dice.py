"""Dice with numbers or any other faces; `Table.roll` throws them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from tavolata.errors import GameError, PieceError

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Die(Generic[F]):
    """A die with equally likely faces; a face listed twice is twice as likely.

    Attributes:
        faces: one to 1000 values of plain data; any other number raises `PieceError`.
    """

    faces: tuple[F, ...]

    @staticmethod
    def of(sides: int) -> Die[int]:
        """Return a die with the numbers 1 to `sides`."""
        return Die(tuple(range(1, sides + 1)))

    def __post_init__(self) -> None:
        if not 1 <= len(self.faces) <= 1000:
            raise PieceError(f"A die has 1 to 1000 faces, not {len(self.faces)}.")


D6 = Die.of(6)
"""The common die."""


def check_dice(dice: Iterable[object]) -> None:
    """Check that these are dice.

    Raises:
        GameError: something else is thrown; the sentence says what to write.
    """
    for die in dice:
        if not isinstance(die, Die):
            raise GameError(
                f"`t.roll` throws dice, as in `t.roll(D6, D6)`, and {die!r:.40} isn't one. For a list of "
                "dice, write `t.roll(*dice)`; for a number from 0 to n - 1, `t.randrange(n)`."
            )
