"""The words of Horse Fever: two rulebooks that say the same and name every card, and all said in Italian."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

import pytest

import tavolata_horse_fever
from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.markdown import chapter
from tavolata.testing.translations import mistakes, translated
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.assistants import ASSISTANTS
from tavolata_horse_fever.cards.characters import CHARACTERS
from tavolata_horse_fever.cards.effects import Moment
from tavolata_horse_fever.cards.faces import Face, said
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.cards.loans import LOANS
from tavolata_horse_fever.cards.objectives import OBJECTIVES
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.tables import BET_TOKENS, FINISH, PRICES, PRIZES, TURNS

BOOKS = {
    name: resources.files("tavolata_horse_fever").joinpath(name).read_text(encoding="utf-8")
    for name in ("rules.md", "rules.it.md")
}
TONES = {"green": "verde", "red": "rossa", "grey": "grigia"}


def test_everything_is_said_in_italian() -> None:
    """No message of the game lacks its Italian, or has fields of its own."""
    assert mistakes("tavolata_horse_fever", "it") == []


def test_the_rulebooks_have_the_same_chapters() -> None:
    """Both languages have a chapter for each topic, in the same order, with as many points and rows each."""
    shapes = [re.findall(r"^(#+|\s*-|\d\.|\|)[ |]", text, re.MULTILINE) for text in BOOKS.values()]
    assert shapes[0] == shapes[1]


@pytest.mark.parametrize(("book", "topic"), [("rules.md", "cards"), ("rules.it.md", "carte")])
@pytest.mark.parametrize("card", [*ACTION_CARDS, *HORSES, *ASSISTANTS, *CHARACTERS], ids=str)
def test_the_card_browser_has_every_card(card: Face, book: str, topic: str) -> None:
    """`tt rules horse-fever cards` names each card once, with number, letter, star, and what it changes."""
    text = BOOKS[book].replace("’", "'")  # Italian books have typographic apostrophes in names, too
    cards = chapter(text, topic) if book == "rules.md" else chapter(text, "Carte")
    number = f"{card.number:02} " if card not in CHARACTERS else ""
    (line,) = re.findall(rf"^- \*\*{number}{re.escape(card.name)}\*\*(.*)$", cards, re.MULTILINE)
    assert ("★" in line) is getattr(card, "starred", False)
    if letter := getattr(card, "letter", ""):
        assert f", {letter})" in line
    if tone := getattr(card, "tone", None):
        assert (tone.name.lower() if book == "rules.md" else TONES[tone.name.lower()]) in line
    for effect in card.effects:
        for amount in (effect.adds, effect.sets or 0):
            if abs(amount) >= 100 and effect.when is not Moment.PASSING:
                assert str(abs(amount)) in line
    if card in CHARACTERS:
        assert str(card.money) in line


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_have_the_numbers_of_the_rules(text: str) -> None:
    """Prices, prizes, turns, bet tokens, loans and the finish are those of the tables."""
    words = re.sub(r"\s+", " ", text)
    for number in [*PRICES.values(), *PRIZES.values(), FINISH]:
        assert re.search(rf"\b{number}\b", words)
    for terms in LOANS.values():
        assert f"{terms.lends} D" in words
        assert f"{terms.repaid} D" in words
    assert (TURNS, BET_TOKENS) == ({2: 6, 3: 6, 4: 4, 5: 5, 6: 6}, {2: 1, 3: 2, 4: 3, 5: 4, 6: 4})
    assert len(OBJECTIVES) == 7


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_name_every_option(text: str) -> None:
    """Each option and each word that it can be set to stands in both books, and no other does."""
    specs = HorseFeverOptions.describe()
    for spec in specs:
        assert f"- `{spec.name}`:" in text
        words = spec.choices() if spec.type is not bool else []
        assert not [word for word in words if f"`{word}`" not in text], spec.name
    assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {spec.name for spec in specs}


@pytest.mark.parametrize("text", [*BOOKS.values(), tavolata_horse_fever.__doc__], ids=[*BOOKS, "plugin"])
def test_it_is_said_whose_the_name_is(text: str) -> None:
    """Both books and the plugin say that it is unofficial and whose trademark Horse Fever is."""
    words = re.sub(r"\s+", " ", text)
    assert re.search("unofficial|non ufficiale", words)
    assert "Cranio Creations" in words
    assert re.search("trademark|marchio", words)


def test_colours_have_a_letter_of_their_own_in_each_language() -> None:
    """Six colours, six letters, each in its word."""
    italian = translated("tavolata_horse_fever", "it")
    for words in ([lane.value for lane in LANES], [italian[lane.value][0] for lane in LANES]):
        letters = [word[-2] for word in words]
        assert len(set(letters)) == 6
        for letter, word in zip(letters, words, strict=True):
            assert letter.lower() in word


def test_every_effect_can_be_said() -> None:
    """No card stands in a hand without a word about what it does."""
    for card in [*ACTION_CARDS, *HORSES, *ASSISTANTS, *CHARACTERS]:
        for effect in card.effects:
            assert said(effect).message
        assert card.text.params["name"] == card.name


def test_each_ruling_and_each_card_has_a_test_that_is_named_after_it() -> None:
    """Rulings 1 to 35 and every card: whoever changes one finds its proof by its name or number."""
    files = Path(__file__).parent.glob("test_*.py")
    tests = "\n".join(file.read_text(encoding="utf-8") for file in files)
    for ruling in range(1, 36):
        assert f"def test_ruling_{ruling:02}_" in tests
    for card in [*ACTION_CARDS, *HORSES, *ASSISTANTS]:
        assert re.search(rf"def test_\w+_{card.number:02}_", tests), card
    for character in CHARACTERS:
        assert f'"{character.name}"' in tests or f"def test_character_{_snake(character.name)}" in tests
    for objective in OBJECTIVES:
        assert f"def test_objective_{_snake(str(objective))}" in tests


def _snake(name: str) -> str:
    return name.lower().replace(" ", "_")


def test_the_turn_fits_beside_the_board() -> None:
    """On a screen of 80 columns the turn and a First Player of eight letters fit below the track."""
    for lang, title in (("en", "Turn"), ("it", "Turno")):
        said = Translator(lang).text(
            "{number} of {last}, {seat} first",
            {"number": 2, "last": 6, "seat": "Vittoria"},
            "tavolata_horse_fever",
        )
        assert "Vittoria" in said
        assert len(f"{title} {said}") <= 27
