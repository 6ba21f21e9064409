"""The words of Bang: two rulebooks that say the same, pictures that are true, everything in Italian."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from tavolata.decks import JOKER, FrenchFace, Suit
from tavolata.testing import goes_on, race, reacts
from tavolata.testing.translations import mistakes
from tavolata_bang.bots import EasyBot, HardBot, NormalBot, SlowBot
from tavolata_bang.options import BangOptions
from tavolata_bang.patterns import Pattern

from .table import counts, faces, table

BOOKS = {
    name: resources.files("tavolata_bang").joinpath(name).read_text(encoding="utf-8")
    for name in ("rules.md", "rules.it.md")
}
SUITS = dict(zip("♣♦♥♠", (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES), strict=True))
RANKS = {"A": 1, "J": 11, "Q": 12, "K": 13} | {str(rank): rank for rank in range(2, 11)}


def test_everything_is_said_in_italian() -> None:
    """No message of the game lacks its Italian, or has fields of its own."""
    assert mistakes("tavolata_bang", "it") == []


def test_the_rulebooks_have_the_same_chapters_and_pictures() -> None:
    """Both languages have a chapter for each topic with as many points, and the same piles."""
    shapes = [
        re.findall(r"^(#+|\s*-|[┌│└].*|\d\.|\*\*.*?\(`\w+`\))", text, re.MULTILINE) for text in BOOKS.values()
    ]
    shapes = [[re.sub(r"\*\*.*?\*\*", "", line) for line in shape] for shape in shapes]
    assert shapes[0] == shapes[1]


def pictures(text: str) -> dict[Pattern, list[FrenchFace]]:
    """The pile that is drawn for each reason."""
    found = {}
    for name, drawn in re.findall(r"^\*\*.*?\(`(\w+)`\).*?```\n(.*?)```", text, re.MULTILINE | re.DOTALL):
        _, ranks, suits, _ = (re.findall(r"│(...)│", line) for line in drawn.splitlines())
        found[Pattern[name.upper()]] = [
            JOKER if rank.strip() == "Jk" else FrenchFace(RANKS[rank.strip()], SUITS[suit.strip()])
            for rank, suit in zip(ranks, suits, strict=True)
        ]
    return found


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_each_reason_has_a_picture_of_its_own(text: str) -> None:
    """The pile that is drawn shows that reason, and without its top card it does not."""
    piles = pictures(text)
    assert set(piles) == set(Pattern)
    for pattern, pile in piles.items():
        assert pattern.shown_by(pile), pattern
        assert not pattern.shown_by(pile[:-1]), pattern
        others = [other for other in Pattern if other is not pattern and other.shown_by(pile)]
        assert set(others) <= {Pattern.RUN3} if pattern is Pattern.RUN4 else others == [], pattern


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The six points of the books, with their cards and their winners."""
    match = table("6♣ 2♠ 3♣ 3♥", "9♥ Q♠ K♥", "6♦ 4♥ 10♣ A♠", rest=0)
    match.play(goes_on(2), race(reacts(1, 540), reacts(0, 610)))
    assert (counts(match)[1], match.game.owner, match.game.due) == (4, 1, 2)
    match.play(goes_on(1), reacts(0, 400))
    assert (len(match.game.under), match.game.due) == (1, 0)
    match.play(goes_on(1))
    assert (faces(match.game.pile), match.game.owner, match.game.layer) == (["K♥"], 1, 2)
    match.play(goes_on(1))
    assert (match.game.owner, match.game.layer, match.game.due) == (2, 0, 4)
    match.play(goes_on(2), reacts(2, 300))
    assert match.game.last == 2
    assert counts(match)[2] == 3


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_know_the_bots_and_the_length(text: str) -> None:
    """What they say of each level is what its class says; the cap is the usual one."""
    for bot in (SlowBot, EasyBot, NormalBot, HardBot):
        (row,) = re.findall(rf"^\| `{bot.level}` .*$", text, re.MULTILINE)
        seconds = re.findall(r"\d[.,]\d+", row)
        assert [float(one.replace(",", ".")) for one in seconds] == [
            bot.fastest / 1000, (bot.fastest + bot.spread) / 1000,
        ]  # fmt: skip
        _, misses, wrong = row.strip("| ").split(" | ")[-3:]
        assert str(100 - bot.sees) in misses.split()
        assert str(bot.startled) in wrong.split()
    assert "`cap`: " in text
    assert str(BangOptions().cap) in text.split("`cap`: ")[1].split("\n", maxsplit=1)[0]


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_name_every_option(text: str) -> None:
    """Each option and each word that it can be set to stands in both books, and no other does."""
    specs = BangOptions.describe()
    for spec in specs:
        assert f"- `{spec.name}`:" in text
        words = spec.choices() if spec.type is not bool else []
        assert not [word for word in words if f"`{word}`" not in text], spec.name
    assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {spec.name for spec in specs}
