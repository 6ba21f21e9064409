"""A check of questions: plain values, and few parts to choose from however many answers there are."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from tavolata._engine.match.state import Writer, pack
from tavolata.asks import Ask
from tavolata.bots import Bot, Chance
from tavolata.choices import MOST
from tavolata.errors import GameError, Refused
from tavolata.kinds.question import Question
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.patience import patience
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow
from tavolata.windows import Window

MOST_PARTS = 100
"""The most parts of one answer."""


@each(share=10)
def questions_bounded(case: Case) -> None:
    """Values are plain data and found again by their number; answers have parts of few choices."""
    kept = Recorded(case)
    with patience(kept):
        follow(kept, _PartingSource(case, kept))


class _PartingSource(NotingSource):
    """A source that looks at each question before it is answered, and at what may be done out of turn."""

    def __init__(self, case: Case, kept: Recorded) -> None:
        super().__init__(case.seed, case.players(), kept)
        self._chance = Chance(case.seed)

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        self._look(ask.question, f"The question {ask.you or ask.others!r}")
        for name, question in self._kept.match.standing(ask.seat).items():
            self._look(question, f"The interjection {name!r}")
        super()._bot_answers(bot, ask)

    @override
    def react(self, window: Window) -> bool:
        for question in window.questions.values():
            self._look(question, f"The window {window.you!r}")
        return super().react(window)

    def _look(self, question: Question[Any], what: str) -> None:
        kept = self._kept
        try:
            pack(Writer(kept.match.table).write(question, what))
        except GameError as error:
            raise kept.failure(f"A value is no plain data: {error}") from error
        with blamed(kept):
            many, number = question.count(), self._in_parts(question, what)
        if number >= many:
            raise kept.failure(f"{what} has {many} answers, and its parts lead to number {number}.")
        with blamed(kept):
            try:
                again = question.index(question.nth(number))
            except Refused as error:
                raise kept.failure(f"{what} does not know its answer {number}: {error}") from error
            if again != number and question.nth(again) != question.nth(number):
                raise kept.failure(f"{what} finds its answer {number} as number {again}.")

    def _in_parts(self, question: Question[Any], what: str) -> int:
        """Give an answer part by part, at random; return its number."""
        begun: tuple[int, ...] = ()
        for _ in range(MOST_PARTS):
            parts = question.parts(begun)
            if not parts or len(parts) > MOST + 1:
                raise self._kept.failure(f"{what} goes on with {len(parts)} parts after {begun}.")
            part = self._chance.pick(parts)
            if part.number is not None:
                return part.number
            begun = part.begun
        raise self._kept.failure(f"{what} takes more than {MOST_PARTS} parts.")
