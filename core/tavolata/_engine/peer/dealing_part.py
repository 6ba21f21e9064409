"""One machine's work for the dealing of a match, depending on who deals it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from tavolata import _machine
from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.dealing.quorum_watch import QuorumWatch
from tavolata._engine.match.dealing import TOO_LONG, Dealing, box_of
from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import ROOM, Match
from tavolata._engine.match.state import pack
from tavolata.asks import Ask
from tavolata.choices import Answer
from tavolata.errors import Refused
from tavolata.messages import N_


class DealingPart:
    """The part of a machine in a match that another machine deals: it does nothing for it.

    Attributes:
        quorum: how long this machine has waited for enough others; never, unless all deal together.
        keeps_own_time: each machine decides for its own seats that time has run out, not one for all.
        book: the seed of the dealer's book, on the machine that deals alone.
    """

    keeps_own_time = False
    book: bytes | None = None

    def __init__(self, dealing: Dealing) -> None:
        self.dealing = dealing
        self.quorum = QuorumWatch(0.0)
        self._seen: set[tuple[int, int, int]] = set()

    def forget(self) -> None:
        """Forget this machine's secrets of the match: from now on it can open nothing."""
        return

    def opening(self, ask: Ask) -> tuple[bytes, Answer] | None:
        """Return the nonce and the answer with which this machine can open what a narrator knows."""
        return None

    def look(self, match: Match[LogSource]) -> Any:
        """Return the faces that seats of this machine were shown since the last call, as a file has them."""
        known = match.source.known
        now = {(seat, card, face) for seat, faces in known.items() for card, face in faces.items()}
        new, self._seen = sorted(now - self._seen), now
        return [[[*one, 0] for one in new], [], []] if new else None

    def due(self, match: Match[LogSource]) -> Iterator[MatchEntry]:
        """Return the entries of the dealing that this machine owes a running match."""
        yield from ()

    def late(self) -> Iterator[MatchEntry]:
        """Return the entries that would still judge a match that ended without them."""
        yield from ()

    def word(self, word: OwnWord) -> Iterator[MatchEntry]:
        """Return this machine's word about its player, where all deal together."""
        yield from ()

    def accusation(self, proof: bytes) -> Iterator[MatchEntry]:
        """Return an accusation of a leader of the log that equivocated, where all deal together."""
        yield from ()

    def vote_to_end(self) -> MatchEntry:
        """Return the vote for the end of the match, or its withdrawal; raise `Refused` where no one votes."""
        raise Refused(N_("You can't do that now."))

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The parties that this machine has not heard for a minute, where the match waits for them."""
        return ()

    @property
    def is_needed(self) -> bool:
        """Return True if the match waits while this machine is away, as far as is known here."""
        return False

    @property
    def waits_for(self) -> str:
        """The names of those that the quorum lacks."""
        return ""

    def sees_hand(self, seat: int) -> bool:
        """Return True if the cards of a seat that is played here are open here, which takes a moment."""
        return True

    def window_over(self, number: int) -> bool:
        """Vote that the time of a window is over; return False where that isn't put to the vote."""
        return False

    def seal(self, ask: Ask, answer: Answer) -> tuple[bytes, bytes]:
        """Return a box with the answer, and its nonce; raise `Refused` if it's too long to be sealed."""
        if len(pack(answer)) > ROOM:
            raise Refused(TOO_LONG)
        nonce = _machine.token(32)
        return box_of(int(ask.seat), ask.id, nonce, answer), nonce


class HostPart(DealingPart):
    """The part of the machine that deals alone: its dealer is also the dealing of the match."""

    def __init__(self, dealer: HostDealer) -> None:
        super().__init__(dealer)
        self._dealer = dealer
        self._dealt: set[int] = set()
        self.book = dealer.secret

    @override
    def due(self, match: Match[LogSource]) -> Iterator[MatchEntry]:
        want = match.source.wants
        if want is not None and want.at not in self._dealt:
            self._dealt.add(want.at)
            yield self._dealer.entry(want)

    @override
    def opening(self, ask: Ask) -> tuple[bytes, Answer] | None:
        return self._dealer.opening(ask)
