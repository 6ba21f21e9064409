"""House rules: from words and values, with limits, and back to plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

import pytest

from tavolata import Options, option
from tavolata.errors import OptionError


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
        ({"garden": 1}, "no house rule garden; this game has open, rooms, doors, size, name"),
        ({"open": "perhaps"}, "open is one of yes, no, not perhaps"),
        ({"rooms": "many"}, "rooms is a whole number, not many"),
        ({"rooms": 10}, "rooms lies between 1 and 9, not at 10"),
        ({"rooms": 1.5}, "rooms is a whole number"),
        ({"size": "medium"}, "size is one of small, XL, not medium"),
    ],
)
def test_what_can_not_be_is_said(given: dict[str, Any], sentence: str) -> None:
    """Unknown options and values are errors that list what can be."""
    with pytest.raises(OptionError, match=sentence):
        House.parse(given)
    with pytest.raises(OptionError, match="has none at all"):
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
