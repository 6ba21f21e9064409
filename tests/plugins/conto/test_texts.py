"""The words of Il Conto, Prego!: two rulebooks that say the same, and everything said in Italian."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from tavolata.testing.translations import mistakes
from tavolata_conto.options import ContoOptions

from .table import Dinner

BOOKS = {
    name: resources.files("tavolata_conto").joinpath(name).read_text(encoding="utf-8")
    for name in ("rules.md", "rules.it.md")
}


def test_everything_is_said_in_italian() -> None:
    """No message of the game lacks its Italian, or has fields of its own."""
    assert mistakes("tavolata_conto", "it") == []


def test_the_rulebooks_have_the_same_chapters() -> None:
    """Both languages have a chapter for each topic, in the same order, with as many points each."""
    shapes = [re.findall(r"^(#+|\s*-) ", text, re.MULTILINE) for text in BOOKS.values()]
    assert shapes[0] == shapes[1]
    topics = re.findall(r"^## (.*)$", BOOKS["rules.md"], re.MULTILINE)
    assert topics == [
        "Setup", "Your turn", "Calling", "The bill", "A sample hand", "The end", "House rules", "Advice",
        "Options", "Bots",
    ]  # fmt: skip


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_sample_hand_can_be_played_as_it_is_told(text: str) -> None:
    """Both books tell the same calls; they are legal, the cards are there, and the asker pays."""
    chapter = re.split(r"^## ", text, flags=re.MULTILINE)[5]
    calls = re.findall(r"\d+×\w+(?: \+ \d+×\w+)?", chapter)
    dinner = Dinner("J J 2 3 4 6 | 8 5 W 2 3 4 | A 2 3 4 6 7 | 5 5 2 3 4 6")
    for shown, call in zip("J 8 A 5 J 5".split(), calls, strict=True):  # noqa: SIM905 - as in the chapter
        dinner.call(shown, call.replace("×", " ").replace(" +", ""))
    assert dinner.bill().losses == [0, 0, 1, 0]
    assert "Called: 3×5 + 2×J. On the table: 3×5 + 2×J; jokers: 1." in dinner.match.said()


def test_the_rulebooks_name_every_option() -> None:
    """Each option stands in both books, and no other does."""
    for text in BOOKS.values():
        assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {
            spec.name for spec in ContoOptions.describe()
        }


def test_the_figures_of_the_bots_are_the_same_in_both() -> None:
    """The shares of matches won were measured once and stand in both books."""
    figures = [re.findall(r"\d+[.,]\d", text) for text in BOOKS.values()]
    assert figures[0]
    assert figures[0] == [figure.replace(",", ".") for figure in figures[1]]
