"""What people read when only a key is asked of them."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._ui.answers import prompt_of
from tavolata.testing import rehearse
from tavolata.testing.said import words_of
from tavolata_bang.rules import Bang
from tavolata_zompa.rules import Zompa


@pytest.mark.parametrize(
    ("game", "lang", "prompt"),
    [
        (Zompa, "en", "Turn the next card (Enter)"),
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
