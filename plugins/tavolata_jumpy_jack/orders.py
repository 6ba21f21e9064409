"""Orders of arrival: the questions for them, and their points (rulings 13, 14, 17)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from tavolata import N_, Choice, Form, Seat, one_of
from tavolata_jumpy_jack.board import HORSES, PLACES, Horse

Order = tuple[Horse, ...]
"""Three different horses, the first first."""

TWICE = N_("{value} can't come in twice: an order names three different horses.")
NAMES = ("first", "second", "third")
HORSE = one_of([Choice(horse, horse.value) for horse in HORSES])
_FIELDS = dict.fromkeys(NAMES, HORSE)
_LABELS = {"first": N_("First"), "second": N_("Second"), "third": N_("Third")}

ORDER = Form(_FIELDS, _LABELS, different=TWICE)
"""The question for an order."""

NOBODY = N_("nobody")


def written(order: Sequence[Horse]) -> dict[str, Horse]:
    """An order as it is written on the paper: the answer to `ORDER`."""
    return dict(zip(NAMES, order, strict=True))


def order_in(paper: Mapping[str, Any]) -> Order:
    """The order on a paper, or in a guess."""
    return tuple(paper[name] for name in NAMES)


@cache
def guess_of(opponents: tuple[tuple[Seat, ...], ...]) -> Form:
    """The question for a guess: an opponent, by the seat that wrote, and the whole order (17).

    Args:
        opponents: the sides that may be named; the first seat of each is the one that wrote.
    """
    sides = [Choice(side[0], "{seats}", params={"seats": side}) for side in opponents]
    whom = one_of([Choice(None, NOBODY), *sides])
    return Form({"whom": whom, **_FIELDS}, {"whom": N_("Whom?"), **_LABELS}, different=TWICE)


def right(order: Order, true: Sequence[Horse]) -> int:
    """The number of horses on their exact squares."""
    return sum(one is other for one, other in zip(order, true, strict=True))


def worth(order: Order, podium: Sequence[Horse]) -> int:
    """The points of a prediction: two for each right horse, ten for all three (14)."""
    horses = right(order, podium)
    return 10 if horses == len(PLACES) else 2 * horses


def bonus(guess: Order, true: Order) -> int:
    """The points of a guess: one for each right horse, minus one if none is right (17)."""
    return right(guess, true) or -1
