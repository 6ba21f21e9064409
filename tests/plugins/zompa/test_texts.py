"""The words of Zompa: two rulebooks that say the same, and everything said in Italian."""

from __future__ import annotations

import re
from importlib import resources

from tavolata.testing.translations import mistakes
from tavolata_zompa.options import ZompaOptions
from tavolata_zompa.rules import SECONDS_TO_BET

from .table import Stacked

BOOKS = {
    name: resources.files("tavolata_zompa").joinpath(name).read_text(encoding="utf-8")
    for name in ("rules.md", "rules.it.md")
}


def test_everything_is_said_in_italian() -> None:
    """No message of the game lacks its Italian, or has fields of its own."""
    assert mistakes("tavolata_zompa", "it") == []


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The six points of the books, with the fiches that they name."""
    table = Stacked(4, fiches=[4, 4, 1, 4], talk="offer")
    assert (table.turn("A").fiches, table.centre) == ([4, 2, 1, 4], 2)
    assert table.turn("H").fiches == [5, 2, 0, 4]
    assert table.turn("4").called == 3
    assert table.do(2, "speak", 3)
    assert table.do(3, "answer", 2)
    assert table.fiches == [5, 2, 1, 3]
    assert (table.turn("K").fiches, table.centre) == ([6, 2, 1, 3], 1)
    assert table.turn("F").fiches == [7, 1, 1, 3]
    assert table.turn("3").called == 2


def test_the_rulebooks_have_the_same_chapters() -> None:
    """Both languages have a chapter for each topic, in the same order, with as many points each."""
    shapes = [re.findall(r"^(#+|\s*-|\d\.) ", text, re.MULTILINE) for text in BOOKS.values()]
    assert shapes[0] == shapes[1]
    topics = re.findall(r"^## (.*)$", BOOKS["rules.md"], re.MULTILINE)
    assert topics == [
        "Setup",
        "Your turn",
        "The cards",
        "The dead",
        "Talking",
        "The end",
        "A sample round",
        "Bots",
        "Options",
    ]


def test_the_rulebooks_name_every_option() -> None:
    """Each option and each word that it can be set to stands in both books, and no other does."""
    for text in BOOKS.values():
        specs = ZompaOptions.describe()
        for spec in specs:
            assert f"- `{spec.name}`:" in text
            words = spec.choices() if spec.type is not bool else []
            assert not [word for word in words if f"`{word}`" not in text], spec.name
        assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {spec.name for spec in specs}


def test_the_rulebooks_give_the_time_for_bets() -> None:
    """The seconds of the books are those of the rule."""
    assert SECONDS_TO_BET == 20
    assert "twenty seconds" in BOOKS["rules.md"]
    assert "venti secondi" in BOOKS["rules.it.md"]
