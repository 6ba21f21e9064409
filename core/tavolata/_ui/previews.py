"""What an unfinished answer would do, as its game says; and what its choices mean, as lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, assert_never

from tavolata._engine.match.match import Match
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.errors import Refused
from tavolata.kinds.fields import fields_of
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.messages import N_, Text

TOLD = N_("{choice}: {text}")
SAYS_MORE = N_("Type `more` for details of the choices, `more NUMBER` for just one.")
SAYS_MORE_OF = N_("Type `more NUMBER` for details of that number.")
NOTHING_MORE = N_("There are no more details on that.")


def previews(match: Match, ask: Ask, draft: tuple[Any, ...]) -> list[Text]:
    """Return what an unfinished answer would do, as its game says; nothing if its code for that fails."""
    try:
        return list(match.game.preview(match.view(ask.seat), ask, draft))
    except Exception:  # noqa: BLE001 - as hints: what is broken there must not break a match; the kit finds it
        return []


class Details:
    """The details of the answers to a question, or to its current field `now` after those in `given`."""

    def __init__(self, match: Match, ask: Ask, now: Question, given: Sequence[Any], words: Words) -> None:
        self._match, self._ask, self._words = match, ask, words
        self._shape = now.shape()
        self._view = match.view(ask.seat)
        self._now = now
        self._before: list[Any] = []
        for (_, kind), one in zip(fields_of(ask.question, given), given, strict=False):
            self._before.append(kind.value_of(kind.check(kind.answer_from(one))))

    def pointer(self) -> str:
        """Return the sentence that says how to hear more; "" if there is nothing to hear."""
        shape = self._shape
        if isinstance(shape, Number):
            return SAYS_MORE_OF if self._bring(shape.low) else ""
        return SAYS_MORE if any(True for _ in self.lines()) else ""

    def lines(self, number: int | None = None) -> Iterator[str]:
        """Yield the details of each choice or of one, or of a number."""
        shape, words = self._shape, self._words
        match shape:
            case Number():
                for said in () if number is None else self._bring(number):
                    yield words.text(TOLD, {"choice": number, "text": said})
            case Choices(choices):
                for place, choice in enumerate(choices):
                    if number is not None and number != place + 1:
                        continue
                    told = [words.text(choice.more, choice.params, self._view)] if choice.more else []
                    told += self._bring((place,))
                    if told:
                        name = words.choice(choice, self._view)
                        yield words.text(TOLD, {"choice": name, "text": " ".join(told)})
            case Writing() | Fieldset() | Branching():
                pass
            case _ as never:
                assert_never(never)

    def _bring(self, answer: Any) -> list[str]:
        """Return what the answer would do, with those to the fields before it."""
        try:
            value = self._now.value_of(self._now.check(self._now.answer_from(answer)))
        except Refused:
            return []
        would = previews(self._match, self._ask, (*self._before, value))
        return [self._words.describe(one, self._view) for one in would]


def details(match: Match, ask: Ask, now: Question, given: Sequence[Any], words: Words) -> Details:
    """Return the details of a question; of a form that is asked as a whole, those of its first field."""
    match now.shape():
        case Branching(first):
            return details(match, ask, first, given, words)
        case Fieldset(fields):
            return Details(match, ask, fields[0].question, (), words)
        case Choices() | Number() | Writing():
            return Details(match, ask, now, given, words)
        case _ as never:
            assert_never(never)
