"""Questions to a seat, with their legal answers enumerated.

A question is frozen data and is made once where it never changes. An answer travels as an
*index form* (which choice, which choices, which number) that is checked against the question on
every machine; `value_of` turns it into what the rule asked for. Only questions may live here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import comb
from typing import Any, Protocol, TypeVar, runtime_checkable

from tavolata.cards import Card
from tavolata.errors import GameError, Refused
from tavolata.messages import N_
from tavolata.ring import Seat

V = TypeVar("V")

Answer = int | tuple[Any, ...]
"""The index form of an answer: plain data of integers."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One legal answer.

    Attributes:
        value: what the rule gets: plain data, a seat, a card.
        label: what a person reads; a message id. Empty: the value speaks for itself.
        thing: id of the piece or card that it stands for, where a screen can point at it.
        params: what the label's fields stand for.
    """

    value: Any
    label: str = ""
    thing: str | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class No:
    """Something that can't be answered now, with the reason; shown beside the legal choices.

    Attributes:
        label: what it is; a message id.
        reason: why not; a message id.
        params: what the fields of both stand for.
        values: the answers that are meant: who tries one of them is told this reason.
    """

    label: str
    reason: str
    params: Mapping[str, Any] = field(default_factory=dict)
    values: tuple[Any, ...] = ()


@runtime_checkable
class Kind(Protocol):
    """What every kind of question can do."""

    def check(self, answer: object) -> Answer:
        """The answer, if it is legal.

        Raises:
            Refused: it is not; the reason says why.
        """
        ...

    def value_of(self, answer: Any) -> Any:
        """What a checked answer means."""
        ...

    def answer_for(self, value: Any) -> Answer:
        """The answer that means this value.

        Raises:
            Refused: no legal answer does.
        """
        ...

    def count(self) -> int:
        """How many legal answers there are."""
        ...

    def nth(self, number: int) -> Answer:
        """The legal answer of this number, 0 <= number < count()."""
        ...


class OneOf:
    """One of some choices; the answer is its place in the list.

    Attributes:
        choices: at least one.
        not_now: what is not legal, with its reason.
    """

    __slots__ = ("choices", "not_now", "values")

    def __init__(self, choices: Iterable[Choice], not_now: Iterable[No] = ()) -> None:
        self.choices = tuple(choices)
        self.not_now = tuple(not_now)
        self.values = tuple(choice.value for choice in self.choices)
        if not self.choices:
            raise GameError("A question needs at least one legal answer.")

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if type(answer) is int and 0 <= answer < len(self.choices):
            return answer
        raise Refused(N_("Choose a number from 1 to {n}."), n=len(self.choices))

    def value_of(self, answer: int) -> Any:
        """See `Kind`."""
        return self.values[answer]

    def answer_for(self, value: Any) -> Answer:
        """See `Kind`; of what can't be answered now, the reason is told."""
        try:
            return _place_of(value, self.values)
        except Refused:
            for no in self.not_now:
                if any(type(one) is type(value) and one == value for one in no.values):
                    raise Refused(no.reason, **no.params) from None
            raise

    def count(self) -> int:
        """See `Kind`."""
        return len(self.choices)

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        return number


class SomeOf:
    """Some of the choices, each at most once; the answer lists their places, rising.

    Attributes:
        choices: what can be taken.
        low, high: how many, both included.
    """

    __slots__ = ("choices", "high", "low", "values")

    def __init__(self, choices: Iterable[Choice], low: int, high: int) -> None:
        self.choices = tuple(choices)
        self.values = tuple(choice.value for choice in self.choices)
        self.low = low
        self.high = min(high, len(self.choices))
        if not 0 <= low <= self.high:
            raise GameError(f"{low} to {high} of {len(self.choices)} choices can't be answered.")

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if isinstance(answer, list | tuple) and all(type(place) is int for place in answer):
            places = tuple(sorted(set(answer)))
            if len(places) == len(answer) and all(0 <= place < len(self.choices) for place in places):
                if self.low <= len(places) <= self.high:
                    return places
                if self.low == self.high:
                    raise Refused(N_("Choose exactly {n}."), n=self.low)
                raise Refused(N_("Choose between {low} and {high}."), low=self.low, high=self.high)
        raise Refused(N_("Choose different numbers from 1 to {n}."), n=len(self.choices))

    def value_of(self, answer: tuple[int, ...]) -> list[Any]:
        """See `Kind`."""
        return [self.values[place] for place in answer]

    def answer_for(self, value: Iterable[Any]) -> Answer:
        """See `Kind`."""
        places: list[int] = []
        for part in value:
            places.append(_place_of(part, self.values, places))
        return self.check(places)

    def count(self) -> int:
        """See `Kind`."""
        return sum(comb(len(self.choices), size) for size in range(self.low, self.high + 1))

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        for size in range(self.low, self.high + 1):
            many = comb(len(self.choices), size)
            if number < many:
                return _combination(len(self.choices), size, number)
            number -= many
        raise IndexError(number)


