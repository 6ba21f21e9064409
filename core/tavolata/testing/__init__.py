"""The test kit for authors of games: run it before a game is published. See docs/testing-games.md.

`rehearse` plays a match whose cards, dice and answers are written down; `check_game` runs the
battery over a game. Nothing here needs pytest; everything raises AssertionError and its kind.
"""

from __future__ import annotations

from tavolata.testing import checks
from tavolata.testing.battery import Report, Result, check_game
from tavolata.testing.cases import USUAL_BOTS, Case, cases
from tavolata.testing.checks import Check
from tavolata.testing.errors import CheckFailed, ScriptError
from tavolata.testing.meddler import Meddler
from tavolata.testing.playthrough import (
    PlaythroughDiffers,
    record_playthrough,
    replay_playthrough,
    replay_text,
)
from tavolata.testing.rehearsal import Rehearsal, rehearse
from tavolata.testing.script import answers, does, goes_on, race, reacts, refuses, says, time_is_up

__all__ = [
    "USUAL_BOTS",
    "Case",
    "Check",
    "CheckFailed",
    "Meddler",
    "PlaythroughDiffers",
    "Rehearsal",
    "Report",
    "Result",
    "ScriptError",
    "answers",
    "cases",
    "check_game",
    "checks",
    "does",
    "goes_on",
    "race",
    "reacts",
    "record_playthrough",
    "refuses",
    "rehearse",
    "replay_playthrough",
    "replay_text",
    "says",
    "time_is_up",
]
