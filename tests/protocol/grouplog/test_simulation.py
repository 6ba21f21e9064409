"""Random schedules: nothing diverges, nothing is lost or repeated, and peace brings everybody together.

`TAVOLATA_SEEDS=2000` runs as many seeds instead of the usual ones (tox runs 480 on one Python);
`docs/testing-protocol.md` says more.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest
from tests.protocol.grouplog.schedules import crowded_schedule, random_schedule

SEEDS = int(os.environ.get("TAVOLATA_SEEDS", "240"))
BLOCK = 40


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.battery) for first in range(BLOCK, SEEDS, BLOCK))]
)
def test_no_schedule_breaks_agreement(first: int) -> None:
    """2 to 7 peers, loss up to 30 %, cuts, kills: safe always, converged 35 s after healing."""
    for seed in range(first, min(first + BLOCK, SEEDS)):
        try:
            random_schedule(seed)
        except AssertionError as violation:
            raise AssertionError(f"seed {seed}: {violation}") from violation


@pytest.mark.parametrize(
    "first", [0, *(pytest.param(first, marks=pytest.mark.battery) for first in range(BLOCK, SEEDS, BLOCK))]
)
def test_people_who_come_and_go_break_no_agreement(first: int) -> None:
    """Promotions, leaves, removals, births, hand-overs and restarts amid every fault: safe always."""
    faults: Counter[str] = Counter()
    for seed in range(first, min(first + BLOCK, SEEDS)):
        try:
            faults += crowded_schedule(seed).faults
        except AssertionError as violation:
            raise AssertionError(f"seed {seed}: {violation}") from violation
    assert len(faults) > 12  # most kinds of faults happened
    assert faults["not together in the end"] <= BLOCK // 20
