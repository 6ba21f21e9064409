"""The forms of the steps: what is none is refused before anybody acts on it."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.dealing.steps import CARDS, SHAPES, VOTE, Task, fits, meets
from tavolata._engine.match.entries import DEAL
from tavolata._engine.table.heads import HEAD_SIZE

HEAD = bytes(HEAD_SIZE)
OTHER: dict[type, Any] = {int: True, bytes: "", tuple: [], bool: 1}
"""By type, something that is nearly of it."""


def step(number: int) -> tuple[Any, ...]:
    """A step of the right form."""
    return (DEAL, 1, HEAD, number, *(kind() for kind in SHAPES[number]))


@pytest.mark.parametrize("number", SHAPES)
def test_a_step_has_exactly_its_parts(number: int) -> None:
    """One part of another type, one more, or one less: it is no step."""
    whole = step(number)
    assert fits(whole)
    assert not fits((*whole, 0))
    assert not fits(whole[:-1])
    for place in range(1, len(whole)):
        near = list(whole)
        near[place] = OTHER[type(near[place])]
        assert not fits(tuple(near)), place


@pytest.mark.parametrize(
    ("receiver", "cards", "pays"), [(2, (7,), True), (2, (7, 8), True), (3, (7,), False), (2, (8,), False)]
)
def test_parcels_pay_a_debt_of_the_same_cards_to_the_same_party(
    receiver: int, cards: tuple[int, ...], pays: bool
) -> None:
    """What a leader leaves out and the others have is owed to nobody: the same card for the same party."""
    parcel = (receiver, cards, (1,) * len(cards), b"a box")
    task = Task(CARDS, 4, ((2, (7,)),))
    assert meets((DEAL, 1, HEAD, CARDS, 4, (parcel,)), task) is pays
    assert not meets((DEAL, 1, HEAD, CARDS, 5, (parcel,)), task)


@pytest.mark.parametrize("head", [b"", HEAD[:-1], HEAD + b"\0"])
def test_a_step_names_a_place_of_the_log(head: bytes) -> None:
    """What follows the party is a number and a chain hash, no byte more or less."""
    assert not fits((DEAL, 1, head, *step(VOTE)[3:]))


def test_there_is_no_step_without_a_number() -> None:
    """An unknown number, and an entry that ends early, are no steps."""
    assert not fits((DEAL, 1, HEAD, max(SHAPES) + 1))
    assert not fits((DEAL,))
    assert not fits((DEAL, 1, HEAD))
