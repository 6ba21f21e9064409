"""The house rules of Bang: what a table may agree on before it plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import Options, option
from tavolata_bang.patterns import PRESETS, Pattern, Preset


class Jolly(Enum):
    """What the source means by "jolly": which card asks for one card (the reading of "Jolly")."""

    JOKER = "joker"
    JACK = "jack"
    BOTH = "both"


class Say(Enum):
    """What a table says of one reason to bang."""

    PRESET = "preset"
    ON = "on"
    OFF = "off"


class Barred(Enum):
    """For how long a wrong bang without cards bars from banging (ruling 8)."""

    PILE = "pile"
    GOOD = "good"


@dataclass(frozen=True, kw_only=True)
class BangOptions(Options):
    """What a table agrees on."""

    preset: Preset = option(
        Preset.CLASSIC,
        "Reasons to bang: classic (double, sandwich), family (top and bottom too), jack, or full.",
    )
    jolly: Jolly = option(Jolly.JOKER, "Which card asks for one card: the joker, the jack, or both.")
    double: Say = option(Say.PRESET, "Bang when the top two cards are of one rank.")
    sandwich: Say = option(Say.PRESET, "Bang when the first and the third card from the top are of one rank.")
    top_bottom: Say = option(Say.PRESET, "Bang when the top card has the rank of the first one of the pile.")
    ten: Say = option(Say.PRESET, "Bang when the top two cards make ten: 2 and 8, 3 and 7, 4 and 6, 5 and 5.")
    marriage: Say = option(Say.PRESET, "Bang when a king and a queen lie on each other.")
    divorce: Say = option(Say.PRESET, "Bang when one card lies between a king and a queen.")
    run3: Say = option(Say.PRESET, "Bang when three cards follow each other, up or down.")
    run4: Say = option(Say.PRESET, "Bang when four cards follow each other, up or down.")
    flush4: Say = option(Say.PRESET, "Bang when four cards of one suit lie on each other.")
    bigmac: Say = option(Say.PRESET, "Bang when two cards lie between two of one rank.")
    jack: Say = option(Say.PRESET, "Bang at every jack.")
    joker: Say = option(Say.PRESET, "Bang at every joker.")
    penalty: int = option(1, "How many cards a wrong bang costs.", low=1, high=3)
    barred: Barred = option(
        Barred.PILE, "A wrong bang without cards bars from banging until the pile is won, or for good."
    )
    cap: int = option(3000, "After so many cards the match is over, and most cards win.", low=10, high=10000)
    hurry: int = option(
        800, "At least so many milliseconds lie between a card and the next one.", low=0, high=5000
    )
    floor: int = option(100, "No bang is faster than so many milliseconds.", low=0, high=1000)

    def patterns(self) -> tuple[Pattern, ...]:
        """The reasons to bang at this table."""
        preset = PRESETS[self.preset]
        said = {pattern: getattr(self, pattern.name.lower()) for pattern in Pattern}
        return tuple(
            pattern
            for pattern in Pattern
            if said[pattern] is Say.ON or (said[pattern] is Say.PRESET and pattern in preset)
        )
