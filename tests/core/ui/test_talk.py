"""Tests of reading for whom a line of talk is."""

from __future__ import annotations

import pytest

from tavolata._ui.talk import NOT_SEATED, addressed, whispered
from tavolata.errors import Refused

NAMES = ("Ada", "Bea", "Anna Maria", "Anna")
ITALIAN = {"to": "a", "team": "squadra"}


@pytest.mark.parametrize(
    ("line", "to", "words"),
    [
        ("Ada hello", [0], "hello"),
        ("@ada hello", [0], "hello"),
        ("ada @BEA hello Anna", [0, 1], "hello Anna"),
        ("Bea, Ada, come", [1, 0], "come"),
        ("Ada: Bea lies", [0], "Bea lies"),
        ("Ada, 2: come", [0, 1], "come"),
        ("Anna Maria: come", [2], "come"),
        ("Ada at 10:30", [0], "at 10:30"),
        ("Ada Ada hello", [0], "Ada hello"),
        ("Anna Maria Anna hello", [2, 3], "hello"),
        ("Anna Maria: Anna lies", [2], "Anna lies"),
        ("2 hello", [1], "hello"),
        ("be: Ada lies", [1], "Ada lies"),
        ("Ada be quick", [0], "be quick"),
        ("Ada Beatrice is here", [0], "Beatrice is here"),
    ],
)
def test_the_names_that_a_line_begins_with_say_who_hears_it(line: str, to: list[int], words: str) -> None:
    """Names are whole but for the first, in any case, the longest first; a colon ends them."""
    assert addressed(line, NAMES) == (to, words)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("be hello", "No one here is named {name}."),
        ("Ada 1: 0", "No one here is named {name}."),
        ("Anna Mar: hello", "No one here is named {name}."),
        ("Ada, be: hello", "No one here is named {name}."),
        ("Ada Maria: hello", "No one here is named {name}."),
        ("Carla hello", "No one here is named {name}."),
        ("a hello", "No one here is named {name}."),  # it might be Ada or Anna
        ("5 hello", "No one here is named {name}."),
        (": hello", "No one here is named {name}."),
        ("", "No one here is named {name}."),
        ("Ada", "Type: to NAME WORDS"),
        ("Ada Bea", "Type: to NAME WORDS"),
        ("Ada:", "Type: to NAME WORDS"),
    ],
)
def test_a_line_for_nobody_or_without_words_is_refused(line: str, why: str) -> None:
    """Nothing that was meant for one is ever said to all."""
    with pytest.raises(Refused) as refusal:
        addressed(line, NAMES)
    assert refusal.value.message.startswith(why)


@pytest.mark.parametrize(
    "line",
    ["Ann Marie: I trust you", "Ann Marie I trust you", "@ann marie, you", "Marie: yes", "Ann, Marie: a"],
)
def test_words_for_somebody_who_has_left_are_for_nobody_else(line: str) -> None:
    """Ann isn't whispered what was meant for Ann Marie, who left a moment ago."""
    with pytest.raises(Refused) as refusal:
        addressed(line, ("Ann", "Bob"), ("Ann Marie", "Marie"))
    assert refusal.value.message == NOT_SEATED
    assert addressed("Ann: I trust you", ("Ann", "Bob"), ("Ann Marie",)) == ([0], "I trust you")


def test_a_line_with_a_stroke_may_be_a_whisper_in_two_languages() -> None:
    """In English and in the person's language; other lines are for all, and without mates no team hears."""

    def say(message: str) -> str:
        return ITALIAN.get(message, message)

    assert (
        whispered("/to Ada hello", NAMES, (), say)
        == whispered("/A Ada hello", NAMES, (), say)
        == ([0], "hello")
    )
    assert whispered("/team hello", NAMES, (2, 3), say) == whispered("/squadra hello", NAMES, (2, 3), say)
    assert whispered("/team hello", NAMES, (2, 3), say) == ((2, 3), "hello")
    assert whispered("to Ada hello", NAMES, (), say) is None
    for line in ("/team hello", "/team", "/to", "/squadra"):
        with pytest.raises(Refused):
            whispered(line, NAMES, (), say)
