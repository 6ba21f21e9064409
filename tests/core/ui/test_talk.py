"""Tests of reading for whom a line of talk is."""

from __future__ import annotations

import pytest

from tavolata._ui.talk import addressed, whispered
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
        ("Ada Ada hello", [0], "Ada hello"),
        ("Anna Maria Anna hello", [2, 3], "hello"),
        ("Anna Maria: Anna lies", [2], "Anna lies"),
        ("2 hello", [1], "hello"),
        ("be hello", [1], "hello"),
        ("be: Ada lies", [1], "Ada lies"),
        ("Ada be quick", [0], "be quick"),
        ("Ada Beatrice is here", [0], "Beatrice is here"),
        ("Ada 1: 0", [0], "1: 0"),
    ],
)
def test_the_names_that_a_line_begins_with_say_who_hears_it(line: str, to: list[int], words: str) -> None:
    """Names are whole but for the first, in any case, the longest first; a colon ends them."""
    assert addressed(line, NAMES) == (to, words)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Carla hello", "Nobody here is called {name}."),
        ("a hello", "Nobody here is called {name}."),  # it might be Ada or Anna
        ("5 hello", "Nobody here is called {name}."),
        (": hello", "Nobody here is called {name}."),
        ("", "Nobody here is called {name}."),
        ("Ada", "to NAME WORDS"),
        ("Ada Bea", "to NAME WORDS"),
        ("Ada:", "to NAME WORDS"),
    ],
)
def test_a_line_for_nobody_or_without_words_is_refused(line: str, why: str) -> None:
    """Nothing that was meant for one is ever said to all."""
    with pytest.raises(Refused) as refusal:
        addressed(line, NAMES)
    assert refusal.value.message.startswith(why)


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
