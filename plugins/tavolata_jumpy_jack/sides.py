"""Sides: single players, or teams that sit alternately (rulings 18, 19)."""

from __future__ import annotations

from tavolata import Ring, Seat

Side = tuple[Seat, ...]
"""The seats that write one prediction and share its points."""


def sides_of(ring: Ring, teams: int) -> tuple[Side, ...]:
    """The sides of a match: this number of teams of equal size, else each seat alone.

    Seats alternate by team: 0, 1, 0, 1.
    """
    number = teams if parts(ring, teams) else len(ring)
    return tuple(tuple(seat for seat in ring if seat % number == team) for team in range(number))


def parts(ring: Ring, teams: int) -> bool:
    """Whether these players can form this number of teams: at least two, each of at least two players."""
    return teams > 1 and len(ring) % teams == 0 and len(ring) // teams > 1


def led_by(side: Side, place: int) -> Side:
    """The side, beginning with the seat at this place; places go round."""
    first = place % len(side)
    return side[first:] + side[:first]
