"""The document about the agreed log says what the code does."""

from __future__ import annotations

from pathlib import Path

from tavolata_protocol import grouplog
from tavolata_protocol.grouplog.roles import TRANSITIONS, State, Trigger

PAGE = Path(__file__).parents[3] / "docs" / "agreed-log.md"


def states_table() -> str:
    """The table of states as Markdown; contradictions, which end everything, are left out."""
    rows = [
        f"| {state.value} | {trigger.value} | {after.value} |"
        for (state, trigger), after in sorted(TRANSITIONS.items(), key=lambda item: _place(*item[0]))
        if trigger is not Trigger.CONTRADICTION
    ]
    return "\n".join(["| state | what happened | state after |", "|---|---|---|", *rows])


def _place(state: State, trigger: Trigger) -> tuple[int, int]:
    return list(State).index(state), list(Trigger).index(trigger)


def test_the_documented_states_are_those_of_the_table() -> None:
    """Whoever changes a transition changes the document."""
    page = PAGE.read_text(encoding="utf-8")
    documented = page.partition("<!-- states -->")[2].partition("<!-- end of states -->")[0]
    assert documented.strip() == states_table()


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
