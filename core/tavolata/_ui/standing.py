"""The interjections that a seat may make at any time, as rows that keep their meaning after a change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tavolata._engine.match.match import Match
from tavolata._ui.words import Words
from tavolata.kinds.question import Question, choices_of
from tavolata.messages import N_
from tavolata.ring import SEATS

OF: Final = N_("{seat}: {what}")


class Standing(NamedTuple):
    """One row: an interjection that a seat may make.

    `place` is that among the choices of `question`; None if the value has to be typed.
    """

    label: str
    seat: int
    name: str
    question: Question
    place: int | None

    @property
    def value(self) -> Any:
        return self.question.value_of(self.question.check(self.question.answer_from((self.place,))))


def standing(match: Match | None, seat: int | None, words: Words) -> list[Standing]:
    """Return the interjections that this seat may make now, a row for each choice; none for a spectator."""
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


def standing_here(
    match: Match | None, people: Sequence[int], seat: int | None, words: Words
) -> list[Standing]:
    """Return the interjections that may be shown at this keyboard now.

    Where several people look together (`seat` is None), these are the ones of everyone who knows no more than
    all do: what the others might make would reveal their secrets.
    """
    if seat is not None:
        return standing(match, seat, words) if seat in people else []
    rows: list[Standing] = []
    for one in people:
        own = standing(match, one, words)
        if match is not None and own and match.view(one).zones() == match.view(None).zones():
            said = ({"seat": SEATS[one], "what": row.label} for row in own)
            rows += [row._replace(label=words.text(OF, told)) for row, told in zip(own, said, strict=True)]
    return rows
