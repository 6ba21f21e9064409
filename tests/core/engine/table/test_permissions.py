"""Who may say what in a match, and which entries are said to have been chosen by another machine."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.entries import (
    ANSWER,
    DEAL,
    INTERJECT,
    NUMBER,
    OPENED,
    QUIET,
    REACT,
    SAY,
    SEALED,
    TIMEOUT,
    MatchEntry,
)
from tavolata._engine.table.permissions import is_stood_in, may_say
from tavolata.reaction_times import GOES

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


KEYS = (b"ann", b"bob", b"bob")


@pytest.mark.parametrize(
    "entry", [(ANSWER, 1, 5, 0), (SEALED, 1, 5, b"box"), (INTERJECT, 1, "call", 0), (REACT, 1, 5, 0, 300)]
)
def test_what_another_chose_for_a_seat_is_stood_in(entry: MatchEntry) -> None:
    """Each kind of choice, if its author is not whose seat it is; nobody stands in in one process."""
    assert is_stood_in(entry, b"ann", KEYS)
    assert not is_stood_in(entry, b"bob", KEYS)
    assert not is_stood_in(entry, b"", ())


@pytest.mark.parametrize(
    "entry", [(OPENED, 1, 5, b"n", 0), (SAY, 1, (), ""), (DEAL, 1, b"", 1), (QUIET, 1, 5, 0, 3, 4)]
)
def test_what_is_no_choice_of_a_seat_is_not(entry: MatchEntry) -> None:
    """Opening a seal, talk and the dealing choose nothing for a seat."""
    assert not is_stood_in(entry, b"ann", KEYS)


def test_to_go_on_is_no_choice() -> None:
    """Who has no reaction in a window did nothing that has to be told."""
    assert not is_stood_in((REACT, 1, 5, GOES, 300), b"ann", KEYS)
