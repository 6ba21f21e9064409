"""The report of `tt review`: the verdicts of a thinker as chapters of text, or as data. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import sqrt
from statistics import median
from typing import Any, NamedTuple

from tavolata._cli.failures import Say
from tavolata._engine.match.search import ENOUGH, Weighed
from tavolata._engine.review.hindsight import Verdict
from tavolata._lab.blocks import Block, Chapter, Curves, Paragraph
from tavolata.messages import N_

TITLE = N_("A look back at a match of {game}")
LOOKED = N_(
    "A thinker reviewed {n} decisions, seeing only what the player saw at the time. Worlds per "
    "decision: {tries}."
)
NOT_ALL = N_("Stopped after {n} of {all} decisions; the curve ends there.")
FEW = N_(
    "That's not enough to judge by. Allow more time, e.g. `--think 5 --within 600`, or review fewer "
    "decisions with `--seat`."
)
LATE = N_("Time ran out after {n} of {all} decisions. For more, raise `--within`.")
CURVE = N_("Chance of winning from turn {first} to turn {last}, in %")
MISSED = N_("{name}: missed chances")
NOTHING = N_("No other answer was clearly better.")
MISS = N_("Turn {turn}: {played} ({after}%). Better: {best} ({before}%), {loss} percentage points lost.")
BY_POINTS = N_("Turn {turn}: {played}. Better: {best}, for more points or a better place ({before}%).")
TURNED = N_("{name}: turning points")
STEADY = N_("No clear change of {n} percentage points or more between these decisions.")
CHANGE = N_("Turns {turn} to {to}: from {before}% to {after}%, due to the other players or luck.")
SAME_TURN = N_("Turn {turn}: from {before}% to {after}%, due to the other players or luck.")
AT_END = N_("Turn {turn} to the end: from {before}% to {after}%, due to the other players or luck.")
ALL_OF_THEM = N_("{name}: turn by turn")
PLAYED = N_("Turn {turn}: {played} ({chance}).")
PLAYED_MISSED = N_("! Turn {turn}: {played} ({chance}), {loss} percentage points lost.")
NOT_TRIED = N_("not tried")
SIGNS = 4
"""So many seats are drawn in one plot."""
MOST = 5
"""The most losses, and changes of chance, that are told."""
GREAT = 0.15
"""A change of chance of this size is told, if it is sure."""
SURE = 2.0
"""It is where it is so many standard errors."""


class Looked(NamedTuple):
    """A verdict; `said` has, by number, what was played and the best answers in words.

    `gap`: its seat has decided something without a verdict since the one before.
    """

    verdict: Verdict
    said: Mapping[int, str]
    gap: bool = False


class Change(NamedTuple):
    """A change of chance between the turns of two decisions of a seat; `to` is None for the match's end."""

    turn: int
    to: int | None
    before: float
    after: float


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _by_seat(looked: Sequence[Looked]) -> dict[int, list[Looked]]:
    found: dict[int, list[Looked]] = {}
    for one in looked:
        found.setdefault(one.verdict.decision.seat, []).append(one)
    return dict(sorted(found.items()))


def _losses(looked: Sequence[Looked]) -> list[Looked]:
    """Return what was missed, the greatest loss first."""
    missed = [one for one in looked if one.verdict.missed]
    return sorted(missed, key=lambda one: one.verdict.rank, reverse=True)


def changes(looked: Sequence[Looked], last: float | None) -> list[Change]:
    """Return the changes of chance that a seat didn't make itself, if great and sure, the greatest first.

    `last` is what came of it for this seat, from 0 to 1; None if that is not known.
    """
    found = []

    def note(one: Looked, to: int | None, before: float, after: float, *spreads: float) -> None:
        if abs(after - before) >= max(GREAT, SURE * sqrt(sum(spreads))):
            found.append(Change(one.verdict.decision.turn, to, before, after))

    for one, other in pairwise(looked):
        first, then = one.verdict, other.verdict
        if first.played is not None and not other.gap:
            spreads = _spread(first.played), _spread(then.best[0])
            note(one, then.decision.turn, first.after, then.before, *spreads)
    if looked and last is not None and (played := looked[-1].verdict.played) is not None:
        note(looked[-1], None, looked[-1].verdict.after, last, _spread(played))
    return sorted(found, key=lambda one: -abs(one.after - one.before))[:MOST]


def _spread(weighed: Weighed) -> float:
    """Return the square of the standard error of a chance to win."""
    share = (weighed.wins * weighed.visits + 1) / (weighed.visits + 2)
    return share * (1 - share) / max(1, weighed.visits)


def curve(looked: Sequence[Looked], last: float | None, turns: range) -> list[float]:
    """Return the chance of a seat by turn, in percent: after its last decision until then.

    `last` is what came of it, added as the last point; None if that is not known.
    """
    by_turn = {one.verdict.decision.turn: one.verdict.after for one in looked}
    now, found = looked[0].verdict.before, []
    for turn in turns:
        now = by_turn.get(turn, now)
        found.append(100 * now)
    return found if last is None else [*found, 100 * last]


def enough(looked: Sequence[Looked]) -> bool:
    """Return True if there were enough worlds to say more than how many there were."""
    return median([one.verdict.best[0].visits for one in looked]) >= ENOUGH


