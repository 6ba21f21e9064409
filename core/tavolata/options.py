"""House rules of a game: a frozen dataclass whose fields say what they may be.

Only reading, checking and describing options may live here.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Self, get_type_hints

from tavolata.errors import OptionError


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
        """Make options from words (a command line, a lobby) or values; the rest is default.

        Raises:
            OptionError: an unknown name or a value it can't take; the sentence lists what can be.
        """
        specs = {spec.name: spec for spec in cls.describe()}
        for name in given:
            if name not in specs:
                known = ", ".join(specs) or "none at all"
                raise OptionError(f"There is no option {name!r}; this game has {known}.")
        return cls(**{name: specs[name].read(value) for name, value in given.items()})

    def plain(self) -> dict[str, bool | int | str]:
        """The options as plain data, fit for a header and for `parse`."""
        values = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        return {name: value.value if isinstance(value, Enum) else value for name, value in values.items()}


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """One option: what it is called, what it may be, what it does."""

    name: str
    type: type
    default: Any
    help: str = ""
    low: int | None = None
    high: int | None = None

    def choices(self) -> list[str]:
        """The words it can be set to, for a bool or an Enum; empty for numbers and texts."""
        if self.type is bool:
            return ["yes", "no"]
        if issubclass(self.type, Enum):
            return [str(member.value) for member in self.type]
        return []

    def read(self, value: object) -> Any:
        """The value that these words, or this value, stand for.

        Raises:
            OptionError: it can't be that.
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
        raise OptionError(f"{self.name} is one of {', '.join(self.choices())}, not {value!r}.")

    def _number(self, value: object) -> int:
        try:
            number = int(str(value))
        except ValueError:
            raise OptionError(f"{self.name} is a whole number, not {value!r}.") from None
        if (self.low is not None and number < self.low) or (self.high is not None and number > self.high):
            raise OptionError(f"{self.name} lies between {self.low} and {self.high}, not at {number}.")
        return number


def option(default: Any, help: str, *, low: int | None = None, high: int | None = None) -> Any:  # noqa: A002 - the word that option libraries use
    """A field of `Options`: its default, one sentence for `--help` and the lobby, its limits."""
    return dataclasses.field(default=default, metadata={"help": help, "low": low, "high": high})
