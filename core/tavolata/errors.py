"""Errors that a game, a bot or a frontend can meet, each with a sentence that a person can act on."""

from __future__ import annotations

from tavolata._text import fill


class TavolataError(Exception):
    """Base of all errors of the core; `str(error)` is one sentence for a person."""


class HiddenFact(TavolataError):  # not an AttributeError: `hasattr` would swallow a leak
    """A rule read a face that is not public; this is an error with every dealer, even one that knows it."""


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
        """The English sentence."""
        return fill(self.message, self.params)


class Refused(MessageError):
    """Something that a player typed or chose can't be done; the player is shown the reason."""


class OptionError(Refused):
    """An option that the game does not have, or a value that the option can't take."""


class PieceError(TavolataError):
    """An impossible move of a piece: below zero, off the track, out of an empty pile."""


class GameError(TavolataError):
    """A game broke a contract of the engine, such as by an attribute that can't be saved."""


class FalseClaim(TavolataError):
    """A seat's claim about a card is false, as its face shows, which has become public.

    Args:
        seat: number of the seat that made the claim.
        face: the face, as the game writes it.
    """

    def __init__(self, seat: int, face: str) -> None:
        super().__init__(f"Seat {seat + 1} played a card that it may not have played ({face}).")
        self.seat = seat
        self.face = face


class Diverged(TavolataError):
    """Two replicas of one match are not in the same state, or a log does not fit its rules."""
