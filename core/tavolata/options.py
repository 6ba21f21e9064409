"""House rules of a game: a frozen dataclass whose fields describe their possible values."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from inspect import isfunction
from typing import Any, Self, get_type_hints

from tavolata._blame import function_place
from tavolata._text import as_typed, fill, one_line
from tavolata.choices import WRITABLE
from tavolata.errors import GameError, OptionError
from tavolata.messages import N_

NO_SUCH_OPTION = N_("No house rule called {name}. Choose from {known}.")
NO_OPTIONS = N_("No house rule called {name}. This game has none.")
ONE_OF = N_("{name} must be one of {known}, not {value}.")
WHOLE_NUMBER = N_("{name} must be a whole number, not {value}.")
BETWEEN = N_("{name} must be from {low} to {high}, not {value}.")
AT_LEAST = N_("{name} must be at least {low}, not {value}.")
AT_MOST = N_("{name} must be at most {high}, not {value}.")
IN_STEPS = N_("{name} must be {low} or more, in steps of {step}, not {value}.")
FOR_SEATS = N_(
    "With {seats} players, {name} must be {default}. You can change it with {low} to {high} players."
)
ONLY_WHEN = N_("{name} must be {default} unless {other} is {known}.")


@dataclass(frozen=True, init=False)
class Problem:
    """Why house rules can't be played together: `Problem("saldo", N_("Saldo needs {n} jokers."), n=2)`.

    Attributes:
        option: the name of the option that must be changed.
        message: the reason; a message id.
        params: the values of its fields.
    """

    option: str
    message: str
    params: Mapping[str, Any]

    def __init__(self, option: str, message: str, /, **params: Any) -> None:
        for name, value in (("option", option), ("message", message), ("params", params)):
            object.__setattr__(self, name, value)

    def __str__(self) -> str:
        """Return the English sentence."""
        return fill(self.message, self.params)


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of a game's options; subclass it with `@dataclass(frozen=True, kw_only=True)`.

    Fields are of type bool, int, str or an Enum whose values are words, each made by `option`.
    """

    @classmethod
    def describe(cls) -> list[OptionSpec]:
        """Every option in the order of the class."""
        known: Any = cls  # a class can be hashed, whatever its instances can
        return [*_described(known)]

    @classmethod
    def offered(cls, values: Mapping[str, object], seats: int | None = None) -> list[OptionSpec]:
        """Return the options that can be set with these values and this many seats."""
        return [spec for spec in cls.describe() if spec.is_offered(values, seats)]

    @classmethod
    def parse(cls, given: Mapping[str, Any], seats: int | None = None) -> Self:
        """Make options from words (of a command line or a lobby) or values; the others have their default.

        Args:
            given: words or values by name.
            seats: the seats of the table; None if nobody knows them yet.

        Raises:
            OptionError: a name or a value is wrong, or there is no such choice beside the others or with so
                many seats; the sentence lists what is possible.
        """
        specs = {spec.name: spec for spec in cls.describe()}
        for name in given:
            if name not in specs:
                if not specs:
                    raise OptionError(NO_OPTIONS, name=one_line(name, 40))
                raise OptionError(NO_SUCH_OPTION, name=one_line(name, 40), known=", ".join(specs))
        made = cls(**{name: specs[name].read(value) for name, value in given.items()})
        refuse_first(_misplaced(made, seats))
        return made

    def __init_subclass__(cls) -> None:
        """Refuse `problems` as it was before it got the number of teams.

        Raises:
            GameError: it takes seats only.
        """
        super().__init_subclass__()
        problems = vars(cls).get("problems")
        if isfunction(problems) and problems.__code__.co_argcount == 2:
            raise GameError(
                f"{function_place(problems)}: `problems` of {cls.__name__} gets the number of teams, too: "
                "`def problems(self, seats, teams)`."
            )

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """Why these house rules can't be played by this many seats in this many teams, 0 without; pure."""
        return ()

    def plain(self) -> dict[str, bool | int | str]:
        """Return the values by name, an Enum's as its word, for a header and for `parse`."""
        return {field.name: _plain(getattr(self, field.name)) for field in dataclasses.fields(self)}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """The description of one option: its name, its possible values, its help.

    Attributes:
        title: what people call it, a message id; "" if that is its name.
        step: numbers are `low`, or more by a multiple of this.
        seats: the fewest and the most seats with which it is offered; None with any.
        when: by the name of another option, its value, or a tuple of values, with which this one is offered.
        off: whether a number may be 0, which is written "off", whatever its limits are.
    """

    name: str
    type: type
    default: Any
    help: str = ""
    title: str = ""
    low: int | None = None
    high: int | None = None
    step: int = 1
    seats: tuple[int, int] | None = None
    when: Mapping[str, object] = dataclasses.field(default_factory=dict)
    off: bool = False

    def is_offered(self, values: Mapping[str, object], seats: int | None = None) -> bool:
        """Return True if it can be set beside these values of others; otherwise it has its default.

        Args:
            values: the values of all options, also as plain data.
            seats: the seats of the table; None if nobody knows them yet.
        """
        low, high = self.seats or (0, 0)
        fits = seats is None or self.seats is None or low <= seats <= high
        return fits and not any(
            _plain(values[name]) not in _wanted(value) for name, value in self.when.items()
        )

    def choices(self) -> list[str]:
        """Return the possible words of a bool or an Enum; empty for numbers and texts."""
        if self.type is bool:
            return ["yes", "no"]
        if issubclass(self.type, Enum):
            return [str(member.value) for member in self.type]
        return []

    def read(self, value: object) -> Any:
        """Return the value of the option from a word or a value.

        Raises:
            OptionError: the option can't have this value.
        """
        if self.type is bool:
            return self._word(
                {"yes": True, "no": False, "true": True, "false": False, "on": True, "off": False}, value
            )
        if issubclass(self.type, Enum):
            return self._word({str(member.value): member for member in self.type}, value)
        if self.type is int:
            return self._number(value)
        return str(value)

    def _word(self, words: Mapping[str, object], value: object) -> object:
        if any(value is meant for meant in words.values()):
            return value
        given = str(value).casefold()
        for word, meant in words.items():
            if word.casefold() == given:
                return meant
        raise OptionError(ONE_OF, name=self.name, known=", ".join(self.choices()), value=one_line(value, 40))

    def _number(self, value: object) -> int:
        if self.off and str(value).casefold() in ("off", "0"):
            return 0
        try:
            number = int(str(value))
        except ValueError:
            raise OptionError(WHOLE_NUMBER, name=self.name, value=one_line(value, 40)) from None
        low, high = self.low, self.high
        if number not in WRITABLE:
            low = WRITABLE[0] if low is None else low
            high = WRITABLE[-1] if high is None else high
        out_of_reach = beyond(number, low, high)
        if out_of_reach:
            limits = {"low": low, "high": high}
            raise OptionError(out_of_reach, name=self.name, value=number, **limits)
        if (number - (self.low or 0)) % self.step:
            raise OptionError(IN_STEPS, name=self.name, low=self.low or 0, step=self.step, value=number)
        return number


