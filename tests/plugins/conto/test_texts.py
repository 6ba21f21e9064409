"""The words of Il Conto, Prego!: two rulebooks that say the same, and everything said in Italian."""

from __future__ import annotations

import re
from importlib import resources

from tavolata.testing.translations import mistakes
from tavolata_conto.options import ContoOptions

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
    assert topics[:6] == ["Setup", "Your turn", "Calling", "The bill", "The end", "House rules"]


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
