"""Who may say what in a match."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    NUMBER,
    OPENED,
    SAY,
    TIMEOUT,
)
from tavolata._engine.table.permissions import may_say

PLAYER: dict[str, Any] = {"party": 2, "seats": [1], "coordinator": False, "host": False}
ONLOOKER: dict[str, Any] = {"party": None, "seats": [], "coordinator": False, "host": False}


@pytest.mark.parametrize(
    "entry", [[ANSWER, 1, 0, 3], [SAY, 1, "hello", None], [DEAL, 2, "", 1, b""], [OPENED, 0, b"", 1]]
)
def test_a_player_speaks_for_itself(entry: list[Any]) -> None:
    assert may_say(entry, **PLAYER)


@pytest.mark.parametrize(
    "entry",
    [[ANSWER, 0, 0, 3], [ANSWER, "1", 0, 3], [ANSWER, True, 0, 3], [ANSWER], [DEAL, 1, "", 1, b""],
     [TIMEOUT, 0], [NUMBER, 6, 4], ["1", 1, 0, 3], [[], 1, 0], []],
)  # fmt: skip
def test_a_player_says_nothing_for_another_for_the_clock_or_for_chance(entry: list[Any]) -> None:
    assert not may_say(entry, **PLAYER)


@pytest.mark.parametrize(
    "entry", [[DEAL, None, "", 1, b""], [ANSWER, None, 0, 3], [TIMEOUT, 0], [NUMBER, 6, 4]]
)
def test_an_onlooker_says_nothing(entry: list[Any]) -> None:
    assert not may_say(entry, **ONLOOKER)


def test_the_coordinator_says_that_time_is_up_and_the_host_what_chance_brought() -> None:
    assert may_say([TIMEOUT, 0], **{**PLAYER, "coordinator": True})
    assert may_say([NUMBER, 6, 4], **{**PLAYER, "host": True})


def test_only_who_deals_opens_something_without_its_nonce() -> None:
    """A narrator can't read what was sealed badly; nobody else puts aside what another has sealed."""
    assert not may_say([OPENED, 0, 1, b"", 1], **{**PLAYER, "coordinator": True})
    assert may_say([OPENED, 0, 1, b"", 1], **{**PLAYER, "host": True})
