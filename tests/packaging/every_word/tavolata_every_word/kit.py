"""Tests of the game by the kit: each word of `tavolata.testing` once, each with its type."""

from __future__ import annotations

from pathlib import Path
from typing import assert_type

from tavolata import Ask, Event, Outcome, View
from tavolata.bots import RandomBot
from tavolata.errors import FalseFact, TavolataError
from tavolata.testing import (
    USUAL_BOTS,
    Case,
    Check,
    CheckFailed,
    Meddler,
    PlaythroughDiffers,
    Rehearsal,
    Remark,
    Report,
    Result,
    ScriptError,
    answers,
    cases,
    check_game,
    checks,
    does,
    goes_on,
    race,
    reacts,
    record_playthrough,
    refuses,
    rehearse,
    replay_playthrough,
    replay_text,
    says,
    time_is_up,
)

from . import EveryWord

FAILURES: tuple[type[AssertionError], ...] = (CheckFailed, PlaythroughDiffers, ScriptError)
"""What the kit raises."""
ERRORS: tuple[type[TavolataError], ...] = (FalseFact,)


def rehearsed() -> Outcome | None:
    """A match by a script."""
    match: Rehearsal = rehearse(EveryWord, seats=2, answers=None, bots={0: RandomBot()})
    match.play(answers(0, 3), does(0, "wave", 1), says(1, "Hm.", to=0), refuses(False, "No."))
    match.play(race(reacts(1, 350), reacts(0, 420)), goes_on(2), time_is_up(1))
    match.play_turns(1)
    assert_type(match.open, list[Ask])
    assert_type(match.events, list[Event])
    assert_type(match.views(None), View)
    print(match.said(0, "it"), match.may(1), match.window, match.table.turn, match.game.waves)
    return match.outcome


def checked(folder: Path) -> list[Result]:
    """The battery, and a playthrough."""
    report: Report = check_game(EveryWord, bots=(*USUAL_BOTS, Meddler), matches=1)
    every: tuple[Check, ...] = tuple(checks.ALL)
    case: Case = next(cases(EveryWord, matches=1))
    (folder / "match.en.txt").write_text(record_playthrough(case), encoding="utf-8")
    replay_playthrough(EveryWord, folder / "match.en.txt")
    replay_text(EveryWord, record_playthrough(case))
    assert_type(report.remarks, list[Remark])
    report.expect()
    failed = [one.failure for one in report.results if not one.passed]
    return report.results if report.passed and every and not failed else []
