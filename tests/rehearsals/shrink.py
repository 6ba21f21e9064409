"""Making a plan that breaks something smaller: delta debugging over plain data.

Each machine, person and link draws from its own stream, so what is left out changes nothing for the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from msgspec.structs import replace
from tests.rehearsals.family import Broken, Report, play
from tests.rehearsals.plan import GAMES, Face, Plan, Seat

T = TypeVar("T")


def same_fault(broken: Broken) -> str:
    """Return what evenings that break in one way have in common: the property, and an error's frames."""
    return f"{broken.name} {broken.seen.rpartition(' in ')[2]}" if " in " in broken.seen else broken.name


@dataclass
class Shrunk:
    """The smallest plan found, how it ended, and how many evenings that took."""

    plan: Plan
    report: Report
    evenings: int


def shrink(report: Report, most: int = 300, tell: Callable[[Plan], object] = lambda plan: None) -> Shrunk:
    """Return a smaller plan that breaks what this evening broke first; play at most so many evenings."""
    wanted = same_fault(report.broken[0])
    best, evenings, found = report, 0, True
    while found and evenings < most:
        found = False
        for plan in smaller(best.plan):
            evenings += 1
            tried = play(plan)
            if any(same_fault(one) == wanted for one in tried.broken):
                best, found = tried, True
                tell(plan)
                break
            if evenings >= most:
                break
    return Shrunk(best.plan, best, evenings)


def smaller(plan: Plan) -> Iterator[Plan]:
    """Yield plans with a little less in them, those with much less first."""
    for acts in _without_some(plan.acts):
        yield replace(plan, acts=acts)
    for index in reversed(range(1, len(plan.seats))):
        yield _without_machine(plan, index)
    for index, seat in enumerate(plan.seats):
        for less in _smaller_seats(seat):
            yield replace(plan, seats=(*plan.seats[:index], less, *plan.seats[index + 1 :]))
    if plan.bots:
        yield replace(plan, bots=())
        yield replace(plan, bots=plan.bots[1:])
    changes: tuple[dict[str, Any], ...] = (
        {"loss": 0.0}, {"repeat": 0.0}, {"damage": 0.0}, {"real": False}, {"teams": 0}, {"private": False},
        {"fixed": False}, {"dealer": "fair"}, {"away": ""}, {"nudged": "bot"}, {"idle": 30},
        {"stand_after": 30}, {"lie": None}, {"campaign": ""}, {"more": ()},
    )  # fmt: skip
    for usual in changes:
        ((name, value),) = usual.items()
        if getattr(plan, name) != value:
            yield replace(plan, **usual)
    short = dict(GAMES[plan.game][3]) if plan.game in GAMES else {}
    if plan.options != short:
        yield replace(plan, options=short)
    if plan.game != "zompa" and not plan.teams:
        yield replace(plan, game="zompa", campaign="", options=dict(GAMES["zompa"][3]))
    for index, act in enumerate(plan.acts):
        for at in (round(act.at / 2, 1), round(act.at, 1)):
            if at != act.at:
                yield replace(plan, acts=(*plan.acts[:index], replace(act, at=at), *plan.acts[index + 1 :]))
        if act.seconds and round(act.seconds) != act.seconds:
            rounded = replace(act, seconds=float(round(act.seconds)))
            yield replace(plan, acts=(*plan.acts[:index], rounded, *plan.acts[index + 1 :]))


def _without_some(things: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Yield a sequence without a half, a quarter, ... and each single one."""
    size = len(things)
    while size >= 1:
        for start in range(0, len(things), size):
            yield (*things[:start], *things[start + size :])
        size //= 2


def _without_machine(plan: Plan, gone: int) -> Plan:
    return replace(
        plan,
        seats=(*plan.seats[:gone], *plan.seats[gone + 1 :]),
        lie=None if plan.liar == gone else plan.lie,
        liar=0 if plan.liar == gone else plan.liar - (plan.liar > gone),
        acts=tuple(
            replace(act, who=act.who - (act.who > gone)) for act in plan.acts if act.who != gone
        ),
    )  # fmt: skip


def _smaller_seats(seat: Seat) -> Iterator[Seat]:
    if seat.phones:
        yield replace(seat, phones=seat.phones - 1)
    if seat.joins_at:
        yield replace(seat, joins_at=0.0)
    if seat.habits:
        yield replace(seat, habits={})
        if len(seat.habits) > 1:
            for habit in seat.habits:
                yield replace(seat, habits={one: often for one, often in seat.habits.items() if one != habit})
    if seat.face in (Face.PLAIN, Face.SCREEN) or seat.level is not None:
        yield replace(seat, face=Face.JSON, level=None)
    if seat.pace != (0.2, 2.0):
        yield replace(seat, pace=(0.2, 2.0))
