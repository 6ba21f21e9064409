"""The contract of a kind of question, the shapes it can have, and the registry of all kinds.

A kind is registered by being defined: `class Ranking(Kind, name="ranking")`. Faces, scripts and
programs know no kinds, only shapes: a question lets one choose among numbered choices, give a number,
or fill in fields that are questions themselves. Nothing else has to be drawn, read or pressed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, NamedTuple

from tavolata.choices import Answer, Choice, No

KINDS: dict[str, type[Kind]] = {}
"""Every kind of question by its name."""

Means = Callable[[Choice, Any], bool]
"""Whether a choice is what somebody meant who wrote this."""


class Choices(NamedTuple):
    """Choose among these; what is given is the places of those chosen, in the order of choosing.

    Attributes:
        choices: what can be chosen.
        low, high: how many, both included.
        several: whether choices are taken one by one and then answered; else pointing at one is enough.
        ordered: whether the order of choosing means something.
        not_now: what is not legal, with its reason.
    """

    choices: tuple[Choice, ...]
    low: int = 1
    high: int = 1
    several: bool = False
    ordered: bool = False
    not_now: tuple[No, ...] = ()


class Number(NamedTuple):
    """Give a number from `low` to `high` in steps; `default` is meant where nothing is typed."""

    low: int
    high: int
    step: int = 1
    default: int | None = None


class Field(NamedTuple):
    """One question among several: its name for programs, its label for people, and what is asked."""

    name: str
    label: str
    kind: Kind


class Fieldset(NamedTuple):
    """Answer all of these; what is given is their answers in this order.

    Attributes:
        fields: the questions.
        different: whether no two of them may have the same value.
    """

    fields: tuple[Field, ...]
    different: bool = False


Shape = Choices | Number | Fieldset


class Kind(ABC):
    """What every kind of question can do.

    Attributes:
        name: what the kind is called in saved matches and for programs.
    """

    __slots__ = ()
    name: ClassVar[str]

    def __init_subclass__(cls, *, name: str) -> None:
        super().__init_subclass__()
        cls.name = name
        KINDS[name] = cls

    # -- what is legal ----------------------------------------------------------------------------

    @abstractmethod
    def check(self, answer: object) -> Answer:
        """The answer, if it is legal.

        Raises:
            Refused: it is not; the reason says why.
        """

    def check_begun(self, parts: Sequence[Answer]) -> None:
        """See whether some answer begins so, where a question has several fields.

        Args:
            parts: legal answers to so many of the fields, in their index form.

        Raises:
            Refused: none does; the reason says why.
        """
        return

    # -- what it means ----------------------------------------------------------------------------

    @abstractmethod
    def value_of(self, answer: Any) -> Any:
        """What a checked answer means."""

    @abstractmethod
    def answer_for(self, value: Any, means: Means | None = None) -> Answer:
        """The answer that means this value.

        Args:
            value: what a rule would get.
            means: finds the choice where none has this very value: scripts name things in words.

        Raises:
            Refused: no legal answer does.
        """

    # -- all answers ------------------------------------------------------------------------------

    @abstractmethod
    def count(self) -> int:
        """How many legal answers there are."""

    @abstractmethod
    def nth(self, number: int) -> Answer:
        """The legal answer of this number, 0 <= number < count()."""

    # -- how it is put to people and programs -------------------------------------------------------

    @abstractmethod
    def shape(self) -> Shape:
        """How it is put: as choices, a number, or fields."""

    @abstractmethod
    def answer_from(self, given: Any) -> object:
        """The answer that is meant by what was given to its shape; None where nothing is. Not checked yet."""

    # -- how it is kept -----------------------------------------------------------------------------

    @abstractmethod
    def kept(self) -> tuple[Any, ...]:
        """What decides its answers, as plain data."""

    @classmethod
    @abstractmethod
    def restored(cls, *kept: Any) -> Kind:
        """The question of which this was kept."""


def choices_of(kind: Kind) -> tuple[Choice, ...]:
    """The choices of a question to which each of them alone is an answer; else none."""
    shape = kind.shape()
    return shape.choices if isinstance(shape, Choices) and not shape.several else ()
