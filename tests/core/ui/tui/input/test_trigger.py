"""The trigger: which presses count, over all short patterns of presses and changes of meaning."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from tavolata._ui.tui.input.trigger import GRACE, TRAIN, KeyTrigger

TICK = 0.1
TICKS = 12
KEY = "answer"
CASES: dict[int, list[tuple[str | None, ...]]] = {
    0: [("a",), (None,)],
    1: [("a", "b"), ("a", None), (None, "a")],
    2: [("a", "b", "a"), ("a", "b", "c"), ("a", None, "a"), ("a", None, "b"), ("a", "b", None),
        (None, "a", None), (None, "a", "b")],
}  # fmt: skip
"""By the number of changes, what a key may mean one after the other; others differ in names alone."""


def patterns(step: int) -> Iterator[tuple[tuple[int, ...], tuple[str | None, ...], int]]:
    """The ticks at which a meaning begins, the meanings, and the ticks with a press as bits."""
    for changes, cases in CASES.items():
        for begins in combinations(range(1, TICKS), changes):
            for case in cases:
                for bits in range(0, 1 << TICKS, step):
                    yield (0, *begins), case, bits


def check(begins: tuple[int, ...], meanings: tuple[str | None, ...], bits: int) -> int:
    """Press at these ticks; a press that counts means what its train began on. Return how many counted."""
    trigger, counted, last, began = KeyTrigger(), 0, -TICKS, (-1, 0)
    showing = -1
    for tick in range(TICKS):
        if tick in begins:
            showing = begins.index(tick)
            meaning = meanings[showing]
            trigger.shows({} if meaning is None else {KEY: meaning}, tick * TICK)
        if not bits >> tick & 1:
            continue
        if (tick - last) * TICK >= TRAIN - TICK / 2:
            began = showing, tick
        last = tick
        if trigger.press(KEY, tick * TICK + tick * 1e-6):
            counted += 1
            always = meanings[showing] is None and showing == 0  # it has meant nothing from the beginning
            assert began[0] == showing
            assert always or (began[1] - begins[showing]) * TICK >= GRACE - TICK / 2
    return counted


@pytest.mark.battery
@pytest.mark.parametrize("step", [11, pytest.param(1, marks=pytest.mark.long)])
def test_stage_check_9_no_press_lands_on_a_showing_other_than_its_trains(step: int) -> None:
    """Of all patterns of presses with up to two changes none counts for another showing, or within 400 ms."""
    assert sum(check(*pattern) for pattern in patterns(step)) > 10_000


def test_a_held_key_stops_where_its_meaning_changes() -> None:
    """Repeated presses go on while the meaning is the same, and none of them answers what comes next."""
    trigger, counted = KeyTrigger(), []
    trigger.shows({KEY: "next"}, 0.0)
    for number in range(100):
        at = 1.0 + number * 0.03
        if number == 50:
            trigger.shows({KEY: "answer"}, at)
        counted.append(trigger.press(KEY, at))
    assert counted == [True] * 50 + [False] * 50
    assert trigger.press(KEY, 10.0)


def test_clicks_on_two_places_are_two_trains() -> None:
    """Who has clicked on what is gone may click on something else at once, as soon as that can be read."""
    trigger = KeyTrigger()
    trigger.shows({KEY: "old"}, 0.0)
    assert trigger.press(KEY, 1.0, place="here")
    trigger.shows({KEY: "new"}, 1.1)
    assert not trigger.press(KEY, 1.3, place="here")
    assert trigger.press(KEY, 1.6, place="there")
    assert not trigger.press(KEY, 1.65, place="here")


def test_the_key_of_an_open_window_has_no_delay() -> None:
    """It counts at once, and in the train of the card before; other keys don't."""
    trigger = KeyTrigger()
    trigger.shows({"b": 1, KEY: "lay"}, 0.0, at_once={"b"})
    assert trigger.press("b", 0.01)
    assert not trigger.press(KEY, 0.01)
    trigger.shows({}, 0.1)
    assert not trigger.press("b", 0.2)
    trigger.shows({"b": 2}, 0.3, at_once={"b"})
    assert trigger.press("b", 0.31)


def test_a_key_that_means_the_same_all_the_time_counts_at_once() -> None:
    """A key that the screen doesn't name is a command, and commands wait for nothing."""
    trigger = KeyTrigger()
    trigger.shows({KEY: "next"}, 0.0)
    assert [trigger.press("l", 0.01), trigger.press("l", 0.02)] == [True, True]
