"""The document about the agreed log says what the code does."""

from __future__ import annotations

from pathlib import Path

from tests.protocol.drawn import arrows

from tavolata_protocol import grouplog
from tavolata_protocol.grouplog.roles import NOT_LEADING, TRANSITIONS, State, Trigger

PAGE = Path(__file__).parents[3] / "docs" / "agreed-log.md"


def test_the_state_diagram_shows_every_transition() -> None:
    """Read back, the arrows of the diagram are the table, but for contradictions."""
    states, triggers = {one.value: one for one in State}, {one.value: one for one in Trigger}
    shown = {
        (one, triggers[trigger]): states[after]
        for (source, after), happened in arrows().items()
        for one in (NOT_LEADING if source == "not leading" else [states[source]])
        for trigger in happened
    }
    assert shown == {key: after for key, after in TRANSITIONS.items() if key[1] is not Trigger.CONTRADICTION}


def test_every_module_is_documented() -> None:
    """Each module of the package stands in the table of modules, and no other."""
    modules = {path.name for path in Path(grouplog.__file__).parent.glob("*.py")} - {"__init__.py"}
    section = PAGE.read_text(encoding="utf-8").partition("## Modules")[2]
    named = {part for part in section.split("`") if part.endswith(".py")}
    assert named == modules


def test_every_state_can_be_reached_and_left() -> None:
    """No state of the table is unreachable, and only the last two are final."""
    reached = set(TRANSITIONS.values()) | {State.OUTSIDE}
    assert reached == set(State)
    left = {state for (state, trigger) in TRANSITIONS if trigger is not Trigger.CONTRADICTION}
    assert set(State) - left == {State.LEFT, State.HALTED}
