"""The words of Jumpy Jack: two rulebooks that say the same, and everything said in Italian."""

from __future__ import annotations

import re
from importlib import resources

import pytest

from tavolata import Track
from tavolata.testing.translations import mistakes
from tavolata_jumpy_jack.board import COURSES
from tavolata_jumpy_jack.options import JumpyJackOptions

from .course import Course_

BOOKS = {
    name: resources.files("tavolata_jumpy_jack").joinpath(name).read_text(encoding="utf-8")
    for name in ("rules.md", "rules.it.md")
}


def test_everything_is_said_in_italian() -> None:
    """No message of the game lacks its Italian, or has fields of its own."""
    assert mistakes("tavolata_jumpy_jack", "it") == []


def test_the_rulebooks_have_the_same_chapters() -> None:
    """Both languages have a chapter for each topic, in the same order, with as many points each."""
    shapes = [re.findall(r"^(#+|\s*-) ", text, re.MULTILINE) for text in BOOKS.values()]
    assert shapes[0] == shapes[1]
    topics = re.findall(r"^## (.*)$", BOOKS["rules.md"], re.MULTILINE)
    assert topics == [
        "Setup", "Your turn", "Barriers", "Hedges", "The podium", "Points", "The end", "A sample race",
        "Teams", "Strategy", "Options", "Bots",
    ]  # fmt: skip


@pytest.mark.parametrize(("text", "out"), [*zip(BOOKS.values(), ("OUT", "FUORI"), strict=True)], ids=BOOKS)
def test_the_sample_race_can_be_ridden_as_it_is_told(text: str, out: str) -> None:
    """Both books tell the same throws and squares, and they are legal; the end gives four points each."""
    chapter = re.split(r"^## ", text, flags=re.MULTILINE)[8]
    assert re.findall(r"(?:a|un) (\d)", chapter) == ["5", "6", "4", "4", "6", "4", "6", "6", "3"]
    assert f"15, {out}" in chapter
    race = Course_(orders={0: "GYR", 1: "BYK"})
    race.throw(5)
    race.run("R")
    assert race.throw(6) == ["R"]
    race.run("R").go("G4 Y4 G6 R4 G6 Y6")
    assert [race.at(letter) for letter in "RGY"] == [Track.OFF, 22, 10]
    race.go("G3").put("Y24 B14 K3", "G...R").go("Y1 B1")
    assert (race.podium, race.points) == ("GYKBR", [4, 4])


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_name_every_option(text: str) -> None:
    """Each option and each word that it can be set to stands in both books, and no other does."""
    specs = JumpyJackOptions.describe()
    for spec in specs:
        assert f"- `{spec.name}`:" in text
        words = spec.choices() if spec.type is not bool else []
        assert not [word for word in words if f"`{word}`" not in text], spec.name
    assert set(re.findall(r"^- `(\w+)`:", text, re.MULTILINE)) == {spec.name for spec in specs}


@pytest.mark.parametrize("text", BOOKS.values(), ids=BOOKS)
def test_the_rulebooks_give_the_boards_as_they_are(text: str) -> None:
    """Squares and hedges of each board in the books are those of the rules."""
    for length, course in COURSES.items():
        (line,) = re.findall(rf"`{length.value}`: (.*)", text)
        assert [int(number) for number in re.findall(r"\d+", line)] == [
            course.squares, course.stop, course.double, course.out, course.restart
        ]  # fmt: skip
