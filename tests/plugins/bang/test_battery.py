"""The kit's battery over Bang, beyond what all bundled games go through: many hands in every window."""

from __future__ import annotations

import pytest

from tavolata.testing import checks
from tavolata.testing.checks.check import MATCHES
from tavolata_bang.rules import Bang

pytestmark = pytest.mark.battery


def test_interruptions_among_eight(monkeypatch: pytest.MonkeyPatch) -> None:
    """Eight hands claim, cheat, come late and go on in every window: what is refused changes nothing."""
    monkeypatch.setattr(checks.interruptions, "MOST_WAITS", 400)
    checks.interruption_fuzz(Bang, matches=1, seats=8, options={"preset": "full", "penalty": 3})


@pytest.mark.long
@pytest.mark.parametrize("check", checks.ALL, ids=repr)
def test_the_battery_at_full_rate(check: checks.Check) -> None:
    """Every check with as many matches as it is meant for, of all sizes of table and all house rules."""
    check(Bang, matches=check.of(MATCHES))