def chapters(
    say: Say,
    looked: Sequence[Looked],
    names: Sequence[str],
    wins: Sequence[float] | None,
    every: int,
    *,
    cut: str,
) -> Iterator[Chapter]:
    """Yield the report on at least one decision, in order, of `every` one; `cut` is why it ends early.

    `wins` has, by seat, how much of a win the match was; None if that is not known.
    """
    seats, whole = _by_seat(looked), len(looked) == every
    tries = sum(sum(weighed.visits for weighed in one.verdict.best) for one in looked) / len(looked)
    blocks: list[Block] = [Paragraph(say(LOOKED, {"n": len(looked), "tries": f"{tries:.0f}"}))]
    if cut and not whole:
        blocks.append(Paragraph(say(cut, {"n": len(looked), "all": every})))
    ends = {seat: wins[seat] if wins is not None and whole else None for seat in seats}
    if not enough(looked):
        yield Chapter(", ".join(names[seat] for seat in seats), [*blocks, Paragraph(say(FEW))])
        return
    turns = [one.verdict.decision.turn for one in looked]
    span = range(min(turns), max(turns) + 1)
    lines = [(names[seat], curve(those, ends[seat], span)) for seat, those in seats.items()]
    heading = say(CURVE, {"first": span[0], "last": span[-1]})
    blocks += [Curves(heading, lines[at : at + SIGNS], (0.0, 100.0)) for at in range(0, len(lines), SIGNS)]
    yield Chapter(", ".join(names[seat] for seat in seats), blocks)
    for seat, those in seats.items():
        missed = [Paragraph(_missed(say, one)) for one in _losses(those)[:MOST]]
        yield Chapter(say(MISSED, {"name": names[seat]}), missed or [Paragraph(say(NOTHING))])
        turned = [Paragraph(_changed(say, one)) for one in changes(those, ends[seat])]
        steady = Paragraph(say(STEADY, {"n": _percent(GREAT)}))
        yield Chapter(say(TURNED, {"name": names[seat]}), turned or [steady])
        told = [Paragraph(line) for one in those for line in _told(say, one)]
        yield Chapter(say(ALL_OF_THEM, {"name": names[seat]}), told)


def _missed(say: Say, one: Looked) -> str:
    verdict = one.verdict
    said = {
        "turn": verdict.decision.turn, "played": one.said[verdict.decision.played],
        "best": one.said[verdict.best[0].number], "before": _percent(verdict.before),
        "after": _percent(verdict.after), "loss": _percent(verdict.loss),
    }  # fmt: skip
    return say(MISS if verdict.loss >= 0.005 else BY_POINTS, said)


def _changed(say: Say, one: Change) -> str:
    said = {**one._asdict(), "before": _percent(one.before), "after": _percent(one.after)}
    return say(AT_END if one.to is None else SAME_TURN if one.to == one.turn else CHANGE, said)


def _told(say: Say, one: Looked) -> Iterator[str]:
    verdict, decision = one.verdict, one.verdict.decision
    played = verdict.played
    said = {
        "turn": decision.turn, "played": one.said[decision.played], "loss": _percent(verdict.loss),
        "chance": say(NOT_TRIED) if played is None else f"{_percent(played.wins)}%",
    }  # fmt: skip
    yield say(PLAYED_MISSED if verdict.missed else PLAYED, said)
    for weighed in verdict.best[:3]:
        yield f"{_percent(weighed.wins):>7}% ({weighed.visits})  {one.said[weighed.number]}"


def _weighed_data(one: Looked, weighed: Weighed) -> dict[str, Any]:
    return {
        "number": weighed.number, "text": one.said[weighed.number], "tries": weighed.visits,
        "chance": round(weighed.wins, 4), "worth": round(weighed.worth / 1000, 4),
    }  # fmt: skip


def decision_data(one: Looked, names: Sequence[str]) -> dict[str, Any]:
    verdict, decision = one.verdict, one.verdict.decision
    unknown = {"number": decision.played, "text": one.said[decision.played], "tries": 0}
    played = verdict.played
    return {
        "seat": decision.seat, "name": names[decision.seat], "turn": decision.turn, "ask": decision.ask,
        "played": unknown if played is None else _weighed_data(one, played),
        "best": [_weighed_data(one, weighed) for weighed in verdict.best[:3]],
        "missed": verdict.missed, "loss": round(verdict.loss, 4),
    }  # fmt: skip


def data(
    looked: Sequence[Looked], names: Sequence[str], wins: Sequence[float] | None, *, decisions: int
) -> dict[str, Any]:
    """Return the review for programs: for each seat its losses, its changes of chance and its curve."""
    whole, seats = len(looked) == decisions, []
    for seat, those in _by_seat(looked).items():
        end = wins[seat] if wins is not None and whole else None
        turns = range(those[0].verdict.decision.turn, those[-1].verdict.decision.turn + 1)
        seats.append({
            "seat": seat, "name": names[seat],
            "missed": [one.verdict.decision.ask for one in _losses(those)],
            "turned": [
                {**one._asdict(), "before": round(one.before, 4), "after": round(one.after, 4)}
                for one in changes(those, end)
            ],
            "first_turn": turns[0], "curve": [round(one / 100, 4) for one in curve(those, end, turns)],
        })  # fmt: skip
    return {
        "decisions": decisions, "looked_at": len(looked), "enough": bool(looked) and enough(looked),
        "seats": seats,
    }  # fmt: skip