class Amount:
    """A number in a range with a step; the answer is the number itself."""

    __slots__ = ("high", "low", "step")

    def __init__(self, low: int, high: int, step: int = 1) -> None:
        if step < 1 or high < low:
            raise GameError(f"No amount lies between {low} and {high} in steps of {step}.")
        self.low = low
        self.high = low + (high - low) // step * step
        self.step = step

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if type(answer) is int and self.low <= answer <= self.high and (answer - self.low) % self.step == 0:
            return answer
        if self.step == 1:
            raise Refused(N_("Give a number from {low} to {high}."), low=self.low, high=self.high)
        raise Refused(
            N_("Give a number from {low} to {high} in steps of {step}."),
            low=self.low, high=self.high, step=self.step,
        )  # fmt: skip

    def value_of(self, answer: int) -> int:
        """See `Kind`."""
        return answer

    def answer_for(self, value: int) -> Answer:
        """See `Kind`."""
        return self.check(value)

    def count(self) -> int:
        """See `Kind`."""
        return (self.high - self.low) // self.step + 1

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        return self.low + number * self.step


class Form:
    """Several questions answered at once, by field name; the answer is a tuple in their order.

    Attributes:
        fields: the questions.
        labels: what a person reads for each field; message ids.
        different: why no two fields may have the same value, a message id (its field `value` is
            what stands there twice); empty where they may.
    """

    __slots__ = ("_legal", "different", "fields", "labels")

    def __init__(
        self, fields: Mapping[str, Kind], labels: Mapping[str, str] | None = None, *, different: str = ""
    ) -> None:
        self.fields = dict(fields)
        self.labels = dict(labels or {})
        self.different = different
        self._legal: list[Answer] | None = None
        if not self.fields:
            raise GameError("A form needs at least one field.")

    def check(self, answer: object) -> Answer:
        """See `Kind`."""
        if isinstance(answer, list | tuple) and len(answer) == len(self.fields):
            parts = tuple(kind.check(part) for kind, part in zip(self.fields.values(), answer, strict=True))
            if self.different and (twice := self._twice(parts)):
                raise Refused(self.different, value=twice[0])
            return parts
        raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))

    def _twice(self, parts: tuple[Any, ...]) -> list[Any]:
        """The values that stand in a field before, too."""
        values = list(self.value_of(parts).values())
        return [one for place, one in enumerate(values) if _is_among(one, values[:place])]

    def _all_different(self) -> list[Answer]:
        """The legal answers of a form whose fields may not be alike; such forms are small."""
        if self._legal is None:
            self._legal = [answers for answers, _ in _different(list(self.fields.values()))]
        return self._legal

    def value_of(self, answer: tuple[Any, ...]) -> dict[str, Any]:
        """See `Kind`."""
        return {
            name: kind.value_of(part) for (name, kind), part in zip(self.fields.items(), answer, strict=True)
        }

    def answer_for(self, value: Mapping[str, Any]) -> Answer:
        """See `Kind`."""
        if value.keys() != self.fields.keys():
            raise Refused(N_("Fill in all {n} fields."), n=len(self.fields))
        return self.check(tuple(kind.answer_for(value[name]) for name, kind in self.fields.items()))

    def count(self) -> int:
        """See `Kind`."""
        if self.different:
            return len(self._all_different())
        total = 1
        for kind in self.fields.values():
            total *= kind.count()
        return total

    def nth(self, number: int) -> Answer:
        """See `Kind`."""
        if self.different:
            return self._all_different()[number]
        parts: list[Answer] = []
        for kind in reversed(self.fields.values()):
            number, place = divmod(number, kind.count())
            parts.append(kind.nth(place))
        return tuple(reversed(parts))


def _place_of(value: object, values: Sequence[object], taken: Sequence[int] = ()) -> int:
    """The first place of a value that is not taken; True and 1 are different values."""
    for place, one in enumerate(values):
        if (one is value or _same(one, value)) and place not in taken:
            return place
    raise Refused(N_("That is not among the choices."))


