"""House rules: from words and values, with limits, and back to plain data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from tavolata import N_, Options, Problem, option
from tavolata.errors import OptionError
from tavolata.options import problems_of


class Size(Enum):
    """A choice of words."""

    SMALL = "small"
    XL = "XL"


@dataclass(frozen=True, kw_only=True)
class House(Options):
    """One option of each type."""

    open: bool = option(True, "Whether it is open.")
    rooms: int = option(4, "How many rooms.", low=1, high=9)
    doors: int = option(1, "How many doors.")
    size: Size = option(Size.SMALL, "How big.")
    name: str = option("home", "What it is called.")


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ({"open": "no"}, {"open": False}),
        ({"open": "ON"}, {"open": True}),
        ({"open": False}, {"open": False}),
        ({"rooms": "9"}, {"rooms": 9}),
        ({"rooms": 1}, {"rooms": 1}),
        ({"doors": "-5"}, {"doors": -5}),
        ({"size": "XL"}, {"size": "XL"}),
        ({"size": "Small"}, {"size": "small"}),
        ({"size": Size.XL}, {"size": "XL"}),
        ({"name": "yes"}, {"name": "yes"}),
    ],
)
def test_words_and_values_are_read(given: dict[str, Any], value: dict[str, Any]) -> None:
    """Options are read from words or values; plain data is read back to the same."""
    read = House.parse(given)
    assert read.plain() == House().plain() | value
    assert House.parse(read.plain()) == read


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"garden": 1}, "No house rule called garden. Choose from open, rooms, doors, size, name"),
        ({"open": "perhaps"}, "open must be one of yes, no, not perhaps"),
        ({"rooms": "many"}, "rooms must be a whole number, not many"),
        ({"rooms": 10}, "rooms must be from 1 to 9, not 10"),
        ({"rooms": 1.5}, "rooms must be a whole number"),
        ({"rooms": 10**30}, "rooms must be from 1 to 9, not 1"),
        ({"doors": 2**64}, "doors must be from -9223372036854775808 to 18446744073709551615, not 1844"),
        ({"size": "medium"}, "size must be one of small, XL, not medium"),
    ],
)
def test_what_can_not_be_is_said(given: dict[str, Any], sentence: str) -> None:
    """Unknown options and values are errors that list what can be."""
    with pytest.raises(OptionError, match=sentence):
        House.parse(given)
    with pytest.raises(OptionError, match="This game has none"):
        Options.parse({"garden": 1})


def test_options_describe_themselves() -> None:
    """Name, words, limits and help of each option, in order."""
    described = {spec.name: spec for spec in House.describe()}
    assert list(described) == ["open", "rooms", "doors", "size", "name"]
    rooms = described["rooms"]
    assert (rooms.low, rooms.high, rooms.help) == (1, 9, "How many rooms.")
    words = [described[name].choices() for name in ("open", "size", "rooms")]
    assert words == [["yes", "no"], ["small", "XL"], []]


@dataclass(frozen=True, kw_only=True)
class Bounded(Options):
    """A number that can be left out."""

    cap: int = option(450, "How many.", low=10, high=1000, off=True)


@pytest.mark.parametrize("word", ["off", "OFF", 0, "0"])
def test_a_number_can_be_off(word: object) -> None:
    """Off is 0 whatever the limits are, and stays so as plain data; other numbers keep their limits."""
    options = Bounded.parse({"cap": word})
    assert options.cap == 0
    assert Bounded.parse(options.plain()) == options
    with pytest.raises(OptionError):
        Bounded.parse({"cap": 9})
    with pytest.raises(OptionError):
        House.parse({"rooms": "off"})


@dataclass(frozen=True, kw_only=True)
class Conditional(Options):
    """Options that hang on others, on the number of seats, and on their sum."""

    size: Size = option(Size.SMALL, "How big.")
    rooms: int = option(2, "How many rooms.", low=2, high=8, step=3, when={"size": (Size.XL,), "open": True})
    open: bool = option(True, "Whether it is open.")
    beds: int = option(1, "How many beds.", low=1, high=9, seats=(3, 4))

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """No bed for more than two."""
        if self.beds * 2 < seats:
            yield Problem("beds", N_("{n} beds are too few."), n=self.beds)


def test_numbers_come_in_steps() -> None:
    """A number between the steps is refused, and the sentence says where they begin."""
    assert Conditional.parse({"size": "XL", "rooms": 8}).rooms == 8
    with pytest.raises(OptionError, match="rooms must be 2 or more, in steps of 3, not 6"):
        Conditional.parse({"size": "XL", "rooms": 6})


@pytest.mark.parametrize(
    ("given", "seats", "sentence"),
    [
        ({"rooms": 5}, None, "rooms must be 2 unless size is XL"),
        ({"rooms": 5, "size": "XL", "open": False}, 3, "rooms must be 2 unless open is yes"),
        ({"beds": 2}, 2, "With 2 players, beds must be 1"),
    ],
)
def test_what_is_not_offered_has_its_default(given: dict[str, Any], seats: int | None, sentence: str) -> None:
    """An option whose conditions don't hold is refused by name; its default never is."""
    with pytest.raises(OptionError, match=sentence):
        Conditional.parse(given, seats)
    assert Conditional.parse({"rooms": 2, "beds": 1}, 2) == Conditional()


def test_only_what_can_be_set_is_offered() -> None:
    """The values of other options and the number of seats decide; without a number seats don't matter."""

    def offered(seats: int | None = None, **given: object) -> list[str]:
        values = {**Conditional().plain(), **given}
        return [spec.name for spec in Conditional.offered(values, seats)]

    assert offered() == ["size", "open", "beds"]
    assert offered(2, size="XL") == ["size", "rooms", "open"]
    assert offered(3, size=Size.XL, open=False) == ["size", "open", "beds"]


def test_problems_are_those_of_conditions_and_those_that_the_game_names() -> None:
    """What the words of a command line can't be, values made in a program can be; all is found."""
    assert problems_of(Conditional(), 2, 0) == []
    assert list(map(str, problems_of(Conditional(rooms=5), 3, 0))) == [
        "rooms must be 2 unless size is XL.", "1 beds are too few."
    ]  # fmt: skip
    assert problems_of(Conditional(beds=2), 4, 0) == []
    assert [problem.option for problem in problems_of(Conditional(beds=2), 5, 0)] == ["beds", "beds"]
