"""Players of seats that aren't people: the contract of bots, what they can say, and the random bot.

Everything here is below the engine; `tavolata.bots` is the public face and adds the bot that thinks ahead.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import chain
from typing import Any, ClassVar, Final, TypeVar

from typing_extensions import override

from tavolata.asks import Ask
from tavolata.errors import GameError
from tavolata.kinds.question import Question
from tavolata.options import Options
from tavolata.ring import Seat
from tavolata.view import View
from tavolata.windows import Window

V = TypeVar("V")
_MASK = (1 << 64) - 1


class _GoOn(Enum):
    GO_ON = "go on"


GO_ON: Final = _GoOn.GO_ON
"""The value of a `Reflex` that lets the match go on, for the seat with the next move."""


@dataclass(frozen=True, slots=True)
class Reflex:
    """A bot's reaction in a window.

    Attributes:
        value: what it chooses, or GO_ON.
        ms: its time in milliseconds, 0 to 600,000; less than `floor` of the window counts as that.
    """

    value: Any
    ms: int


@dataclass(frozen=True, slots=True)
class Interject:
    """An interjection that a bot makes.

    Attributes:
        name: the interjection, one of those offered.
        value: what it chooses there.
    """

    name: str
    value: Any


class Chance:
    """A bot's own random numbers; seeded again for each question, so that nothing needs to be stored.

    They have no effect on the cards and dice of the match.
    """

    __slots__ = ("_state",)

    def __init__(self, key: int = 0) -> None:
        self._state = key & _MASK

    def reseed(self, key: int) -> None:
        """Restart from this key."""
        self._state = key & _MASK

    def bits(self) -> int:
        """64 random bits (the SplitMix64 step: one state word, any start is a good start)."""
        self._state = state = (self._state + 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        return state ^ (state >> 31)

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1, however large the limit is."""
        bits, size = self.bits(), 64
        if limit > _MASK:  # a question may have more answers than there are words
            while limit - 1 >> size:
                bits, size = bits << 64 | self.bits(), size + 64
        return bits * limit >> size

    def percent(self, share: int) -> bool:
        """Return True in this many of a hundred cases."""
        return self.bits() * 100 >> 64 < share

    def pick(self, values: Sequence[V]) -> V:
        """One of these values; raise `IndexError` without any."""
        return values[self.below(len(values))]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Words that a bot speaks.

    Attributes:
        to: the seats spoken to, in their order; () for all.
        text: the words.

    Raises:
        GameError: `to` is no tuple.
    """

    to: tuple[int, ...]
    text: str

    def __post_init__(self) -> None:
        if not isinstance(self.to, tuple):
            raise GameError(f"ChatMessage.to holds seats, as in (0, 2) or () for all, not {self.to!r}.")


class Bot:
    """Base of all bots.

    Attributes:
        level: the word after `--bots`, such as easy, normal, hard.
        interjects: whether `interject` does anything; other bots are not asked, which is faster.
        seconds: how long it thinks about a question; if not 0, it does so in a process of its own wherever
            people play, which gets what its seat knows and nothing else.
    """

    level: ClassVar[str] = ""
    interjects: ClassVar[bool] = False
    seconds: ClassVar[float] = 0

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """Return the value that it chooses.

        A pause is not asked: bots let the match continue at once.

        Args:
            view: what the seat may know; `view.allows(ask, value)` knows the claim, too.
            ask: the question with its prompt, its number and its legal answers (`ask.question`).
            chance: the bot's own chance.
        """
        raise NotImplementedError

    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """Return the bot's reaction in a window and its time; None for no reaction.

        The time that counts is the time returned, not the time that this call takes.
        """
        return self.go_on(view, window, chance)

    def go_on(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """Return the reaction of continuing soon, if this seat has the next move; otherwise None."""
        return Reflex(GO_ON, window.hurry + 200 + chance.below(400)) if window.go == view.seat else None

    def invited(self, options: Options) -> int:
        """In how many of a hundred cases it wants to be asked for an interjection or words, from 0 to 100.

        A bot that speaks now and then says so here, rather than draw it at each call of `interject`: whoever
        asks draws it, and a simulation asks nobody needlessly.

        Args:
            options: the house rules.
        """
        return 100

    @staticmethod
    def interjecting(game: Any, options: Options) -> Iterable[Seat] | None:
        """Return the seats where a bot of this class might interject or speak now, in order; None for all.

        A simulation asks this once before each card, and then `interject` at these seats alone: to ask every
        bot takes longer than the card. The others have to be such as would not have said anything. Where no
        bot is `invited` at every card, it is not asked.

        Args:
            game: the public state.
            options: the house rules.
        """

    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> Interject | ChatMessage | None:
        """Return an interjection, one of `standing` (questions by name), or words; usually None.

        The bot is asked when a question or a window opens, and again after each interjection and message. In
        a simulation, where nobody has to read it, that is before each card, and once more if another bot has
        said something then. Of a hundred such cases it is asked in as many as `invited` says.
        """
        return None


class RandomBot(Bot):
    """A bot that gives any legal answer, all equally likely, and never interjects."""

    level = "random"

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        question = ask.question
        count = question.count()
        value = question.nth(chance.below(count))
        if view.holds(ask, value):
            return value
        tries = chain((chance.below(count) for _ in range(4 * min(count, 500))), range(count))
        return next((one for one in map(question.nth, tries) if view.holds(ask, one)), value)

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """In 15 of a hundred windows it reacts, whatever has happened."""
        question = None if view.seat is None else window.questions.get(view.seat)
        if question is not None and chance.percent(15):
            return Reflex(question.any(chance), 100 + chance.below(900))
        return self.go_on(view, window, chance)


for _public in (Bot, Chance, ChatMessage, Interject, RandomBot, Reflex):
    _public.__module__ = "tavolata.bots"  # the name that authors import: commands and messages show it