def _different(kinds: Sequence[Kind]) -> list[tuple[tuple[Answer, ...], tuple[Any, ...]]]:
    """The answers to these questions, with their values, in which no value stands twice; in order."""
    found: list[tuple[tuple[Answer, ...], tuple[Any, ...]]] = [((), ())]
    for kind in kinds:
        parts = [(answer, kind.value_of(answer)) for answer in map(kind.nth, range(kind.count()))]
        found = [
            ((*answers, answer), (*values, value))
            for answers, values in found
            for answer, value in parts
            if not _is_among(value, values)
        ]
    return found


def _same(one: object, other: object) -> bool:
    return one is other or (type(one) is type(other) and one == other)


def _is_among(value: object, values: Sequence[object]) -> bool:
    return any(_same(one, value) for one in values)


def _combination(things: int, size: int, number: int) -> tuple[int, ...]:
    """The combination of this number in rising order, without making those before it: they may be many."""
    places: list[int] = []
    place = 0
    while len(places) < size:
        with_this = comb(things - place - 1, size - len(places) - 1)
        if number < with_this:
            places.append(place)
        else:
            number -= with_this
        place += 1
    return tuple(places)


def one_of(choices: Iterable[object], not_now: Iterable[No] = ()) -> OneOf:
    """A question for one of these values; wrap a value in `Choice` to give it a label."""
    return OneOf(_choices(choices), not_now)


def some_of(choices: Iterable[object], low: int, high: int) -> SomeOf:
    """A question for `low` to `high` of these values."""
    return SomeOf(_choices(choices), low, high)


def amount(low: int, high: int, step: int = 1) -> Amount:
    """A question for a number."""
    return Amount(low, high, step)


def form(**fields: Kind) -> Form:
    """A question of several fields."""
    return Form(fields)


def _choices(values: Iterable[object]) -> list[Choice]:
    return [value if isinstance(value, Choice) else Choice(value) for value in values]


YES_NO = OneOf([Choice(True, N_("yes")), Choice(False, N_("no"))])
"""A question for yes or no."""

GO = OneOf([Choice(True, N_("go on"))])
"""A question with one answer: a key that lets the match go on."""


@dataclass(frozen=True, slots=True)
class Claim:
    """What choosing a card says of its hidden face.

    It is checked on its owner's machine at once, and on all machines when the face becomes public.

    Attributes:
        rule: name of the game's method `(face, *args) -> bool`, pure.
        args: plain data for it.
        reason: why an answer is refused; a message id.
    """

    rule: str
    args: tuple[Any, ...] = ()
    reason: str = N_("That card does not fit.")


class Ask:
    """A question that is open at the table now.

    Attributes:
        id: its number in the match, from 1.
        seat: who is asked.
        kind: what is asked.
        you, others: the prompt in its two voices, message ids.
        params: what the prompt's fields stand for.
        seconds: when time runs out; None never.
        otherwise: the answer that counts then, in its index form.
        claim: what the answer says of the faces of the cards chosen.
        sealed: whether the answer is shown only when all are in, or not even then.
        shown_to: seats that may look at a sealed answer with its owner.
        answer: the answer in its index form once it is known here; None before.
        box: what stands in the log for a sealed answer that is not open yet.
    """

    __slots__ = (
        "answer",
        "box",
        "claim",
        "id",
        "kind",
        "others",
        "otherwise",
        "params",
        "sealed",
        "seat",
        "seconds",
        "shown_to",
        "you",
    )

    def __init__(
        self,
        number: int,
        seat: Seat,
        kind: Kind,
        you: str = "",
        others: str = "",
        params: Mapping[str, Any] | None = None,
        seconds: float | None = None,
        otherwise: Answer | None = None,
        *,
        sealed: bool = False,
        shown_to: tuple[Seat, ...] = (),
        claim: Claim | None = None,
    ) -> None:
        self.id = number
        self.seat = seat
        self.kind = kind
        self.you = you
        self.others = others
        self.params = params or {}
        self.seconds = seconds
        self.otherwise = otherwise
        self.sealed = sealed
        self.shown_to = shown_to
        self.claim = claim
        self.answer: Answer | None = None
        self.box: bytes | None = None

    @property
    def value(self) -> Any:
        """What the answer means to the rule."""
        return self.kind.value_of(self.answer)


def cards_in(value: object) -> list[Card[Any]]:
    """The cards that an answer's value names."""
    if isinstance(value, Card):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return [card for part in parts for card in cards_in(part)]
