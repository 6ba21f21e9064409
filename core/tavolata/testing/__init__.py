"""The test kit for authors of games: run it before a game is published. See docs/testing-games.md.

`rehearse` plays a match whose cards, dice and answers are written down; `check_game` runs the
battery over a game. Nothing here needs pytest; everything raises AssertionError and its kind.
"""

from __future__ import annotations

from tavolata.testing import checks as checks
from tavolata.testing.battery import Report as Report
from tavolata.testing.battery import Result as Result
from tavolata.testing.battery import check_game as check_game
from tavolata.testing.cases import USUAL_BOTS as USUAL_BOTS
from tavolata.testing.cases import Case as Case
from tavolata.testing.cases import CheckFailed as CheckFailed
from tavolata.testing.cases import Meddler as Meddler
from tavolata.testing.cases import ScriptError as ScriptError
from tavolata.testing.cases import cases as cases
from tavolata.testing.checks import Check as Check
from tavolata.testing.playthrough import PlaythroughDiffers as PlaythroughDiffers
from tavolata.testing.playthrough import record_playthrough as record_playthrough
from tavolata.testing.playthrough import replay_playthrough as replay_playthrough
from tavolata.testing.playthrough import replay_text as replay_text
from tavolata.testing.rehearsal import Rehearsal as Rehearsal
from tavolata.testing.rehearsal import rehearse as rehearse
from tavolata.testing.remarks import Remark as Remark
from tavolata.testing.script import answers as answers
from tavolata.testing.script import does as does
from tavolata.testing.script import goes_on as goes_on
from tavolata.testing.script import race as race
from tavolata.testing.script import reacts as reacts
from tavolata.testing.script import refuses as refuses
from tavolata.testing.script import says as says
from tavolata.testing.script import time_is_up as time_is_up
