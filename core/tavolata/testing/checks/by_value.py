"""A check of interjections: the value of each choice must identify it, so that the chosen thing is done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from typing_extensions import override

from tavolata._engine.match.entries import INTERJECT, MatchEntry
from tavolata._engine.match.match import Match
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.state import pack
from tavolata.bots import Bot
from tavolata.choices import Choice
from tavolata.game import interjections
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.testing.cases import Case, Meddler
from tavolata.testing.checks.check import each
from tavolata.testing.recording import Recorded, blamed, follow


@each(share=50)
def choices_by_value(case: Case) -> None:
    """Choices of interjections have different values, and a value never comes to mean something else."""
    if not interjections(case.game):
        return
    kept = _Watched(case)
    follow(kept, _WatchedSource(kept))


class _Place(NamedTuple):
    """The place of a list of choices: the seat, the interjection, and the field if it is a form."""

    seat: int
    name: str
    field: str


class _Meaning(NamedTuple):
    """What a person reads of a choice, and the thing on the table that it stands for."""

    label: str
    params: str
    thing: str | None

    def __str__(self) -> str:
        return repr(self.label) if self.params == "{}" else f"{self.label!r} with {self.params}"


_Meanings = Mapping[bytes, _Meaning]


class _Watched(Recorded):
    """A match whose choices are compared before and after each interjection."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self._before: dict[_Place, _Meanings] = {}

    def look(self) -> None:
        """Remember the present choices; raise `CheckFailed` if two different ones have the same value."""
        with blamed(self):
            self._before = self._meanings()

    @override
    def record(self, entry: MatchEntry) -> None:
        """Keep an entry; after an interjection, compare the values that are left.

        Raise `CheckFailed` if a value means something else now.
        """
        super().record(entry)
        if entry[0] != INTERJECT:
            return
        after = self._meanings()
        for place, meant in self._before.items():
            for value, now in after.get(place, {}).items():
                was = meant.get(value)
                if was not in (None, now) and now in meant.values():
                    raise self.failure(
                        f"A value of {place.name!r} meant {was} to seat {place.seat}, and means {now} once "
                        f"seat {entry[1]} has done {entry[2]!r}: a choice's value has to be the thing itself."
                    )

    def _meanings(self) -> dict[_Place, _Meanings]:
        match = self.match
        return {
            _Place(seat, name, field): self._told_apart(name, match, choices)
            for seat in range(len(match.status))
            for name, question in match.standing(seat).items()
            for field, choices in _lists(question)
        }

    def _told_apart(self, name: str, match: Match, choices: tuple[Choice, ...]) -> _Meanings:
        found: dict[bytes, _Meaning] = {}
        for choice in choices:
            value = pack(match.chosen(choice.value))
            meaning = _Meaning(str(choice.label), repr(dict(choice.params)), choice.at)
            if found.setdefault(value, meaning) != meaning:
                raise self.failure(
                    f"{name!r} offers {found[value]} and {meaning}, and both have the same value."
                )
        return found


class _WatchedSource(OpenSource):
    """A source with bots that interject; the choices are remembered before each interjection."""

    def __init__(self, kept: _Watched) -> None:
        super().__init__(kept.case.seed, [Meddler() for _ in range(kept.case.seats)], kept.record)
        self._kept = kept

    @override
    def _invite(self, bot: Bot, seat: int, standing: Mapping[str, Question]) -> None:
        self._kept.look()
        super()._invite(bot, seat, standing)


def _lists(question: Question, field: str = "") -> Iterator[tuple[str, tuple[Choice, ...]]]:
    """Yield the lists of choices in a question, each with its field in a form."""
    match question.shape():
        case Fieldset(fields):
            for name, _, part in fields:
                yield from _lists(part, f"{field}.{name}")
        case Branching(first, then):
            for part in (first, *filter(None, then)):
                yield from _lists(part, field)
        case Choices(choices):
            yield field, choices
        case Number() | Writing():
            pass
