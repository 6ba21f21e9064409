"""The outcome of a match: who won, points and places, statistics, awards, and the course of the match."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Self

from tavolata.errors import GameError
from tavolata.messages import Text
from tavolata.ring import Seat
from tavolata.table import Table


@dataclass(frozen=True, init=False)
class Award:
    """An award at the end of a match: `Award(N_("clean tab"), seat, why=N_("{n} hands, none lost"), n=6)`.

    Attributes:
        message: its name; a message id.
        seat: who gets it.
        why: the reason in a few words; a message id, or "".
        params: the values of the fields of both.
    """

    message: str
    seat: Seat
    why: str
    params: Mapping[str, Any]

    def __init__(self, message: str, seat: Seat, /, *, why: str = "", **params: Any) -> None:
        for name, value in (("message", message), ("seat", seat), ("why", why), ("params", params)):
            object.__setattr__(self, name, value)


@dataclass(frozen=True)
class Outcome:
    """How a match ended. It is checked when the rules return it: a bad one raises `GameError`.

    Its numbers are whole, and fit into 64 bits with their sign.

    Attributes:
        winners: the seats that won, in order of seat, of a team all or none; empty if nobody won.
        scores: the points by seat, if the game counts points.
        team_scores: the points of each team, in the order of `Table.teams`, if teams count points.
        ranks: the places by seat, if the game ranks everybody: 1 for the winners, and who ties shares one.
        statistics: by message id without fields, a number or None by seat; at most 24.
        awards: what else deserves a word; the table adds awards of its own. One with several holders is
            dropped.
        series: by message id without fields, rows of numbers by seat over time, at most 4 of at most 200
            rows: the course of the match, for a chart.
        why: the reason for the end, in a sentence.
        legacy: what the match leaves to the next of its campaign, an instance of the game's `legacy`; None
            leaves everything as it was.
    """

    winners: tuple[Seat, ...]
    _: KW_ONLY
    scores: tuple[int, ...] | None = None
    ranks: tuple[int, ...] | None = None
    team_scores: tuple[int, ...] | None = None
    statistics: Mapping[str, tuple[int | None, ...]] = field(default_factory=dict)
    awards: tuple[Award, ...] = ()
    series: Mapping[str, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    why: Text | None = None
    legacy: object | None = None

    @classmethod
    def by_score(cls, t: Table[Any], scores: Iterable[int], *, lowest: bool = False, **more: Any) -> Self:
        """Return the outcome in which the most points win, or the fewest; who ties shares a rank.

        In teams the sum of a team's points decides, and its seats share its rank.

        Args:
            t: the table.
            scores: the points by seat.
            lowest: whether the fewest points win.
            **more: the other attributes, such as `awards`.

        Raises:
            GameError: there is not one score for each seat.
        """
        points = tuple(scores)
        if len(points) != len(t.names):
            raise GameError(f"{len(points)} scores for {len(t.names)} seats.")
        sums = {team: sum(points[seat] for seat in team) for team in t.teams}
        order = sorted(sums.values(), reverse=not lowest)
        ranks = tuple(order.index(sums[t.team(Seat(seat))]) + 1 for seat in range(len(points)))
        winners = tuple(Seat(seat) for seat, rank in enumerate(ranks) if rank == 1)
        return cls(winners, scores=points, ranks=ranks, **more)

    @classmethod
    def by_team(cls, t: Table[Any], scores: Iterable[int], /, *, lowest: bool = False, **more: Any) -> Self:
        """Return the outcome in which the team with most points wins, or fewest; a tie shares a rank.

        Args:
            t: the table.
            scores: the points of each team, in the order of `t.teams`.
            lowest: whether the fewest points win.
            **more: the other attributes, such as `scores` of the seats, by default those of their team.

        Raises:
            GameError: there is not one score for each team.
        """
        points = tuple(scores)
        if len(points) != len(t.teams):
            raise GameError(f"{len(points)} scores for {len(t.teams)} teams.")
        order = sorted(points, reverse=not lowest)
        of = {seat: score for team, score in zip(t.teams, points, strict=True) for seat in team}
        by_seat = tuple(of[seat] for seat in sorted(of))
        ranks = tuple(order.index(score) + 1 for score in by_seat)
        winners = tuple(Seat(seat) for seat, rank in enumerate(ranks) if rank == 1)
        more.setdefault("scores", by_seat)
        return cls(winners, ranks=ranks, team_scores=points, **more)
