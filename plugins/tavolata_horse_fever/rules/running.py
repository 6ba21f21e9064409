"""The run of the horses: movement cards, sprint dice and arrivals (rulings 1, 6 to 10).

Pure functions over lanes by number, for the match and for bots that think ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tavolata import OFF
from tavolata_horse_fever.cards.effects import Effects, Moment, changed, worth
from tavolata_horse_fever.tables import FINISH, HIGHEST

Squares = tuple[int, ...]
"""By lane, the square of its horse; `OFF` once it has arrived."""


def moved(
    squares: Squares, odds: Sequence[int], lanes: Sequence[Effects], steps: Sequence[int], *, start: bool
) -> Squares:
    """The squares after a movement card: each horse goes as far as its row says, if no card objects.

    Args:
        squares: where the horses are.
        odds: of the stables, by lane.
        lanes: what cards do, by lane.
        steps: of the movement card, for 1:2 to 1:7.
        start: whether it is the first card of the race.
    """
    racing = [square for square in squares if square != OFF]
    behind = min(racing, default=OFF)
    ahead = max(racing) if len(racing) == len(squares) else FINISH  # once one has arrived, nobody is first
    after = list(squares)
    for lane, square in enumerate(squares):
        if square == OFF:
            continue
        printed, effects = steps[odds[lane] - HIGHEST], lanes[lane]
        if not effects:
            after[lane] = square + printed
        else:
            moments = (Moment.START,) if start else moments_of(square, ahead, behind)
            after[lane] = finished(effects, square + stride(effects, moments, printed))
    return tuple(after)


def moments_of(square: int, ahead: int, behind: int) -> tuple[Moment, ...]:
    """Whether a horse is first, last, both or neither, before anybody moves (9)."""
    return (*([Moment.FIRST] if square == ahead else []), *([Moment.LAST] if square == behind else []))


def stride(effects: Effects, moments: Iterable[Moment], printed: int) -> int:
    """How far a movement card carries a horse; never back (6, 9)."""
    now = [effect for effect in effects if effect.when in moments]
    return max(0, changed(now, printed)) if now else printed


def finished(effects: Effects, square: int) -> int:
    """Where a horse ends whom a movement card carries here: beyond the finish cards may add or stop (8)."""
    return square if square < FINISH else FINISH + worth(effects, Moment.FINISH, square - FINISH)


def sprinted(squares: Squares, lanes: Sequence[Effects], dice: Iterable[int]) -> Squares:
    """The squares after the sprint dice: each horse that is shown sprints once, also over the line (7)."""
    after = list(squares)
    for lane in dict.fromkeys(dice):
        if squares[lane] != OFF:
            after[lane] += sprint(lanes[lane])
    return tuple(after)


def sprint(effects: Effects) -> int:
    """How long a sprint is (7)."""
    return max(0, worth(effects, Moment.SPRINT, 1)) if effects else 1


def arrived(squares: Squares, odds: Sequence[int], lanes: Sequence[Effects]) -> list[list[int]]:
    """Who has arrived in this round, the first first; those whom nothing parts stand together (10)."""

    def rank(lane: int) -> tuple[int, int, int]:
        return -squares[lane], -worth(lanes[lane], Moment.PHOTO, 0), odds[lane]

    groups: dict[tuple[int, int, int], list[int]] = {}
    for lane in sorted((lane for lane, square in enumerate(squares) if square >= FINISH), key=rank):
        groups.setdefault(rank(lane), []).append(lane)
    return list(groups.values())
