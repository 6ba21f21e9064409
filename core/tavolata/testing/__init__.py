"""The kit for authors: what to run over a game before it is published. See docs/testing-games.md.

`rehearse` plays a match whose cards, dice and answers are written down; `check_game` runs the
battery over a game. Nothing here needs pytest; everything raises AssertionError and its kind.
"""

from __future__ import annotations

from tavolata.testing.cases import Case, cases
from tavolata.testing.errors import CheckFailed, ScriptError
from tavolata.testing.meddler import Meddler
from tavolata.testing.rehearsal import Rehearsal, rehearse
from tavolata.testing.script import answers, does, goes_on, refuses, says, time_is_up

__all__ = [
    "Case",
    "CheckFailed",
    "Meddler",
    "Rehearsal",
    "ScriptError",
    "answers",
    "cases",
    "does",
    "goes_on",
    "refuses",
    "rehearse",
    "says",
    "time_is_up",
]
