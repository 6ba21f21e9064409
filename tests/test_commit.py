"""Turns: which cases of batteries a commit runs."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.commit import a_part, resting

BATTERY, LATER = pytest.mark.battery, pytest.mark.long(parts=5)


def cases(request: pytest.FixtureRequest, name: str, *marks: pytest.MarkDecorator) -> list[pytest.Item]:
    """Seven cases of a test with these marks, and one without cases."""
    made: list[pytest.Item] = []
    for case in (*(f"{name}[{at}]" for at in range(7)), f"{name}_alone"):
        made.append(pytest.Function.from_parent(request.node.parent, name=case, callobj=lambda: None))
        for mark in marks:
            made[-1].add_marker(mark)
    return made


@pytest.mark.parametrize("commit", [0, 0x9AF3C1])
def test_each_case_of_a_battery_has_its_turn_once_in_three_commits(
    commit: int, request: pytest.FixtureRequest
) -> None:
    """Two or three of seven at a time; what is no battery, or a smaller part already, is always run."""
    games, others = cases(request, "games", BATTERY), cases(request, "others")
    parted = cases(request, "parted", BATTERY)
    for one in parted[1:7]:
        one.add_marker(LATER)
    runs = Counter[pytest.Item]()
    for turn in range(3):
        rest = resting([*games, *others, *parted], 3, commit + turn)
        runs.update({*games, *others, *parted} - rest)
        assert len({*games[:7]} - rest) in (2, 3)
    assert [runs[one] for one in games] == [1] * 8
    assert [runs[one] for one in others] == [3] * 8
    assert [runs[one] for one in parted[:7]] == [3] * 7
    assert runs[parted[7]] == 1


@pytest.mark.parametrize(("parts", "commits"), [(2, 12), (3, 12), (4, 12), (5, 10)])
def test_a_case_of_a_part_has_its_turn_as_seldom_as_others(
    parts: int, commits: int, request: pytest.FixtureRequest
) -> None:
    """Once in twelve commits, or in ten where each of five parts has two turns."""
    runs = Counter[str]()
    for commit in range(0x9AF3C1, 0x9AF3C1 + commits):
        games = cases(request, "games", BATTERY)[:7]
        for game, one in zip(games, a_part(range(7), parts, commit), strict=True):
            if not isinstance(one, int):
                game.add_marker(pytest.mark.long(parts=parts))
        rest = resting(games, 12, commit)
        runs.update(one.name for one in games if one not in rest and not one.get_closest_marker("long"))
    assert sorted(runs.values()) == [1] * 7


def test_without_turns_nothing_rests(request: pytest.FixtureRequest) -> None:
    """As the workflows run it, at every change and at night."""
    assert not resting(cases(request, "games", BATTERY), 1)
