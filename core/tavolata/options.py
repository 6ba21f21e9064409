"""House rules of a game: a frozen dataclass whose fields describe their possible values."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self, get_type_hints

from tavolata._text import one_line
from tavolata.errors import OptionError
from tavolata.messages import N_

NO_SUCH_OPTION = N_("There is no house rule {name}; this game has {known}.")
NO_OPTIONS = N_("There is no house rule {name}; this game has none at all.")
ONE_OF = N_("{name} is one of {known}, not {value}.")
WHOLE_NUMBER = N_("{name} is a whole number, not {value}.")
BETWEEN = N_("{name} lies between {low} and {high}, not at {value}.")
AT_LEAST = N_("{name} is at least {low}, not {value}.")
AT_MOST = N_("{name} is at most {high}, not {value}.")


@dataclass(frozen=True, kw_only=True)
class Options:
    """Base of a game's options; subclass it with `@dataclass(frozen=True, kw_only=True)`.

    Fields are of type bool, int, str or an Enum whose values are words, each made by `option`.
    """

    @classmethod
    def describe(cls) -> list[OptionSpec]:
        """Every option in the order of the class."""
        hints = get_type_hints(cls)
        return [
            OptionSpec(field.name, hints[field.name], field.default, **field.metadata)
            for field in dataclasses.fields(cls)
        ]

    @classmethod
    def parse(cls, given: Mapping[str, Any]) -> Self:
        """Make options from words (of a command line or a lobby) or values; the others have their default.

        Raises:
            OptionError: a name or a value is wrong; the sentence lists the possible ones.
        """
        specs = {spec.name: spec for spec in cls.describe()}
        for name in given:
            if name not in specs:
                if not specs:
                    raise OptionError(NO_OPTIONS, name=one_line(name, 40))
                raise OptionError(NO_SUCH_OPTION, name=one_line(name, 40), known=", ".join(specs))
        return cls(**{name: specs[name].read(value) for name, value in given.items()})

    def check_seats(self, seats: int) -> None:
        """Refuse a table of so many seats, if these house rules don't suit it; usually they do.

        Raises:
            OptionError: they don't; the sentence says why.
        """
        return

    def plain(self) -> dict[str, bool | int | str]:
        """The options as plain data, for a header and for `parse`."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """The description of one option: its name, its possible values, its help.

    Attributes:
        off: whether a number may be 0, which is written "off", whatever its limits are.
    """

    name: str
    type: type
    default: Any
    help: str = ""
    low: int | None = None
    high: int | None = None
    off: bool = False

    def choices(self) -> list[str]:
        """The possible words of a bool or an Enum; empty for numbers and texts."""
        if self.type is bool:
            return ["yes", "no"]
        if issubclass(self.type, Enum):
            return [str(member.value) for member in self.type]
        return []

    def read(self, value: object) -> Any:
        """The value of the option from a word or a value.

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
        out_of_reach = beyond(number, self.low, self.high)
        if out_of_reach:
            limits = {"low": self.low, "high": self.high}
            raise OptionError(out_of_reach, name=self.name, value=number, **limits)
        return number


def beyond(number: float, low: float | None, high: float | None) -> str:
    """The message for a number that is not between low and high; "" if it is.

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
    low: int | None = None,
    high: int | None = None,
    off: bool = False,
) -> Any:
    """A field of `Options`: its default, one sentence for `--help` and the lobby, its limits.

    A number with `off` can be "off" too, which is 0.
    """
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high, "off": off})
