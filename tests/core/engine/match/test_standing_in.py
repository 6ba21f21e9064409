"""Which entries are said to have been chosen by another machine."""

from __future__ import annotations

import pytest

from tavolata._engine.match.entries import ANSWER, DEAL, INTERJECT, OPENED, QUIET, REACT, SAY, SEALED, Entry
from tavolata._engine.match.standing_in import is_stood_in
from tavolata.reaction_times import GOES

KEYS = (b"ann", b"bob", b"bob")


@pytest.mark.parametrize(
    "entry", [(ANSWER, 1, 5, 0), (SEALED, 1, 5, b"box"), (INTERJECT, 1, "call", 0), (REACT, 1, 5, 0, 300)]
)
def test_what_another_chose_for_a_seat_is_stood_in(entry: Entry) -> None:
    """Each kind of choice, if its author is not whose seat it is; nobody stands in in one process."""
    assert is_stood_in(entry, b"ann", KEYS)
    assert not is_stood_in(entry, b"bob", KEYS)
    assert not is_stood_in(entry, b"", ())


@pytest.mark.parametrize(
    "entry", [(OPENED, 1, 5, b"n", 0), (SAY, 1, (), ""), (DEAL, 1, b"", 1), (QUIET, 1, 5, 0, 3, 4)]
)
def test_what_is_no_choice_of_a_seat_is_not(entry: Entry) -> None:
    """Opening a seal, talk and the dealing choose nothing for a seat."""
    assert not is_stood_in(entry, b"ann", KEYS)


def test_to_go_on_is_no_choice() -> None:
    """Who has no reaction in a window did nothing that has to be told."""
    assert not is_stood_in((REACT, 1, 5, GOES, 300), b"ann", KEYS)
