"""Checks of questions and hints: plain values and few parts, and sentences that change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from tavolata._engine.match.state import Writer, pack
from tavolata._text import fields
from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.bots import Bot, Chance
from tavolata.choices import MOST
from tavolata.errors import GameError, Refused
from tavolata.game import Game
from tavolata.kinds.question import Question
from tavolata.messages import Event, Text
from tavolata.ring import Seat
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import NotingSource, Recorded, blamed, follow, patience
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


@each(share=15)
def hints_change_nothing(case: Case) -> None:
    """At any moment, for any seat, hints and previews are whole, read nothing hidden, change nothing."""
    if not case.game.has_hints() and case.game.preview is Game.preview:
        return
    kept = _Hinted(case)
    follow(kept, _HintingSource(case, kept), lambda _: kept.look_at_events())


class _Hinted(Recorded):
    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._told: list[Event] = []

    @override
    def tell(self, event: Event) -> None:
        """Keep an event; a frontend asks for hints on it when the rules wait or a turn has ended."""
        super().tell(event)
        self._told.append(event)

    def look_at_events(self) -> None:
        """Ask for hints on the events since the last call."""
        told, self._told = self._told, []
        for event in told:
            self.look(event, [None, *map(Seat, range(self.case.seats))])

    def look(self, about: Ask | Event, seats: Sequence[Seat | None]) -> None:
        """Ask for the hints of these seats.

        Raise `CheckFailed` if a hint lacks a field, is not true, or asking changed the state.
        """
        match = self.match
        if not match.table._pieces.laid:
            return
        before = match.digest()
        for seat in seats:
            with blamed(self):
                found = list(match.game.hints(match.view(seat), about))
            self._read("hint", found)
        if match.digest() != before:
            raise self.failure("Asking for hints has changed the state.")

    def preview(self, ask: Ask) -> None:
        """Ask for the previews of an answer, field by field.

        Raise `CheckFailed` if a preview lacks a field, is not true, or asking changed the state.
        """
        match, draft = self.match, Draft(ask.question)
        before, fields_left = match.digest(), True
        while fields_left:
            with blamed(self):
                self._read("preview", list(match.game.preview(match.view(ask.seat), ask, draft.values())))
            try:
                fields_left = draft.enter() is None
            except Refused:  # the first choice does not make a legal answer
                return
        if match.digest() != before:
            raise self.failure("Asking for a preview has changed the state.")

    def _read(self, what: str, found: Sequence[Text]) -> None:
        for one in found:
            if empty := fields(one.message) - set(one.params):
                raise self.failure(f"The {what} {one.message!r} has no value for {{{min(empty)}}}.")
            if one.holds is not None and not one.holds():
                raise self.failure(f"The {what} {one.message!r} is not true by the rules' own evaluation.")


class _HintingSource(NotingSource):
    def __init__(self, case: Case, kept: _Hinted) -> None:
        super().__init__(case.seed, case.players(), kept)
        self._hinted = kept

    @override
    def _bot_answers(self, bot: Bot, ask: Ask) -> None:
        self._hinted.look_at_events()
        self._hinted.look(ask, [ask.seat])
        self._hinted.preview(ask)
        super()._bot_answers(bot, ask)
