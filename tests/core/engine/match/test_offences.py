"""Offences: each has one message with the fields that it carries, in every language."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavolata
import tavolata_protocol.fair
from tavolata._engine.match.offences import (
    ITEMS,
    MESSAGES,
    Conviction,
    charge_text,
    read_conviction,
)
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import Ended
from tavolata._text import fields
from tavolata._ui.endings import ending_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata_protocol.fair.offences import Charge, Item, Offence

CONVICT = {"Cheat", "Charge", "hold"}
SOURCES = [
    path
    for root in (tavolata_protocol.fair.__path__[0], tavolata.__path__[0])
    for path in sorted(Path(root).rglob("*.py"))
]
CHARGE = Charge(Offence.WRONG_SIZE, item=Item.KEY_SHARE, given=31, size=32)


@functools.cache
def trees() -> list[ast.Module]:
    """The sources, parsed by the first test that reads them: not by every process that collects tests."""
    return [ast.parse(path.read_text("utf-8")) for path in SOURCES]


def member(node: ast.expr, enum: str) -> str | None:
    """The member of an enumeration that an expression names, None for any other."""
    named = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == enum
    return node.attr if named and isinstance(node, ast.Attribute) else None


def charges() -> Iterator[tuple[Offence, set[str]]]:
    """Every offence that the sources charge somebody with, and the fields that it gets there."""
    for tree in trees():
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in CONVICT:
                for argument in node.args:
                    if (name := member(argument, "Offence")) is not None:
                        yield Offence[name], {str(keyword.arg) for keyword in node.keywords}


@pytest.mark.battery
def test_every_offence_has_a_message_with_its_fields() -> None:
    """Wherever somebody is charged, the offence carries what its message names, no more and no less."""
    found = list(charges())
    assert {offence for offence, _ in found} == set(MESSAGES) == set(Offence)
    for offence, carried in found:
        assert carried == fields(MESSAGES[offence]), offence


@pytest.mark.battery
def test_every_item_is_said_and_has_words() -> None:
    """No item stands in the list that nothing is ever charged or proven about."""
    used = {
        name for tree in trees() for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        for value in (*node.args, *(keyword.value for keyword in node.keywords))
        if (name := member(value, "Item")) is not None
    }  # fmt: skip
    assert {Item[name] for name in used} == set(ITEMS) == set(Item)


@pytest.mark.parametrize("message", [*MESSAGES.values(), *ITEMS.values()])
def test_every_offence_is_said_in_italian(message: str) -> None:
    """Its sentence, and what it is about, have a translation with the same fields."""
    said = Translator("it").text(message, {name: f"<{name}>" for name in fields(message)})
    assert said != str(message)
    assert not [name for name in fields(message) if f"<{name}>" not in said]


def test_an_end_names_the_culprit_and_what_it_did() -> None:
    """Field by field in the player's language, whoever's file it is read from."""
    conviction = Conviction(0, CHARGE)
    assert str(conviction) == "Seat 1: It sent a key share of 31 bytes instead of 32."
    lines = ending_lines(Ended(None, b"", conviction), Words(Translator("it"), "tavolata_zompa", ["Ann"]))
    assert "Ann" in lines[0]
    assert lines[0].endswith("Ha mandato una parte di una chiave di 31 byte invece di 32.")


def test_a_translator_says_charges_in_its_language() -> None:
    """As a value, too, which is how `tt verify` names what somebody did."""
    said = Translator("it").text(
        "Entry {number} of the log: {problem}",
        {"number": 7, "problem": charge_text(Charge(Offence.FALSE_ACCUSATION))},
    )
    assert said.endswith("Ha accusato un altro computer, senza prove, di aver firmato due registri.")


@pytest.mark.parametrize(
    "charge",
    [
        CHARGE,
        Charge(Offence.FALSE_FACT, fact="low", value="true", faces="7D", turn=3),
        Charge(Offence.EQUIVOCATION),
    ],
)
def test_a_conviction_comes_back_from_plain_data(charge: Charge) -> None:
    """Code and fields are kept as they are, whatever the packing makes of them."""
    conviction = Conviction(3, charge)
    assert read_conviction(unpack(pack(conviction.plain()))) == conviction
    assert read_conviction(None) is None


@pytest.mark.parametrize(
    "plain",
    [
        "Somebody cheated.",
        {"seat": 0, "offence": "heresy", "fields": {}},
        {"seat": 64, "offence": "omission", "fields": {}},
        {"seat": 0, "offence": "omission", "fields": {"item": "seed"}},
        {"seat": 0, "offence": "wrong-size", "fields": {"item": "seed", "given": [], "size": 1}},
        {"seat": 0, "offence": "wrong-size", "fields": {"item": "soup", "given": 2, "size": 1}},
        {"seat": 0, "offence": "wrong-size", "fields": {"item": "seed"}},
    ],
)
def test_what_is_no_conviction_is_refused(plain: object) -> None:
    """A file that was tampered with ends in an error that its reader expects."""
    with pytest.raises(ValueError, match=r"conviction|is not a valid"):
        read_conviction(plain)
