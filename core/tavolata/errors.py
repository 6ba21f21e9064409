"""Every error that a game, a bot or a face can meet, each with a sentence a person can act on.

Nothing but error types may live here.
"""

from __future__ import annotations

from tavolata._text import fill


class TavolataError(Exception):
    """Base of all errors of the core; `str(error)` is one sentence for a person."""


class HiddenFact(TavolataError):  # not an AttributeError: `hasattr` would swallow a leak
    """A rule read the face of a card that is not public; the same on every dealer, open or not."""


class MessageError(TavolataError):
    """An error that can be told in every language: its sentence is a message with fields.

    Args:
        message: the message id, as `Table.tell` takes it; `str(error)` is it in English, filled in.
        **params: what its fields stand for.
    """

    def __init__(self, message: str, /, **params: object) -> None:
        super().__init__(message)
        self.message = message
        self.params = params

    def __str__(self) -> str:
        """The message in English, filled in."""
        return fill(self.message, self.params)


class Refused(MessageError):
    """An answer or interjection that the rules do not allow; the reason is shown to its player."""


class PieceError(TavolataError):
    """A piece was moved against its nature: below zero, off the track, out of an empty pile."""


class GameError(TavolataError):
    """A game broke a contract of the engine (an unpackable attribute, an endless turn, ...)."""


class FalseClaim(TavolataError):
    """What a seat claimed of a card is shown to be false by its face, which has become public.

    Args:
        seat: number of the seat that is to blame.
        face: the face, as the game writes it.
    """

    def __init__(self, seat: int, face: str) -> None:
        super().__init__(f"Seat {seat + 1} played a card that it may not have played ({face}).")
        self.seat = seat
        self.face = face


class Diverged(TavolataError):
    """Two replicas of one match are not in the same state, or a log does not fit its rules."""
