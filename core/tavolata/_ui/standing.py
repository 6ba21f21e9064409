"""The interjections that a seat may make at any time, as rows that keep their meaning after a change."""

from __future__ import annotations

from typing import Any, NamedTuple

from tavolata._engine.match.match import Match
from tavolata._ui.words import Words
from tavolata.kinds.question import Question, choices_of


class Standing(NamedTuple):
    """One row.

    Attributes:
        label: the row in words.
        seat: the seat that may make it.
        name: the name of the interjection.
        question: the kind of value that it takes.
        place: the place among the choices of `question`; None if the value has to be typed.
    """

    label: str
    seat: int
    name: str
    question: Question
    place: int | None

    @property
    def value(self) -> Any:
        """The value of this row; None if the value has to be typed."""
        if self.place is None:
            return None
        return self.question.value_of(self.question.check(self.question.answer_from((self.place,))))


def standing(match: Match | None, seat: int | None, words: Words) -> list[Standing]:
    """The interjections that this seat may make now, with a row for each choice; none for a spectator."""
    if match is None or seat is None or match.over:
        return []
    labels, view = match.labels(), match.view(seat)
    rows = []
    for name, question in match.standing(seat).items():
        for place, choice in enumerate(choices_of(question)):
            label = words.text(labels[name], {"value": words.choice(choice, view)})
            rows.append(Standing(label, seat, name, question, place))
        if not choices_of(question):
            rows.append(Standing(words.text(labels[name]), seat, name, question, None))
    return rows
