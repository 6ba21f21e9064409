"""Random schedules: nothing diverges, nothing is lost or repeated, and peace brings everybody together.

Each commit tries 120 seeds of its own, and the nightly run 480 that stay the same and 2,000 new ones:
`docs/testing.md` says more.
"""

from __future__ import annotations

import os
from collections import Counter
from itertools import count

import pytest
from tests.commit import NUMBER
from tests.protocol.grouplog.schedules import crowded_schedule, random_schedule

SEEDS = range(NUMBER, NUMBER + int(os.environ.get("TAVOLATA_SEEDS", "120")))
BLOCK = 40
FIRST, *OTHERS = [SEEDS[at : at + BLOCK] for at in range(0, len(SEEDS), BLOCK)]
BLOCKS = [FIRST, *(pytest.param(seeds, marks=pytest.mark.battery) for seeds in OTHERS)]


def again(seeds: range, flags: str = "") -> str:
    """The command that runs these schedules again, for a failure to end with."""
    return f"again: python -m tests.protocol.grouplog.schedules {seeds.start} {seeds.stop}{flags}"


@pytest.mark.parametrize("seeds", BLOCKS, ids=map(str, count()))
def test_no_schedule_breaks_agreement(seeds: range) -> None:
    """2 to 7 peers, loss up to 30 %, cuts, kills: safe always, converged 35 s after healing."""
    for seed in seeds:
        try:
            random_schedule(seed)
        except AssertionError as violation:
            raise AssertionError(f"{violation}; {again(range(seed, seed + 1))}") from violation


@pytest.mark.parametrize("seeds", BLOCKS, ids=map(str, count()))
def test_people_who_come_and_go_break_no_agreement(seeds: range) -> None:
    """Promotions, leaves, removals, births, hand-overs and restarts amid every fault: safe always."""
    faults: Counter[str] = Counter()
    for seed in seeds:
        try:
            faults += crowded_schedule(seed).faults
        except AssertionError as violation:
            raise AssertionError(f"{violation}; {again(range(seed, seed + 1), ' --crowded')}") from violation
    assert len(faults) > 12 or len(seeds) < BLOCK, again(seeds, " --crowded")  # most kinds of faults happened
    assert faults["not together in the end"] <= BLOCK // 20, again(seeds, " --crowded")
