"""The contract of a kind of question, the shapes it can have, and the registry of all kinds.

A kind is registered by being defined: `class Ranking(Question, name="ranking")`. Frontends, scripts and
programs know no kinds, only shapes: a question lets one choose among numbered choices, give a number,
write a text, fill in fields that are questions themselves, or choose and then answer what follows.
Nothing else has to be drawn, read or pressed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Generic, NamedTuple, Protocol

from tavolata.choices import MOST, Answer, Choice, Unavailable, V_co

KINDS: dict[str, type[Question]] = {}
"""Every kind of question by its name."""

Means = Callable[[Choice, Any], bool]
"""Returns whether a choice is meant by something that a person wrote."""


class Choices(NamedTuple):
    """Choose among these; what is given is the places of those chosen, in the order of choosing.

    Attributes:
        choices: what can be chosen.
        low, high: how many, both included.
        several: whether choices are taken one by one and then answered; otherwise pointing at one is enough.
        ordered: whether the order of choosing means something.
        unavailable: what is not legal, with its reason.
    """

    choices: tuple[Choice, ...]
    low: int = 1
    high: int = 1
    several: bool = False
    ordered: bool = False
    unavailable: tuple[Unavailable, ...] = ()


class Number(NamedTuple):
    """Give a number from `low` to `high` in steps; `default` is meant where nothing is typed."""

    low: int
    high: int
    step: int = 1
    default: int | None = None


class Writing(NamedTuple):
    """Write a text of `low` to `high` signs, with these `signs` only; programs choose among `suggestions`."""

    low: int
    high: int
    signs: str
    suggestions: tuple[str, ...]


class Field(NamedTuple):
    """One question among several: its name for programs, its label for people, and what is asked."""

    name: str
    label: str
    question: Question


class Fieldset(NamedTuple):
    """Answer all of these; what is given is their answers in this order.

    Attributes:
        fields: the questions.
        make: what makes the value of the fields' values.
        different: why no two fields may have equal answers; a message id, "" where they may.
    """

    fields: tuple[Field, ...]
    make: Callable[..., Any] = dict
    different: str = ""


class Branching(NamedTuple):
    """Choose among `first`, then answer the question that follows; what is given is the two parts.

    Attributes:
        first: the question for a choice.
        then: for each choice, the question that follows; None if there isn't one.
    """

    first: Question
    then: tuple[Question | None, ...]


Shape = Choices | Number | Writing | Fieldset | Branching


class AnswerPart(NamedTuple):
    """One of the next parts of an answer that is given part by part; see `Question.parts`.

    Attributes:
        begun: the parts up to this one, for the next call.
        value: what this part stands for: a value, a digit; None for "no more".
        number: the number of the answer, if it is whole with this part; otherwise None.
    """

    begun: tuple[int, ...]
    value: object
    number: int | None


class RandomNumbers(Protocol):
    """Random numbers, such as a bot's `Chance`."""

    def below(self, limit: int) -> int:
        """Return a number from 0 to limit - 1."""


