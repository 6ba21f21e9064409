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


def in_turn(side: Side, race: int) -> Side:
    """The side, beginning with the seat that writes in this race; mates take turns from race 1 on."""
    first = (race - 1) % len(side)
    return side[first:] + side[:first]
