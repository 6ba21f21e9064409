"""The run of the horses: movement cards, sprint dice and arrivals (rulings 1, 6 to 10).

Pure functions over lanes by number, for the match and for bots that think ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tavolata import Track
from tavolata_horse_fever.cards.effects import Effects, Moment, changed, worth
from tavolata_horse_fever.tables import FINISH, HIGHEST

Squares = tuple[int, ...]
"""By lane, the square of its horse; `Track.OFF` if it has arrived."""


def moved(
    squares: Squares, odds: Sequence[int], lanes: Sequence[Effects], steps: Sequence[int], *, start: bool
) -> Squares:
    """Return the squares after a movement card: each horse goes as far as its row says, or its cards.

    Odds and effects are by lane; `steps` are the squares of the card, for 1:2 to 1:7. `start`: it is the
    first card of the race.
    """
    racing = [square for square in squares if square != Track.OFF]
    behind = min(racing, default=Track.OFF)
    ahead = max(racing) if len(racing) == len(squares) else FINISH  # once one has arrived, nobody is first
    after = list(squares)
    for lane, square in enumerate(squares):
        if square == Track.OFF:
            continue
        printed, effects = steps[odds[lane] - HIGHEST], lanes[lane]
        if not effects:
            after[lane] = square + printed
        else:
            moments = (Moment.START,) if start else moments_of(square, ahead, behind)
            after[lane] = finished(effects, square + stride(effects, moments, printed))
    return tuple(after)


def moments_of(square: int, ahead: int, behind: int) -> tuple[Moment, ...]:
    """Return the moments of a horse that is first, last, both or neither before anyone moves (9)."""
    return (*([Moment.FIRST] if square == ahead else []), *([Moment.LAST] if square == behind else []))


def stride(effects: Effects, moments: Iterable[Moment], printed: int) -> int:
    """Return the squares that a movement card moves a horse; never back (6, 9)."""
    now = [effect for effect in effects if effect.when in moments]
    return max(0, changed(now, printed)) if now else printed


def finished(effects: Effects, square: int) -> int:
    """Return the square after a movement card moved a horse here: at the finish cards add or stop (8)."""
    return square if square < FINISH else FINISH + worth(effects, Moment.FINISH, square - FINISH)


def sprinted(squares: Squares, lanes: Sequence[Effects], dice: Iterable[int]) -> Squares:
    """Return the squares after the sprint dice: each horse on a die sprints once, also over the line (7)."""
    after = list(squares)
    for lane in dict.fromkeys(dice):
        if squares[lane] != Track.OFF:
            after[lane] += sprint(lanes[lane])
    return tuple(after)


def sprint(effects: Effects) -> int:
    """Return the squares of a sprint (7)."""
    return max(0, worth(effects, Moment.SPRINT, 1)) if effects else 1


def arrived(squares: Squares, odds: Sequence[int], lanes: Sequence[Effects]) -> list[list[int]]:
    """Return the horses that have arrived in this round, best first; equal ones are together (10)."""

    def rank(lane: int) -> tuple[int, int, int]:
        return -squares[lane], -worth(lanes[lane], Moment.PHOTO, 0), odds[lane]

    groups: dict[tuple[int, int, int], list[int]] = {}
    for lane in sorted((lane for lane, square in enumerate(squares) if square >= FINISH), key=rank):
        groups.setdefault(rank(lane), []).append(lane)
    return list(groups.values())
