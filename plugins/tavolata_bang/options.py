"""The house rules of Bang: what a table may agree on before it plays."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import TypeVar

from typing_extensions import override

from tavolata import N_, Options, Problem, Seat, option
from tavolata_bang.patterns import PRESETS, Pattern, Preset

HANDICAP = N_(
    "handicap can't be {value}. List the milliseconds for each seat, at most {most} each. Example: 0,300."
)
MOST_HANDICAP = 5000
USUAL_HURRY = 800
Agreed = TypeVar("Agreed", bound=Options)


class Jolly(Enum):
    JOKER = N_("joker")
    JACK = N_("jack")
    BOTH = N_("both")


class Say(Enum):
    PRESET = N_("preset")
    ON = "on"
    OFF = "off"


class Barred(Enum):
    """For how long a wrong bang without cards bars from banging (ruling 8, and the source: never)."""

    PILE = N_("pile")
    GOOD = N_("good")
    NEVER = N_("never")


def with_an_option_for_each_pattern(options: type[Agreed]) -> type[Agreed]:
    """Add to a class of options, before it becomes a dataclass, what a table says of each reason to bang."""
    for pattern in Pattern:
        name = pattern.name.lower()
        options.__annotations__[name] = Say
        setattr(options, name, option(Say.PRESET, pattern.looks, title=pattern.value))
    return options


@dataclass(frozen=True, kw_only=True)
@with_an_option_for_each_pattern
class BangOptions(Options):
    preset: Preset = option(
        Preset.CLASSIC,
        "Reasons to bang: classic (double, sandwich), family (top and bottom), slapjack (any jack), or full.",
        title=N_("reasons to bang"),
    )
    jolly: Jolly = option(
        Jolly.JOKER,
        "The cards that demand a tribute of one card: jokers, jacks or both.",
        title=N_("jolly"),
    )
    penalty: int = option(1, "Number of cards a wrong bang costs.", title=N_("penalty cards"), low=1, high=3)
    barred: Barred = option(
        Barred.PILE,
        (
            "How long you're barred from banging after a wrong bang with no cards left: until the pile "
            "is won, for good, or not at all."
        ),
        title=N_("no cards left"),
    )
    cap: int = option(
        450,
        "The match ends after this many cards (450: about ten minutes; off: no limit); most cards wins.",
        title=N_("card limit"),
        low=10, high=10000, off=True,
    )  # fmt: skip
    hurry: int = option(
        USUAL_HURRY,
        "Shortest time between two cards, in milliseconds; larger numbers slow bots "
        "down too.",
        title=N_("pace in ms"),
        low=0, high=5000,
    )  # fmt: skip
    floor: int = option(
        100, "Fastest possible bang, in milliseconds.", title=N_("fastest bang in ms"), low=0, high=1000
    )

    handicap: str = option(
        "",
        "Milliseconds added to each seat's bangs, in seat order. Example: 0,300.",
        title=N_("handicap in ms"),
    )

    @override
    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """Yield what can't be played: an impossible handicap, or no reason to bang at all."""
        parts = self._parts()
        if len(parts) > seats or not all(map(_is_handicap, parts)):
            yield Problem("handicap", HANDICAP, value=self.handicap, most=MOST_HANDICAP)
        if not self.patterns:
            yield Problem("preset", N_("Every reason to bang is off. Turn on at least one."))

    def _parts(self) -> list[str]:
        return self.handicap.replace(",", " ").split()

    def handicaps(self) -> dict[Seat, int]:
        """Return, by seat, how many milliseconds later its bangs count."""
        return {Seat(seat): ms for seat, ms in enumerate(map(int, self._parts())) if ms}

    @cached_property
    def patterns(self) -> tuple[Pattern, ...]:
        preset = PRESETS[self.preset]
        said = {pattern: getattr(self, pattern.name.lower()) for pattern in Pattern}
        return tuple(
            pattern
            for pattern in Pattern
            if said[pattern] is Say.ON or (said[pattern] is Say.PRESET and pattern in preset)
        )


def _is_handicap(text: str) -> bool:
    short = text.isdecimal() and len(text) <= len(str(MOST_HANDICAP))  # `int` refuses thousands of digits
    return short and int(text) <= MOST_HANDICAP
