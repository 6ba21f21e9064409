"""Choices of a question: the legal ones, and those that are not legal now, with the reason.

An answer is sent in its *index form*: the place of a choice, the places of several, a number, or a text.
Every machine checks it against the question. The kinds of questions are in `kinds`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from itertools import combinations
from typing import Any, Final, Generic, Literal, get_args

from typing_extensions import TypeVar

from tavolata._text import Verbatim
from tavolata.errors import GameError, Refused, check_words
from tavolata.messages import N_
from tavolata.ring import SEATS, Seat

V_co = TypeVar("V_co", covariant=True, default=Any)
"""The type of the values of an answer."""

Answer = int | str | tuple[Any, ...]
"""The index form of an answer: plain data of integers and texts."""
WRITABLE: Final = range(-(1 << 63), 1 << 64)
"""The numbers that a log and a state can hold."""


Mood = Literal["", "bold", "quiet", "costs"]
"""How a choice feels, for its colour."""
_MOODS = frozenset(get_args(Mood))


@dataclass(frozen=True, slots=True)
class Choice(Generic[V_co]):
    """One legal answer.

    Attributes:
        value: the value that the rules get: plain data, a seat or a card.
        label: the text for people, a message id; if it is empty, the label of its place on a board, or else
            the value itself is shown.
        at: what it stands for, so that a screen can point at it: a card, a seat, a `Spot` of a grid, the name
            of a token, or a pair of one of these and a column; a column that is a number names a square of
            the track.
        verb: what the act button says, a message id with the field `choice`; otherwise the question's verb.
        mood: "bold", "quiet" or "costs", or "".
        key: a letter that chooses it.
        more: a sentence shown while it is pointed at; a message id.
        params: the values of the fields of all of its messages.
    """

    value: V_co
    label: str = ""
    _: KW_ONLY
    at: Any = None
    verb: str = ""
    mood: Mood = ""
    key: str = ""
    more: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse a mood that nothing understands.

        Raises:
            GameError: it names the word that may be meant.
        """
        if self.mood not in _MOODS:
            check_words("Choice", mood=(self.mood, _MOODS))


@dataclass(frozen=True, slots=True)
class Unavailable:
    """A choice that is not legal now, with the reason; shown beside the legal choices.

    Attributes:
        label: the text for people; a message id.
        reason: why it is not legal; a message id.
        values: the values that it stands for; a player who tries one of them gets this reason.
        params: the values of the fields of both messages.
    """

    label: str
    reason: str
    values: tuple[Any, ...] = ()
    params: Mapping[str, Any] = field(default_factory=dict)


def labelled(values: Iterable[object]) -> list[Choice]:
    """Return these values as choices; a value that is a choice already stays as it is."""
    return [
        value if isinstance(value, Choice) else _SEATS[value] if type(value) is Seat else Choice(value)
        for value in values
    ]


_SEATS: Final = tuple(map(Choice, SEATS))
"""Choices never change, and seats are chosen most often: so one choice of each is enough."""

MOST: Final = 512
"""So many choices one question has at most: screens, programs and learners list them all."""


def listable(choices: Sequence[Choice]) -> None:
    """Refuse too many choices.

    Raises:
        GameError: there are too many.
    """
    if len(choices) > MOST:
        raise GameError(f"A question has at most {MOST} choices, not {len(choices)}; ask in several steps.")


def same(one: object, other: object) -> bool:
    """Return True for the same value; True and 1 are different, a text is one whoever wrote it."""
    return one is other or (_kind(one) is _kind(other) and one == other)


def differ(values: Sequence[object]) -> bool:
    """Return True if no two of these are the same value."""
    try:
        return len({(_kind(one), one) for one in values}) == len(values)
    except TypeError:  # a list has no hash
        return not any(same(one, other) for one, other in combinations(values, 2))


def _kind(value: object) -> type:
    kind = type(value)
    return str if kind is Verbatim else kind


def place_of(
    value: object,
    choices: Sequence[Choice],
    means: Callable[[Choice, Any], bool] | None = None,
    taken: Sequence[int] = (),
) -> int:
    """Return the first free place of a value; otherwise the first free place that it means.

    Raises:
        Refused: there is no such place.
    """
    kind = _kind(value)
    for place, choice in enumerate(choices):
        one = choice.value
        # As `same` says, which would be a call for each choice.
        fits = type(one) is kind or (type(one) is Verbatim and kind is str)
        if (one is value or (fits and one == value)) and place not in taken:
            return place
    if means is not None:
        for place, choice in enumerate(choices):
            if means(choice, value) and place not in taken:
                return place
    raise Refused(N_("That isn't one of the choices."))


def kept_choices(choices: Iterable[Choice]) -> list[tuple[Any, str]]:
    """Return the parts of choices that decide which answers are legal, as plain data."""
    return [(choice.value, str(choice.label)) for choice in choices]


def restored_choices(kept: Iterable[tuple[Any, str]]) -> list[Choice]:
    """Return the choices from the plain data of `kept_choices`."""
    return [Choice(value, label) for value, label in kept]
