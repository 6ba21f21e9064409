"""Faces of cards: number, name and effects. The lists of cards are in the modules beside this one."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Text
from tavolata_horse_fever.cards.effects import Effect, Effects, Moment, Tone

DOES = N_("{when} {change}")
RISES, FALLS = N_("odds up {n} rows"), N_("odds down {n} rows")
REMOVES = N_("removes any card that {tone}")
WORDS = {
    Effect(Moment.SPRINT, most=0): N_("no sprints"),
    Effect(Moment.FINISH, most=0): N_("stops at the finish"),
    Effect(Moment.PHOTO, sets=1): N_("wins photo finishes"),
    Effect(Moment.PHOTO, sets=-1): N_("loses photo finishes"),
    Effect(Moment.PLACES, sets=4): N_("place bets also pay for fourth"),
}
"""Effects that people don't read as a number."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card with effects: the printed number, and the name, the same in every language."""

    number: int
    name: str
    effects: Effects

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> Text:
        if not self.effects:
            return Text("{name}", {"name": self.name})
        return Text("{name} ({does})", {"name": self.name, "does": [said(one) for one in self.effects]})


def said(effect: Effect) -> Text:
    if effect.removes is not None:
        return Text(REMOVES, {"tone": effect.removes})
    if effect.when is Moment.ODDS and effect.adds:  # a better row has a smaller number
        return Text(RISES if effect.adds > 0 else FALLS, {"n": abs(effect.adds)})
    change = str(effect)
    if effect in WORDS or not change:
        return Text(WORDS.get(effect, effect.when.value))
    return Text(DOES, {"when": effect.when, "change": change})


@dataclass(frozen=True, slots=True)
class ActionCard(Face):
    """A card that is played face down on a lane.

    Two cards with the same letter on a lane cancel each other; grey cards have none. A starred one stays in
    the box unless the table wants such cards.
    """

    tone: Tone
    letter: str = ""
    starred: bool = False


@dataclass(frozen=True, slots=True)
class HorseCard(Face):
    """A horse that a player may line up for one of their stables."""


@dataclass(frozen=True, slots=True)
class Assistant(Face):
    """A helper who stays until the end of the match."""


@dataclass(frozen=True, slots=True)
class Character(Face):
    """The person that a player is.

    `money` is that at the start; `odds` are those of the stable that it owns from the start, if any. A
    starred one stays in the box unless the table wants such cards.
    """

    money: int
    odds: int | None = None
    starred: bool = False
