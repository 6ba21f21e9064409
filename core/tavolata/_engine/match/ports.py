"""What a source that follows a log leans on: this machine's keys, a dealer's book, the dealing of all."""

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
    """What a peer can open: faces sealed to its own seats."""

    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """The face number in a sealed box, None if it is not for this machine."""
        ...

    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """Nonce and answer in another seat's copy for this one, None if it is not for this machine."""
        ...


class NoKeys(Keyring):
    """The keyring of one who has no seat."""

    @override
    def face(self, seat: int, card: int, box: bytes) -> int | None:
        return None

    @override
    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        return None


class Dealing(Protocol):
    """Told of what happens to cards, so that a dealer can keep its own book."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """Cards came to the table."""
        ...

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """These cards were shuffled, as the log now says."""
        ...

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat beside it."""
        ...


class Together(Protocol):
    """Dealing that all peers do together: its entries meet a want only after several of them."""

    def attach(self, match: Match) -> None:
        """Meet the match that is dealt."""
        ...

    def lay(self, cards: list[Card[Any]]) -> None:
        """Cards came to the table."""
        ...

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat beside it."""
        ...

    def take(self, entry: Entry) -> bool:
        """Act on a step of the dealing; whether an answer under a seal has become known by it.

        Raises:
            Refused: it has no place here, and changes nothing.
        """
        ...

    def met(self, want: Want) -> Entry | None:
        """What a single dealer would say now, None while parts of it are missing."""
        ...

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """The match acts on the shuffle of these cards."""
        ...

    def convicted(self) -> dict[bytes, Charge]:
        """The peers that were convicted, and of what."""
        ...

    @property
    def is_lost(self) -> bool:
        """Whether too many were convicted for the match to go on."""
        ...

    @property
    def needs_return(self) -> tuple[int, int] | None:
        """How many machines are there and how many it takes, where it waits and no stand-in can help."""
        ...

    @property
    def steward(self) -> bytes | None:
        """The peer whose bots stand in for players who are gone; None if nobody is there."""
        ...

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Whether this can be the sealed answer to a question."""
        ...

    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """Whether the box holds this answer and can't hold another."""
        ...
