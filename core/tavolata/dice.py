"""Dice with numbers or any other faces; `Table.roll` throws them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from tavolata.errors import PieceError

F = TypeVar("F")


@dataclass(frozen=True, slots=True)
class Die(Generic[F]):
    """A die with equally likely faces; a face listed twice is twice as likely.

    Attributes:
        faces: one to 1000 values of plain data.
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
