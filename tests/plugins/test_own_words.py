"""The words of all games are their own: no text has eight words in a row from the source of its rules.

And what they say of a player in Italian fits women and men.
"""

from __future__ import annotations

import re
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path

import pytest

from .eight_words import taken_over

GAMES = ("bang", "conto", "horse_fever", "jumpy_jack", "zompa")


def texts(folder: Traversable) -> dict[str, str]:
    """The rulebooks and the messages of a plugin in all languages, by the name of the file."""
    found: dict[str, str] = {}
    for one in folder.iterdir():
        if one.is_dir():
            found |= texts(one)
        elif one.name.endswith((".md", ".po")):
            found[one.name] = one.read_text(encoding="utf-8")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_the_texts_are_in_their_own_words(game: str) -> None:
    """Neither the rulebooks nor the messages have eight words in a row that stand in the source, too."""
    own = texts(resources.files(f"tavolata_{game}"))
    assert {"rules.md", "rules.it.md"} < own.keys()
    hashes = Path(__file__).parent / game / "source_runs.txt"
    assert {name: found for name, text in own.items() if (found := taken_over(text, hashes))} == {}


@pytest.mark.parametrize("game", GAMES)
def test_what_is_said_of_a_player_in_italian_fits_women_and_men(game: str) -> None:
    """No word that ends as a man's does stands beside a name: "Ada è arrivato" was said."""
    (italian,) = [
        text for name, text in texts(resources.files(f"tavolata_{game}")).items() if name.endswith(".po")
    ]
    assert re.findall(r"^msgstr.*(?:\{seat\} è \w+o\b|Primo è \{seat\}).*", italian, re.MULTILINE) == []