def beyond(number: float, low: float | None, high: float | None) -> str:
    """Return the message for a number that is not between low and high; "" if it is.

    Args:
        number: the number.
        low: the smallest number allowed; None for no limit.
        high: the largest number allowed; None for no limit.
    """
    if (low is None or number >= low) and (high is None or number <= high):
        return ""
    if low is None:
        return AT_MOST
    return AT_LEAST if high is None else BETWEEN


def option(
    default: Any,
    help: str,  # noqa: A002 - the word that option libraries use
    *,
    title: str = "",
    low: int | None = None,
    high: int | None = None,
    step: int = 1,
    seats: tuple[int, int] | None = None,
    when: Mapping[str, object] = {},
    off: bool = False,
) -> Any:
    """Return a field of `Options`: its default, one sentence for `--help` and the lobby, its limits.

    Where `seats` and `when` don't allow it, it is not offered, and has its default.

    Args:
        default: its value if nobody sets it.
        help: what it does, in one sentence.
        title: what people call it on the screen, in a word or two, marked by `N_`; without it, its name.
        low: the smallest number.
        high: the largest number.
        step: numbers are `low`, or more by a multiple of this.
        seats: the fewest and the most seats with which it is offered.
        when: with which values of other options it is offered: `{"talk": (Talk.OFFER, Talk.CHAT)}`.
        off: whether a number can be "off", too, which is 0.
    """
    described = {
        "help": help,
        "title": title,
        "low": low,
        "high": high,
        "step": step,
        "seats": seats,
        "when": when,
        "off": off,
    }
    return dataclasses.field(default=default, metadata=described)


def problems_of(options: Options, seats: int, teams: int) -> list[Problem]:
    """Why this many can't play by these house rules: what is set where it is not offered, and `problems`."""
    kind: Any = type(options)  # a class can be hashed, whatever its instances can
    misplaced = () if options == _usual(kind) else _misplaced(options, seats)
    return [*misplaced, *options.problems(seats, teams)]


def refuse_first(problems: Iterable[Problem]) -> None:
    """Refuse house rules that have problems.

    Raises:
        OptionError: there is one; the sentence is that of the first.
    """
    for problem in problems:
        raise OptionError(problem.message, **problem.params)


def _misplaced(options: Options, seats: int | None) -> Iterator[Problem]:
    """Return what is set where it is not offered."""
    changed = [spec for spec in options.describe() if getattr(options, spec.name) != spec.default]
    values = options.plain() if changed else {}
    for spec in changed:
        if spec.is_offered(values, seats):
            continue
        usual = as_typed(_plain(spec.default))
        if not spec.is_offered(values):
            other = next(name for name in spec.when if _plain(values[name]) not in _wanted(spec.when[name]))
            known = ", ".join(map(as_typed, _wanted(spec.when[other])))
            yield Problem(spec.name, ONLY_WHEN, name=spec.name, default=usual, other=other, known=known)
        else:
            low, high = spec.seats or (0, 0)
            yield Problem(
                spec.name, FOR_SEATS, name=spec.name, default=usual, low=low, high=high, seats=seats
            )


@cache
def _usual(options: type[Options]) -> Options:
    """Return the house rules if nobody sets any; nothing of them is misplaced."""
    return options()


@cache
def _described(options: type[Options]) -> tuple[OptionSpec, ...]:
    hints = get_type_hints(options)
    return tuple(
        OptionSpec(field.name, hints[field.name], field.default, **field.metadata)
        for field in dataclasses.fields(options)
    )


def _wanted(value: object) -> tuple[object, ...]:
    """Return the plain values that `when` names."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else (_plain(value),)


def _plain(value: Any) -> Any:
    return value.value if isinstance(value, Enum) else value
