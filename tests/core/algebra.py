"""The group in which tests of whole matches compute: integers, or libsodium's points.

To multiply points took four fifths of these tests' time, and what they show doesn't depend on the group:
every proof is made and checked in either. So four files of five compute with integers, by the commit's
number, and all of them compute with points in their turn. With `TAVOLATA_POINTS=1`, as at night, all do;
with 0 none does. What a group has to promise is tested in `tests/protocol/fair`, always with points.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.commit import NUMBER, is_due
from tests.rehearsals.cheap import cheap_group, forget

ALWAYS = (
    "test_doctored.py", "test_hindsight.py", "test_sealing.py", "test_second_opinion.py", "test_undone.py"
)  # fmt: skip
"""These expect one order of a deck, open boxes, or hand files to a verifier in another language."""
POINTS = os.environ.get("TAVOLATA_POINTS")


def with_points(path: Path, commit: int = NUMBER) -> bool:
    """Return True if it's the turn of a file of tests to compute with points."""
    if path.name in ALWAYS:
        return True
    return bool(int(POINTS)) if POINTS else is_due(path, 5, commit)


@pytest.fixture(scope="module", autouse=True)
def computed(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compute with integers where it isn't this file's turn to compute with points."""
    if with_points(request.path):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        cheap_group(patch)
        yield
    forget("tavolata_protocol")
