"""What people read when only a key is asked of them."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._ui.answers import parse, prompt_of
from tavolata.errors import Refused
from tavolata.kinds.form import form
from tavolata.kinds.one_of import GO, one_of
from tavolata.testing import rehearse
from tavolata.testing.playthrough import words_of
from tavolata_bang.rules import Bang
from tavolata_zompa.rules import Zompa


@pytest.mark.parametrize(
    ("game", "lang", "prompt"),
    [
        (Zompa, "en", "Turn up the next card (Enter)"),
        (Zompa, "it", "Gira la prossima carta (Invio)"),
        (Bang, "en", "Lay a card (Enter)"),
        (Bang, "it", "Cala una carta (Invio)"),
    ],
)
def test_a_key_that_goes_on_says_what_it_does(game: type[Any], lang: str, prompt: str) -> None:
    """The prompt names the act and its key, in both languages, as each game calls it."""
    table = rehearse(game, seats=2, first=0, pauses=True, turns=1)
    (ask,) = table.open
    assert prompt_of(ask, words_of(table.match, lang), table.match.view(ask.seat)) == prompt


def test_words_where_only_enter_goes_on_are_told_that_it_does() -> None:
    """It said "Choose a number from 1 to 1", where no number had been told."""
    with pytest.raises(Refused, match="Nothing to choose"):
        parse(GO, "b")
    assert parse(GO, "") == parse(GO, "1")


def test_too_few_answers_to_a_form_are_told_how_to_give_all() -> None:
    """It said "Fill in all 2 fields", where no field is drawn: answers stand in one line, with semicolons."""
    asked: Any = form(dict, what=one_of("abc"), where=one_of("abc"))
    with pytest.raises(Refused, match="separated by semicolons") as refused:
        parse(asked, "1")
    assert refused.value.params == {"n": 2}
    assert parse(asked, "1; 2") == (0, 1)
