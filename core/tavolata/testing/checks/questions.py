"""Checks of questions and hints: plain values and few parts, and sentences that change nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typing_extensions import override

from tavolata._engine.match.state import Writer, pack
from tavolata._text import fields
from tavolata._ui.tui.model.draft import Draft
from tavolata.asks import Ask
from tavolata.bots import Chance
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
    kept = _Parted(case)
    with patience(kept):
        follow(kept, NotingSource(kept))


class _Parted(Recorded):
    """A match of which each question is looked at before it is answered, and what may be done out of turn."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._chance = Chance(case.seed)

    @override
    def before_answer(self, ask: Ask) -> None:
        self._look(ask.question, f"The question {ask.you or ask.others!r}")
        for name, question in self.match.standing(ask.seat).items():
            self._look(question, f"The interjection {name!r}")

    @override
    def before_reactions(self, window: Window) -> None:
        for question in window.questions.values():
            self._look(question, f"The window {window.you!r}")

    def _look(self, question: Question[Any], what: str) -> None:
        try:
            pack(Writer(self.match.table).write(question, what))
        except GameError as error:
            raise self.failure(f"A value is no plain data: {error}") from error
        with blamed(self):
            many, number = question.count(), self._in_parts(question, what)
        if number >= many:
            raise self.failure(f"{what} has {many} answers, and its parts lead to number {number}.")
        with blamed(self):
            try:
                again = question.index(question.nth(number))
            except Refused as error:
                raise self.failure(f"{what} does not know its answer {number}: {error}") from error
            if again != number and question.nth(again) != question.nth(number):
                raise self.failure(f"{what} finds its answer {number} as number {again}.")

    def _in_parts(self, question: Question[Any], what: str) -> int:
        """Give an answer part by part, at random; return its number."""
        begun: tuple[int, ...] = ()
        for _ in range(MOST_PARTS):
            parts = question.parts(begun)
            if not parts or len(parts) > MOST + 1:
                raise self.failure(f"{what} goes on with {len(parts)} parts after {begun}.")
            part = self._chance.pick(parts)
            if part.number is not None:
                return part.number
            begun = part.begun
        raise self.failure(f"{what} takes more than {MOST_PARTS} parts.")


@each(share=15)
def hints_change_nothing(case: Case) -> None:
    """At any moment, for any seat, hints and previews are whole, read nothing hidden, change nothing."""
    if not case.game.has_hints() and case.game.preview is Game.preview:
        return
    kept = _Hinted(case)
    follow(kept, NotingSource(kept), lambda _: kept.look_at_events())


class _Hinted(Recorded):
    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._told: list[Event] = []

    @override
    def tell(self, event: Event) -> None:
        """Keep an event; a frontend asks for hints on it when the rules wait or a turn has ended."""
        super().tell(event)
        self._told.append(event)

    @override
    def before_answer(self, ask: Ask) -> None:
        self.look_at_events()
        self.look(ask, [ask.seat])
        self.preview(ask)

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
