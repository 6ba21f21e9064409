"""The ports of the log source: this machine's keys, a dealer's book, the dealing of all peers together."""

from __future__ import annotations

from typing import Any, Protocol

from typing_extensions import override

from tavolata._engine.match.entries import Entry
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Want
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata_protocol.fair.offences import Charge


class Keyring(Protocol):
    """The keys of a peer, which open what is sealed to its seats."""

    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """The face number in a sealed box; None if the box is not for this machine."""

    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """The nonce and the answer in a copy for this seat; None if the copy is not for this machine."""


class NoKeys(Keyring):
    """The keyring of a machine without a seat."""

    @override
    def face(self, seat: int, card: int, box: bytes) -> int | None:
        return None

    @override
    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        return None


class Dealing(Protocol):
    """A dealer's book, which is told what happens to cards."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table."""

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """These cards were shuffled, as the log now says."""

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat at the same place."""


class Together(Protocol):
    """Dealing by all peers together: it takes several entries to meet one want."""

    def attach(self, match: Match) -> None:
        """Take the match that is dealt."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table."""

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat at the same place."""

    def take(self, entry: Entry) -> bool:
        """Act on a step of the dealing; True if it made a sealed answer known.

        Raises:
            Refused: the step does not fit now; nothing has changed.
        """

    def met(self, want: Want) -> Entry | None:
        """The entry that a single dealer would send now; None while parts of it are missing."""

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """The match acts on the shuffle of these cards."""

    def convicted(self) -> dict[bytes, Charge]:
        """The convicted peers, each with its charge."""

    @property
    def is_lost(self) -> bool:
        """Whether too many were convicted for the match to go on."""

    @property
    def needs_return(self) -> tuple[int, int] | None:
        """How many machines are present and how many it takes, if the match waits and no bot can help."""

    @property
    def steward(self) -> bytes | None:
        """The peer whose bots stand in for absent players; None if no peer is present."""

    def asked(self, asks: list[Ask]) -> None:
        """The match waits for answers to these questions."""

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Whether this can be the sealed answer to a question."""

    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """Whether the box holds this answer and can't hold another."""
