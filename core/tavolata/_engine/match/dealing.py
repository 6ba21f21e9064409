"""The dealing of a match, as its log source and its table see it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

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


class Dealing(ABC):
    """How the hidden values of a match come about: one peer deals, or all peers deal together.

    A method that is not abstract does what is right where one peer deals.

    Attributes:
        is_fair: whether all peers deal together. It then takes several entries to meet one want, the match
            writes a log of its own, and no single peer decides about people.
        has_equivocation: whether a peer was convicted of having signed two logs, or two votes.
    """

    is_fair: bool
    has_equivocation = False

    def lay(self, cards: list[Card[Any]]) -> None:
        """New cards are on the table."""
        return

    def shuffled(self, cards: tuple[int, ...], commitment: bytes) -> None:
        """These cards were shuffled, as the log now says."""
        return

    def shaken(self, dice: Sequence[Card[Any]]) -> None:
        """These dice were thrown, as the log now says."""
        return

    def shown(self, cards: tuple[int, ...], seats: tuple[int, ...]) -> None:
        """Each of these cards was shown to the seat at the same place."""
        return

    def keep(self, cards: Mapping[int, int]) -> None:
        """Cards are to be shuffled: keep what they are now, by card under this number."""
        return

    def attach(self, match: Match) -> None:
        """Take the match that is dealt."""
        return

    def lie_as(self, faces: Mapping[int, int]) -> None:
        """The match goes on from a clean snapshot, with these face numbers by card."""
        return

    def seen(self) -> frozenset[int]:
        """The hidden cards that somebody may see."""
        return frozenset()

    @abstractmethod
    def speaker(self, match: Match, seat: int) -> int | None:
        """The first seat of the party that speaks for a seat; None for a bot that the host lets stand in."""

    @abstractmethod
    def take(self, entry: Entry) -> None:
        """Act on a step of the dealing, or on what a party says about people.

        Raises:
            Refused: it does not fit now; nothing has changed.
        """

    def heard(self, author: bytes) -> None:
        """An entry of this peer stands; called when it has been acted on."""
        return

    def times_out(self, asks: list[Ask]) -> bool:
        """Give open questions whose time is up their `otherwise`; whether there was one."""
        return False

    def nobody_declares(self, what: list[Declaration]) -> list[Declaration]:
        """What is declared by nobody any more of these declarations, since their time is up."""
        return []

    def is_window_over(self, window: Window) -> bool:
        """Whether enough parties say that the time of a window is over."""
        return False

    def met(self, want: Want) -> Entry | None:
        """The entry that a single dealer would send now; None while parts of it are missing."""
        return None

    def seen_by_stand_in(self, cards: tuple[int, ...], seat: int) -> tuple[int, ...]:
        """What is to be mixed of these cards of a hand; see `Source.seen_by_stand_in`."""
        return ()

    def convicted(self) -> dict[bytes, Charge]:
        """The convicted peers, each with its charge."""
        return {}

    @property
    def judged(self) -> list[ConvictionRecord]:
        """The convictions in their order, each with its evidence."""
        return []

    @property
    def is_lost(self) -> bool:
        """Whether too many are gone for good for the match to go on."""
        return False

    @property
    def is_ended(self) -> bool:
        """Whether enough parties want the match to end, or all but one have left it."""
        return False

    @property
    def withholding(self) -> tuple[int, ...]:
        """The first seats of the parties that have not opened what is theirs to judge the match."""
        return ()

    @property
    def is_waiting_over(self) -> bool:
        """Whether all who are there and have opened what is theirs wait for the others no longer."""
        return False

    @property
    def remaining(self) -> tuple[bytes, ...]:
        """The peers that have not left the match for good and were not convicted."""
        return ()

    @property
    @abstractmethod
    def present(self) -> tuple[bytes, ...]:
        """The peers that are neither gone for good nor away."""

    @abstractmethod
    def player_of(self, match: Match, seat: int) -> bytes | None:
        """The peer that plays a seat now; None if no peer does, or a bot of the one who deals."""

    @abstractmethod
    def has_part(self, peer: bytes) -> bool:
        """Whether this peer plays in a match that can be stopped for today, and has not left it."""

    def news(self, me: bytes) -> list[Notice]:
        """What people at this peer are to be told since the last call."""
        return []

    def asked(self, asks: list[Ask]) -> None:
        """The match waits for answers to these questions."""
        return

    def go_back(self, closed: Mapping[int, Ask]) -> None:
        """An answer was taken back; these are the questions now, by number, whose answers are under seal."""
        return

    @abstractmethod
    def is_seal(self, ask: Ask, box: bytes) -> bool:
        """Whether this can be the sealed answer to a question."""

    @abstractmethod
    def opens(self, ask: Ask, box: bytes, nonce: bytes, answer: Answer) -> bool:
        """Whether the box holds this answer and can't hold another."""