class Question(ABC, Generic[V_co]):
    """The contract of a kind of question, whose answers have values of type V.

    Authors and bots need values only: `count`, `nth`, `index` and `any` number them from 0, in the same order
    on all machines. The other methods are for the engine and for frontends; an `Answer` is in its index form.

    Attributes:
        name: the name of the kind in saved matches and for programs.
    """

    __slots__ = ()
    name: ClassVar[str]

    def __init_subclass__(cls, *, name: str) -> None:
        super().__init_subclass__()
        cls.name = name
        KINDS[name] = cls

    # -- values -----------------------------------------------------------------------------------

    @abstractmethod
    def count(self) -> int:
        """How many legal answers there are."""

    def nth(self, number: int) -> V_co:
        """Return the value of the legal answer of this number, 0 <= number < count().

        Raises:
            IndexError: there aren't this many.
        """
        return self.value_of(self.answer_at(number))

    def index(self, value: object) -> int:
        """Return the number of the legal answer that has this value; of several, the first.

        Raises:
            Refused: no legal answer has it.
        """
        return self.number_of(self.answer_for(value))

    def any(self, chance: RandomNumbers) -> V_co:
        """Return the value of any legal answer, all equally likely."""
        return self.nth(chance.below(self.count()))

    def parts(self, begun: tuple[int, ...] = ()) -> Sequence[AnswerPart]:
        """Return what may follow after these parts of an answer; nothing if it is whole.

        A question of at most 512 answers has one part, the whole answer. Of another, a part is one choice
        more (or no more), one field, or one digit of the answer's number: at most 513 at once, however many
        answers there are. This is how searchers and learners go through them.

        Raises:
            IndexError: no answer begins so.
        """
        if self.count() > MOST:
            return list(self.steps(begun))
        return (
            []
            if begun
            else [AnswerPart((number,), self.nth(number), number) for number in range(self.count())]
        )

    def steps(self, begun: tuple[int, ...]) -> Iterator[AnswerPart]:
        """Return the parts of a question of more than 512 answers; by default the digits of their numbers."""
        digits = (self.count() - 1).bit_length() + 7 >> 3
        left = 256 ** (digits - len(begun)) >> 8
        first = 0
        for digit in begun:
            first = first * 256 + digit
        for digit in range(256 if left else 0):
            number = (first * 256 + digit) * left
            if number < self.count():
                yield AnswerPart((*begun, digit), digit, number if left == 1 else None)

    # -- what is legal ----------------------------------------------------------------------------

    @abstractmethod
    def check(self, answer: object) -> Answer:
        """Return the answer, if it is legal.

        Raises:
            Refused: it is not; the reason says why.
        """

    # -- answers and their values -------------------------------------------------------------------

    @abstractmethod
    def value_of(self, answer: Any) -> V_co:
        """Return the value of a checked answer."""

    @abstractmethod
    def answer_for(self, value: Any, means: Means | None = None) -> Answer:
        """Return the answer that means this value.

        Args:
            value: the value that the rules would get.
            means: finds a choice if none has exactly this value, because scripts name things in words.

        Raises:
            Refused: no legal answer means this value.
        """

    @abstractmethod
    def answer_at(self, number: int) -> Answer:
        """Return the legal answer of this number, 0 <= number < count().

        Raises:
            IndexError: there aren't this many.
        """

    @abstractmethod
    def number_of(self, answer: Any) -> int:
        """Return the number of a checked answer."""

    # -- people and programs ------------------------------------------------------------------------

    @abstractmethod
    def shape(self) -> Shape:
        """Return the question's shape: choices, a number, a text, fields, or a branching."""

    def answer_from(self, given: Any) -> object:
        """Return the unchecked answer for an input to its shape, by default the same; None for no answer."""
        return given

    # -- saved matches ------------------------------------------------------------------------------

    @abstractmethod
    def kept(self) -> tuple[Any, ...]:
        """Return the parts that decide which answers are legal, as plain data."""

    @classmethod
    def restored(cls, *kept: Any) -> Question:
        """Return the question from the plain data of `kept`, usually the arguments of the class."""
        return cls(*kept)


def followed(question: Question, begun: tuple[int, ...]) -> tuple[int, int | None]:
    """How many of these parts belong to the question, and the number of its answer if they make it whole.

    Raises:
        IndexError: no answer begins so.
    """
    for used in range(1, len(begun) + 1):
        for part in question.parts(begun[: used - 1]):
            if part.begun == begun[:used]:
                break
        else:
            raise IndexError(begun)
        if part.number is not None:
            return used, part.number
    return len(begun), None


def beyond(numbers: Sequence[int]) -> int:
    """Return one number for those of several answers, of which one is a text that nobody suggested."""
    packed = bytearray(b"\1")
    for number in numbers:
        size = number.bit_length() + 7 >> 3
        packed += size.to_bytes(2, "big") + number.to_bytes(size, "big")
    return int.from_bytes(packed, "big")


def numbers_beyond(number: int) -> list[int]:
    """Return the numbers that `beyond` has put into one.

    Raises:
        IndexError: `beyond` never gives this number.
    """
    packed, found = number.to_bytes(number.bit_length() + 7 >> 3, "big")[1:], list[int]()
    while packed:
        size = 2 + int.from_bytes(packed[:2], "big")
        found.append(int.from_bytes(packed[2:size], "big"))
        packed = packed[size:]
    if beyond(found) != number:
        raise IndexError(number)
    return found


def has_text(question: Question) -> bool:
    """Return True if a person has to write a text for this question, or for a part of it."""
    match question.shape():
        case Writing():
            return True
        case Choices() | Number():
            return False
        case Fieldset(fields):
            return any(has_text(field.question) for field in fields)
        case Branching(_, then):
            return any(one is not None and has_text(one) for one in then)


def choices_of(question: Question[V_co]) -> tuple[Choice[V_co], ...]:
    """Return the choices of a question to which each of them alone is an answer; otherwise none."""
    shape = question.shape()
    return shape.choices if isinstance(shape, Choices) and not shape.several else ()
