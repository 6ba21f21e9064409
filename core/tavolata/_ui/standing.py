"""What a seat may do at any time, as a list: each row keeps what it stood for when it was shown."""

from __future__ import annotations

from typing import Any, NamedTuple

from tavolata._engine.match.match import Match
from tavolata._ui.words import Words
from tavolata.kinds.kind import Kind, choices_of


class Standing(NamedTuple):
    """One row.

    Attributes:
        label: what it is, in words.
        seat: who may do it.
        name: the name of the interjection.
        kind: what is asked for it.
        place: which of the choices of `kind` it is; None where more has to be said.
    """

    label: str
    seat: int
    name: str
    kind: Kind
    place: int | None

    @property
    def value(self) -> Any:
        """The value that this row stands for; None where more has to be said."""
        if self.place is None:
            return None
        return self.kind.value_of(self.kind.check(self.kind.answer_from((self.place,))))


def standing(match: Match | None, seat: int | None, words: Words) -> list[Standing]:
    """What this seat may do now, each of some choices a row of its own; nothing for a spectator."""
    if match is None or seat is None or match.over:
        return []
    labels, view = match.labels(), match.view(seat)
    rows = []
    for name, kind in match.standing(seat).items():
        for place, choice in enumerate(choices_of(kind)):
            label = words.text(labels[name], {"value": words.choice(choice, view)})
            rows.append(Standing(label, seat, name, kind, place))
        if not choices_of(kind):
            rows.append(Standing(words.text(labels[name]), seat, name, kind, None))
    return rows
