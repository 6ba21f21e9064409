"""The ports of the log source: this machine's keys, a dealer's book, the dealing of all peers together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from tavolata._engine.match.entries import Entry
from tavolata._engine.match.match import Match
from tavolata._engine.match.offences import ConvictionRecord
from tavolata._engine.match.source import Want
from tavolata._engine.match.updates import Notice
from tavolata.asks import Ask
from tavolata.assertions import Declaration
from tavolata.cards import Card
from tavolata.choices import Answer
from tavolata.windows import Window
from tavolata_protocol.fair.offences import Charge


class Keyring(Protocol):
    """The keys of a peer, which open what is sealed to its seats."""

    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """The face number in a sealed box; None if the box is not for this machine."""
        return None

    def answer(self, seat: int, ask: int, copy: bytes) -> tuple[bytes, Answer] | None:
        """The nonce and the answer in a copy for this seat; None if the copy is not for this machine."""
        return None


class NoKeys(Keyring):
    """The keyring of a machine without a seat."""


class Dealing(Protocol):
    """A dealer's book, which is told what happens to cards."""

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table."""

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """These cards were shuffled, as the log now says."""

    def shaken(self, dice: Sequence[Card[Any]]) -> None:
        """These dice were thrown, as the log now says."""

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat at the same place."""

    def keep(self, cards: Mapping[int, int]) -> None:
        """Cards are to be shuffled: keep what they are now, by card under this number."""


class Together(Dealing, Protocol):
    """Dealing by all peers together: it takes several entries to meet one want."""

    def attach(self, match: Match) -> None:
        """Take the match that is dealt."""

    def lie_as(self, faces: Mapping[int, int]) -> None:
        """The match goes on from a clean snapshot, with these face numbers by card."""

    def seen(self) -> frozenset[int]:
        """The hidden cards that somebody may see."""

    def speaker(self, seat: int) -> int:
        """The first seat of the party that plays a seat now; of its owner if no party does."""

    def take(self, entry: Entry) -> None:
        """Act on a step of the dealing, or on what a party says about people.

        Raises:
            Refused: it does not fit now; nothing has changed.
        """

    def heard(self, author: bytes) -> None:
        """An entry of this peer stands; called when it has been acted on."""

    def times_out(self, asks: list[Ask]) -> bool:
        """Give open questions whose time is up their `otherwise`; whether there was one."""

    def nobody_declares(self, what: list[Declaration]) -> list[Declaration]:
        """What is declared by nobody any more of these declarations, since their time is up."""

    def is_window_over(self, window: Window) -> bool:
        """Whether enough parties say that the time of a window is over."""

    def met(self, want: Want) -> Entry | None:
        """The entry that a single dealer would send now; None while parts of it are missing."""

    def seen_by_stand_in(self, cards: tuple[int, ...], seat: int) -> tuple[int, ...]:
        """What is to be mixed of these cards of a hand; see `Source.seen_by_stand_in`."""

    def convicted(self) -> dict[bytes, Charge]:
        """The convicted peers, each with its charge."""

    @property
    def judged(self) -> list[ConvictionRecord]:
        """The convictions in their order, each with its evidence."""

    @property
    def is_lost(self) -> bool:
        """Whether too many are gone for good for the match to go on."""

    @property
    def is_ended(self) -> bool:
        """Whether enough parties want the match to end, or all but one have left it."""

    @property
    def withholding(self) -> tuple[int, ...]:
        """The first seats of the parties that have not opened what is theirs to judge the match."""

    @property
    def is_waiting_over(self) -> bool:
        """Whether all who are there and have opened what is theirs wait for the others no longer."""

    @property
    def remaining(self) -> tuple[bytes, ...]:
        """The peers that have not left the match for good and were not convicted."""

    @property
    def present(self) -> tuple[bytes, ...]:
        """The peers that are neither gone for good nor away."""

    def player_of(self, seat: int) -> bytes | None:
        """The peer that plays a seat now; None if no peer does."""

    def news(self, me: bytes) -> list[Notice]:
        """What people at this peer are to be told since the last call."""

    def asked(self, asks: list[Ask]) -> None:
        """The match waits for answers to these questions."""

    def go_back(self, closed: Mapping[int, Ask]) -> None:
        """An answer was taken back; these are the questions now, by number, whose answers are under seal."""

    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Whether this can be the sealed answer to a question."""

    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """Whether the box holds this answer and can't hold another."""
