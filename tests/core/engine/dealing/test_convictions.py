"""What a cheat did is said in every language, though it is kept in English."""

from __future__ import annotations

import ast
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

import tavolata
import tavolata_protocol.fair
from tavolata._engine.dealing.convictions import SENTENCES, THINGS, charge
from tavolata._engine.dealing.deal import FALSELY
from tavolata._engine.match.updates import Ended
from tavolata._ui.endings import ending_lines
from tavolata._ui.i18n import Translator
from tavolata._ui.words import Words
from tavolata_protocol.fair.encoding import FieldReader

CONVICT = {"Cheat", "hold", "_convict"}
SOURCES = [
    path
    for root in (tavolata_protocol.fair.__path__[0], tavolata.__path__[0])
    for path in sorted(Path(root).rglob("*.py"))
]


def _sentence(node: ast.expr) -> str | None:
    """A sentence as it stands in the source, every value in it an `x`; None for what is no literal."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
    return None


def convictions() -> Iterator[str]:
    """Every sentence in the sources by which somebody is convicted."""
    yield FALSELY
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                sentence = _sentence(node.args[-1]) if name in CONVICT else None
                if sentence is not None:
                    yield sentence


def things() -> Iterator[str]:
    """Every name in the sources of a thing that is read or proven."""
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "id", "")
                if name == FieldReader.__name__ and len(node.args) == 4:  # other readers take less
                    yield ast.literal_eval(node.args[3])
                elif name in ("check_knowledge", "check_equality"):
                    at = node.args[1]
                    value = at.value if isinstance(at, ast.Constant) else _constant(path, at)
                    assert isinstance(value, bytes)
                    yield value.decode()


def _constant(path: Path, name: ast.expr) -> object:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == ast.unparse(name):
            return ast.literal_eval(node.value)
    raise AssertionError(f"{path}: {ast.unparse(name)}")


def test_every_conviction_is_a_message() -> None:
    """None of the sources' sentences can be read in English only, and none is kept that nobody says."""
    said = {charge(sentence).message for sentence in convictions()}
    assert said == set(SENTENCES)


def test_every_thing_that_can_be_wrong_has_a_word() -> None:
    """What stands in the field of such a sentence is translated, too."""
    assert set(things()) == THINGS


@pytest.mark.parametrize("message", SENTENCES)
def test_a_conviction_is_the_same_in_english(message: str) -> None:
    """Finding the message again loses nothing."""
    fields = [name for _, name, _, _ in string.Formatter().parse(message) if name]
    sentence = message.format(**dict.fromkeys(fields, "share of a key"))
    assert str(charge(sentence)) == sentence


def test_an_unknown_sentence_stays_as_it_is() -> None:
    """What another version said, or a file that was tampered with, is shown and not looked into."""
    assert str(charge("It {did} what {nobody} knows.")) == "It {did} what {nobody} knows."


def test_the_end_of_a_match_says_it_in_the_players_language() -> None:
    """Fields and all: a file of a match knows only English."""
    ended = Ended(None, b"", "A share of a key has 31 bytes instead of 32.")
    lines = ending_lines(ended, Words(Translator("it"), "tavolata_zompa", ["Ann"]))
    assert lines[0] == "Ha 31 byte invece di 32: parte di una chiave."


def test_a_translator_says_texts_in_its_language() -> None:
    """As a value, too, which is how `tt verify` names what somebody did."""
    said = Translator("it").text(
        "Entry {number} of the log: {problem}", {"number": 7, "problem": charge(FALSELY)}
    )
    assert said.endswith("Ha accusato un altro di raccontare due storie, senza una prova.")
