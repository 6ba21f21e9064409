"""Errors that a game, a bot or a frontend can meet, each with a sentence that a person can act on."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from tavolata._text import fill

__all__ = [
    "FalseFact",
    "GameError",
    "HiddenFact",
    "OptionError",
    "PieceError",
    "Refused",
    "TavolataError",
]
"""What is for authors; the rest is for the engine."""


class TavolataError(Exception):
    """Base of all errors of the core; `str(error)` is one sentence for a person."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Go to another process with what can: `__init__` isn't called again."""
        return remade, (type(self), self.args, portable(vars(self)))


def remade(cls: type[Any], args: tuple[Any, ...], attributes: Mapping[str, Any]) -> Any:
    """Return an error as it was in another process."""
    error = cls.__new__(cls, *args)
    error.args = args
    vars(error).update(attributes)
    return error


def portable(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes of an error that another process can have; a table, for one, stays here."""
    import pickle  # noqa: PLC0415 - a start needs it not

    found = {}
    for name, value in attributes.items():
        with suppress(Exception):
            pickle.dumps(value)
            found[name] = value
    return found


class HiddenFact(TavolataError):  # not an AttributeError: `hasattr` would swallow a leak
    """A rule read a face that is not public; this is an error with every dealer, even one that knows it."""


def asker() -> str:
    """Return the function that reads something hidden: the caller of the property that calls this."""
    return f"`{sys._getframe(2).f_code.co_qualname}`"  # noqa: SLF001 - only CPython's frames name the caller


class MessageError(TavolataError):
    """An error that can be translated: its sentence is a message with fields.

    Args:
        message: the message id, as `Table.tell` takes it; `str(error)` is the English sentence.
        **params: the values of its fields.

    Attributes:
        package: the game whose catalogue has the message; "" for the program's own.
    """

    def __init__(self, message: str, /, **params: object) -> None:
        super().__init__(message)
        self.message = message
        self.params = params
        self.package = ""

    def __str__(self) -> str:
        """Return the English sentence."""
        return fill(self.message, self.params)


class Refused(MessageError):
    """Something that a player typed or chose can't be done; the player is shown the reason."""


class OptionError(Refused):
    """An option that the game does not have, or a value that the option can't take."""


class PieceError(TavolataError):
    """An impossible move of a piece: below zero, off the track, out of an empty pile."""


class GameError(TavolataError):
    """A game broke a contract of the engine, such as by an attribute that can't be saved."""


def check_words(what: str, **given: tuple[str, Collection[str]]) -> None:
    """Check each of these words against the known ones.

    Raises:
        GameError: one isn't; the sentence names the word that may be meant.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - a start needs it not

    for name, (word, known) in given.items():
        if word not in known:
            near = get_close_matches(str(word), list(filter(None, known)), 1)
            meant = f"do you mean {near[0]!r}?" if near else f"choose from {sorted(filter(None, known))}."
            raise GameError(f"{what}({name}={word!r}) is no such word; {meant}")


class FalseFact(TavolataError):
    """What a seat has said of hidden things is false, as all know by now; rules let this error pass.

    Args:
        said: what was said, an `Assertion`.
        value: the value that was said, as text.
        faces: the faces that it was said of, as text.
    """

    def __init__(self, said: Any, value: str, faces: str) -> None:
        who = "The narrator" if said.seat is None else f"Seat {said.seat + 1}"
        super().__init__(f"{who} said {value} by {said.fact} of {faces}, which is false.")
        self.said = said
        self.value = value
        self.faces = faces


class Diverged(TavolataError):
    """Two replicas of a single match are not in the same state, or a log does not fit its rules."""
