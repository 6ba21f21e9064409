"""The mutants themselves: each still applies, and evenings notice some of them at once."""

from __future__ import annotations

import msgspec
import pytest
from tests.mutation import compiles
from tests.rehearsals.changes import CHANGES, CROSSINGS, ENCOUNTERS, Change
from tests.rehearsals.mutants import probed, run
from tests.rehearsals.test_rehearsals import KEPT, Kept


@pytest.mark.parametrize(
    "change", [*CHANGES, *(change for change, _ in ENCOUNTERS)], ids=lambda change: change.name
)
def test_each_mutant_still_applies(change: Change) -> None:
    """Its text stands there once, and what it makes of the file is a program."""
    source = change.source()
    assert compiles(change.made(source).apply(source))
    compile(probed(source, [change]), change.path, "exec")


def test_there_are_five_mutants_of_each_crossing() -> None:
    assert [sum(change.crossing == one for change in CHANGES) for one in CROSSINGS] == [5] * 6


@pytest.mark.battery
@pytest.mark.parametrize(
    ("mutant", "name"),
    [("verify-without-phones", "verify-without-phones"), ("words-count-lots", "moved-coins")],
)
def test_a_kept_plan_fails_without_its_mend(mutant: str, name: str) -> None:
    """With the mend taken back, the plan breaks something within ten seconds of CPU time."""
    file = KEPT / f"{name}.json"
    plan = msgspec.json.decode(file.read_bytes(), type=Kept).plan
    (line,) = run(f"play_plan({mutant!r}, {plan.packed()!r})")
    assert line.broken
    assert line.cpu < 10


@pytest.mark.battery
@pytest.mark.parametrize("mutant", [change.name for change, _ in ENCOUNTERS])
def test_an_encounter_fails_with_its_mutant(mutant: str) -> None:
    """The scripted evening that guards a line fails without it."""
    (line,) = run(f"play_test({mutant!r})")
    assert line.broken, line.seen
