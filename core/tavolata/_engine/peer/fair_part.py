"""One machine's work for the dealing of a match that all deal together."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from typing_extensions import override

from tavolata import _machine
from tavolata._engine.dealing.authority import Motion, OwnWord, VoteKind
from tavolata._engine.dealing.dealer import Dealer
from tavolata._engine.dealing.driver import DealingDriver
from tavolata._engine.dealing.fair_dealing import FairDealing
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.dealing.observation import BEAT
from tavolata._engine.dealing.quorum_watch import HEARD, QuorumWatch
from tavolata._engine.dealing.steps import EQUIVOCATION, PROOFS, SELF, VOTE
from tavolata._engine.match.entries import DEAL, MatchEntry, plain
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.source import Origin
from tavolata._engine.match.updates import LobbyChanged
from tavolata._engine.peer.dealing_part import DealingPart
from tavolata._engine.peer.link import TableLink
from tavolata._engine.peer.peer_settings import Waits
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState
from tavolata.asks import Ask
from tavolata.choices import Answer


class FairPart(DealingPart):
    """The part of one of the machines that deal together, or of one that only watches.

    `secret` is None without one for this match; `driver` has this machine's debts to the deal.
    """

    keeps_own_time = True

    def __init__(
        self,
        header: Header,
        origin: Origin,
        secret: MatchSecret | None,
        state: TableState,
        link: TableLink,
        waits: Waits,
    ) -> None:
        now = link.now()
        self.deal = FairDealing(header, origin, state.me)
        dealer = None if secret is None else Dealer(self.deal, secret, _machine.token)
        self.driver = DealingDriver(self.deal, dealer, now, waits.hold)
        super().__init__(self.deal)
        self.quorum = QuorumWatch(now, waits.offer, waits.limit)
        self._state = state
        self._link = link

    @override
    def look(self, match: Match[LogSource]) -> Any:
        return None if self.driver.dealer is None else self.driver.dealer.shown()

    @override
    def forget(self) -> None:
        self.driver.dealer = None

    def _entry(self, *step: object) -> MatchEntry:
        return (DEAL, self.deal.me, self._link.heads.last, *step)

    @override
    def due(self, match: Match[LogSource]) -> Iterator[MatchEntry]:
        now = self._link.now()
        self._observe(now)
        for step in self.driver.steps(now):
            yield self._entry(*step)
        told = (self.driver.progress(now), self.driver.shortage(now))
        self._state.out += [notice for notice in told if notice is not None]
        if told[1] is not None:
            self._state.out.append(LobbyChanged())  # what can be done about it is another matter now
        self._link.tick_in(BEAT)

    def _observe(self, now: float) -> None:
        driver, authority = self.driver, self.deal.authority
        for party in authority.all:
            key = authority.key_of(party)
            heard = self._link.heard(key)
            if heard is not None:
                driver.observation.hear(party, heard)
            driver.relayed[party] = list(self._entries_in(self._link.relayed(key)))
        if self._state.matches.has_part:
            self.quorum.look(now, *self._heard(now))
        driver.nudged = {ask: driver.nudged.get(ask, now) for ask in sorted(self._state.matches.nudged)}

    def _heard(self, now: float) -> tuple[dict[int, float], list[tuple[Collection[int], int]]]:
        """Return the seconds since each remaining party's last sign, and how many of which ones it takes."""
        authority, ago = self.deal.authority, self.driver.observation.ago
        heard = {party: ago(party, now) for party in authority.all if not authority.is_gone(party)}
        wanted = self.deal.needed  # a deal's keys may be with fewer than all who are not gone
        return heard, [(heard, authority.threshold), *([] if wanted is None else [wanted])]

    @property
    @override
    def is_needed(self) -> bool:
        ago, needed = self._heard(self._link.now())
        ago.pop(self.deal.me or 0, None)
        return any(
            sum(ago.get(party, HEARD) < HEARD for party in holders) < least for holders, least in needed
        )

    def _entries_in(self, bodies: Iterable[bytes]) -> Iterator[MatchEntry]:
        running = self._state.matches.running
        for body in bodies:
            match log_bodies.read(body):
                case (log_bodies.PLAY, [match_id, entry, _]) if running and match_id == running.header.id:
                    yield plain(entry)

    @override
    def late(self) -> Iterator[MatchEntry]:
        if self.driver.dealer is not None:
            for step in self.driver.dealer.said():
                if step[0] == PROOFS:
                    yield self._entry(*step)

    @override
    def word(self, word: OwnWord) -> Iterator[MatchEntry]:
        if self.deal.me:
            yield self._entry(SELF, int(word), self.deal.authority.absence_of(self.deal.me))

    @override
    def accusation(self, proof: bytes) -> Iterator[MatchEntry]:
        if self.driver.dealer is not None:
            yield self._entry(EQUIVOCATION, proof)

    @override
    def vote_to_end(self) -> MatchEntry:
        if self.driver.dealer is None:
            return super().vote_to_end()
        end = Motion(VoteKind.END, 0, 0)
        yes = end not in self.deal.authority.votes_of(self.deal.me)
        return self._entry(VOTE, *map(int, end), yes, 0)

    @property
    @override
    def missing(self) -> tuple[bytes, ...]:
        now, authority, ago = self._link.now(), self.deal.authority, self.driver.observation.ago
        return tuple(
            authority.key_of(party) for party in authority.rest
            if party != self.deal.me and ago(party, now) >= self.quorum.offer
        )  # fmt: skip

    @property
    @override
    def waits_for(self) -> str:
        names, authority = self.deal.header.names, self.deal.authority
        return ", ".join(names[authority.seat_of(party)] for party in self.quorum.missing)

    @override
    def sees_hand(self, seat: int) -> bool:
        return self.deal.sees_hand(seat)

    @override
    def window_over(self, number: int) -> bool:
        self.driver.window_over(number)
        self._link.tick_in(0)
        return True

    @override
    def seal(self, ask: Ask, answer: Answer) -> tuple[bytes, bytes]:
        dealer = self.driver.dealer
        return super().seal(ask, answer) if dealer is None else dealer.seal(ask, answer)
