"""What is printed on a card: its number, its name, and what it does. The lists of cards stand beside this."""

from __future__ import annotations

from dataclasses import dataclass

from tavolata import N_, Text
from tavolata_horse_fever.cards.effects import Effect, Effects, Moment, Tone

DOES = N_("{when} {change}")
REMOVES = N_("removes what {tone}")
WORDS = {
    Effect(Moment.SPRINT, most=0): N_("no sprints"),
    Effect(Moment.FINISH, most=0): N_("stops at the finish"),
    Effect(Moment.PHOTO, sets=1): N_("wins photo finishes"),
    Effect(Moment.PHOTO, sets=-1): N_("loses photo finishes"),
}
"""Effects that are no number to people."""


@dataclass(frozen=True, slots=True)
class Face:
    """A card with effects.

    Attributes:
        number: as printed.
        name: the same in every language.
        effects: what it does.
    """

    number: int
    name: str
    effects: Effects

    def __str__(self) -> str:
        return self.name

    @property
    def text(self) -> Text:
        """What a player reads: the name, and what it does."""
        if not self.effects:
            return Text("{name}", {"name": self.name})
        return Text("{name} ({does})", {"name": self.name, "does": [said(one) for one in self.effects]})


def said(effect: Effect) -> Text:
    """What an effect does, in words."""
    if effect.removes is not None:
        return Text(REMOVES, {"tone": effect.removes})
    change = str(effect)
    if effect in WORDS or not change:
        return Text(WORDS.get(effect, effect.when.value))
    return Text(DOES, {"when": effect.when, "change": change})


@dataclass(frozen=True, slots=True)
class ActionCard(Face):
    """A card that is played face down on a lane.

    Attributes:
        tone: whether it helps or hinders.
        letter: two cards of one letter on a lane cancel each other; grey cards have none.
        starred: left in the box unless the table wants such cards.
    """

    tone: Tone
    letter: str = ""
    starred: bool = False


@dataclass(frozen=True, slots=True)
class HorseCard(Face):
    """A horse that an owner may line up in the lane of an own stable."""


@dataclass(frozen=True, slots=True)
class Assistant(Face):
    """A helper who stays until the match ends."""


@dataclass(frozen=True, slots=True)
class Character(Face):
    """Who a player is.

    Attributes:
        money: Danari at the start.
        odds: the odds of the stable that it owns from the start; None for none.
        starred: only in the Board Game, and only if the table wants such cards.
    """

    money: int
    odds: int | None = None
    starred: bool = False
