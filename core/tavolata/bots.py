"""Bots: functions of what their seat may know and of their own random numbers.

A bot keeps nothing between questions that it could not work out again from its view, because a match that is
resumed or taken over goes on with a new bot. This module has the contract and the random bot.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import ClassVar, TypeVar

from typing_extensions import override

from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.kinds.question import Question
from tavolata.reaction_times import GOES
from tavolata.view import View
from tavolata.windows import Window

V = TypeVar("V")
_MASK = (1 << 64) - 1
Reflex = tuple[Answer, int]
"""A bot's reaction in a window: a choice in its index form, or GOES; and its time in milliseconds."""


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
        """A number from 0 to limit - 1."""
        return self.bits() * limit >> 64

    def percent(self, share: int) -> bool:
        """True in this many of a hundred cases."""
        return self.below(100) < share

    def pick(self, values: Sequence[V]) -> V:
        """One of these values."""
        return values[self.below(len(values))]


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """Words that a bot speaks.

    Attributes:
        to: the seat spoken to; -1 for all.
        text: the words.
    """

    to: int
    text: str


class Bot:
    """Base of all bots.

    Attributes:
        level: the word after `--bots`, such as easy, normal, hard.
        interjects: whether `interject` does anything; other bots are not asked, which is faster.
    """

    level: ClassVar[str] = ""
    interjects: ClassVar[bool] = False

    def choose(self, view: View, ask: Ask, question: Question, chance: Chance) -> Answer:
        """Answer the question in its index form (`kind.answer_for(value)` makes it).

        `GO`, the key that lets the match go on, is not asked: bots press it at once.

        Args:
            view: what the seat may know.
            ask: the question with its prompt and number.
            question: this seat's legal answers.
            chance: the bot's own chance.
        """
        raise NotImplementedError

    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """The bot's reaction in a window and its time; None for no reaction.

        The time that counts is the time returned, not the time that this call takes.
        """
        return self.go_on(view, window, chance)

    def go_on(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """The reaction of going on after a short time, if this seat has the next move; else None."""
        return (GOES, window.hurry + 200 + chance.below(400)) if window.go == view.seat else None

    def interject(
        self, view: View, standing: Mapping[str, Question], chance: Chance
    ) -> tuple[str, Answer] | ChatMessage | None:
        """An interjection or words; usually None."""
        return None


class RandomBot(Bot):
    """A bot that gives any legal answer, all equally likely, and never interjects."""

    level = "random"

    @override
    def choose(self, view: View, ask: Ask, question: Question, chance: Chance) -> Answer:
        count = question.count()
        answer = question.nth(chance.below(count))
        if view.claim_holds(ask, answer):
            return answer
        tries = chain((chance.below(count) for _ in range(4 * min(count, 500))), range(count))
        return next((one for one in map(question.nth, tries) if view.claim_holds(ask, one)), answer)

    @override
    def react(self, view: View, window: Window, chance: Chance) -> Reflex | None:
        """In 15 of a hundred windows it reacts, whatever has happened."""
        question = None if view.seat is None else window.questions.get(view.seat)
        if question is not None and chance.percent(15):
            return question.nth(chance.below(question.count())), 100 + chance.below(900)
        return self.go_on(view, window, chance)
