"""The battery of the kit over the table of Jumpy Jack that hides most: teams that guess."""

from __future__ import annotations

import pytest
from tests.commit import a_part

from tavolata.testing import checks
from tavolata_jumpy_jack.rules import JumpyJack

TEAMS = {"guess": True, "points": 2, "board": "short", "start": "throw"}


@pytest.mark.battery
@pytest.mark.parametrize("check", a_part(checks.ALL, 2), ids=repr)
def test_the_battery_is_content(check: checks.Check) -> None:
    """Resuming, secrecy of papers and guesses, interruptions, hash seeds: all hold at this table."""
    check(JumpyJack, matches=1, seats=4, teams=2, options=TEAMS)
