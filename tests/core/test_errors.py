"""Errors that carry a message with fields."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from inspect import signature
from pkgutil import walk_packages
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.games import Nod

import tavolata
import tavolata_protocol
from tavolata import Choice, Hand, Layout, Seat, text
from tavolata._ui.i18n import Translator
from tavolata.errors import FalseFact, GameError, MessageError, OptionError, Refused
from tavolata.options import NO_OPTIONS
from tavolata.testing import rehearse
from tavolata.testing.cases import Case, CheckFailed
from tavolata.zones import Show, hand_zone
from tavolata_protocol.fair.offences import Charge, Item, Offence


def test_an_errors_sentence_is_its_message_filled_in() -> None:
    """Values are put in as they are, braces and all; message and fields are kept for other languages."""
    error = Refused("{card} costs {price}.", card="{joker}", price=3)
    assert str(error) == "{joker} costs 3."
    assert (error.message, error.params) == ("{card} costs {price}.", {"card": "{joker}", "price": 3})


def test_every_such_error_is_told_in_the_persons_language() -> None:
    """One kind of error does for refusals and for what a person typed wrong."""
    error: MessageError = OptionError(NO_OPTIONS, name="speed")
    assert Translator("it").text(error.message, error.params) != str(error)
    assert "speed" in Translator("it").text(error.message, error.params)


WRONG: Any = "rign"
"""A word that type checkers would refuse, too."""


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: Layout(seating=WRONG), "Layout(seating='rign') is no such word; do you mean 'ring'?"),
        (lambda: Layout(palette=WRONG), "is no such word; choose from ['pieces', 'players']."),
        (lambda: Show(role=WRONG), "Show(role='rign') is no such word; choose from ['aside', 'board', "),
        (lambda: Show(draw=WRONG), "Show(draw='rign') is no such word"),
        (lambda: Show(better=WRONG), "Show(better='rign') is no such word"),
        (lambda: Choice(1, mood=WRONG), "Choice(mood='rign') is no such word"),
        (
            lambda: hand_zone(Hand("hand", Seat(0)), "", order=WRONG),
            "hand_zone(order='rign') is no such word",
        ),
    ],
)
def test_a_word_that_nothing_understands_is_refused_where_it_is_written(
    made: Callable[[], object], said: str
) -> None:
    """The error names the word that may be meant; type checkers refuse it, too."""
    with pytest.raises(GameError, match=re.escape(said)):
        made()


def every_error() -> list[type[BaseException]]:
    """All classes of errors of the product."""
    for package in (tavolata, tavolata_protocol):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.endswith("__main__") and module.name != "tavolata.rl":
                with suppress(ImportError):  # an extra that is not installed
                    import_module(module.name)
    found, left = [], [Exception, BaseException]
    while left:
        for cls in left.pop().__subclasses__():
            left.append(cls)
            if cls.__module__.partition(".")[0] in ("tavolata", "tavolata_protocol") and cls not in found:
                found.append(cls)
    return found


GIVEN: dict[str, Any] = {
    "seat": 1, "seats": (1, 2), "party": 2, "offence": Offence.WRONG_SIZE, "name": "Ann", "key": "AB",
    "sentence": "It fails.", "said": SimpleNamespace(seat=0, fact="f"), "value": "1", "faces": "2",
    "message": "{n} of them", "box": SimpleNamespace(hash=b"x"), "text": text("{n} of them", n=2),
    "card": SimpleNamespace(game="zompa", name="Ann", package_version="1", distribution=""),
    "header": None, "major": 3, "charge": Charge(Offence.WRONG_SIZE, item=Item.SEED, given=31, size=32),
}  # fmt: skip


@pytest.mark.parametrize("cls", every_error(), ids=lambda cls: cls.__qualname__)
def test_every_error_survives_the_way_to_another_process(cls: type[BaseException]) -> None:
    """A pool of processes brings back what went wrong in one of them: class, sentence and attributes."""
    wanted = [
        GIVEN.get(one.name, "x")
        for one in signature(cls.__init__).parameters.values()
        if one.name != "self"
        and one.default is one.empty
        and one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)
    ]
    error = cls(*(wanted or ["It fails."]))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is cls
    assert str(again) == str(error)
    for name in ("seat", "params", "charge", "party", "case", "check"):
        assert getattr(again, name, None) == getattr(error, name, None)


def test_a_failed_check_keeps_its_match_on_the_way() -> None:
    """The place to look comes along; a false fact leaves behind what belongs to its table."""
    case = Case(Nod, 2, {}, 3)
    failed = CheckFailed("It fails.", case=case, entry=4)
    failed.check = "outcomes"
    assert str(pickle.loads(pickle.dumps(failed))) == str(failed)
    table = rehearse(Nod, answers=None).table
    false = FalseFact(SimpleNamespace(seat=0, fact="f", table=lambda: table), "1", "2")
    again = pickle.loads(pickle.dumps(false))
    assert (str(again), again.value, hasattr(again, "said")) == (str(false), "1", False)


def test_what_a_view_allows_is_legal_and_true() -> None:
    """Any value may be tried: what can't be an answer at all is not allowed, and nothing is raised."""
    match = rehearse(Nod, answers=None)
    (ask,) = match.open
    view = match.views(ask.seat)
    assert view.allows(ask, view.legal(ask)[0])
    for wrong in (None, 17, "x", [1], {}, object()):
        assert not view.allows(ask, wrong)
