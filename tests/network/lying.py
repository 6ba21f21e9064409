"""A session that says false things about others: it proposes every entry about people that it may not.

It says that others are away, late or gone, that the match ends, that time is up, it answers for others and
puts them out; and what it says is nested as deeply as can be. Everything else is the real program's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from typing_extensions import override

from tavolata._engine.dealing.authority import OwnWord, VoteKind
from tavolata._engine.dealing.steps import SELF, VOTE
from tavolata._engine.match.entries import ANSWER, DEAL, OPENED, SAY, SEAT, TIMEOUT
from tavolata._engine.match.header import Header
from tavolata._engine.network.log_driver import DriverEvent
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.table import log_bodies

EVERY = 0.4
"""Seconds between two lies: fewer than the table lets one author say."""


def lies(session: PeerSession, header: Header) -> Iterator[tuple[Any, ...]]:
    """One round of everything that this peer has no right to say, once about each seat."""
    parties, head = list(dict.fromkeys(header.keys)), session._link.heads.last
    mine = parties.index(session.state.me) + 1 if session.state.me in parties else 1
    asks = [] if session.match is None else [ask.id for ask in session.match.source.open]

    def play(*entry: Any) -> tuple[Any, ...]:
        return (log_bodies.PLAY, header.id, entry, b"")

    for levels in (25, 40, 500):  # the last is the deepest that can be packed
        nest: Any = 1
        for _ in range(levels):
            nest = [nest]
        yield play(OPENED, 0, 0, b"", nest)
        yield (log_bodies.SET, {"goal": nest})
    for seat, key in enumerate(header.keys):
        if key == session.state.me:
            continue
        other = parties.index(key) + 1
        for word in OwnWord:
            yield play(DEAL, other, head, SELF, int(word), 0)
        for kind in VoteKind:
            yield play(DEAL, mine, head, VOTE, int(kind), other, 0, True, 10**6)
            yield play(DEAL, other, head, VOTE, int(kind), other, 0, True, 10**6)
        for ask in asks:
            yield play(ANSWER, seat, ask, 0)
            yield play(TIMEOUT, ask)
            yield play(DEAL, mine, head, VOTE, int(VoteKind.TIME), other, ask, True, 10**6)
        yield play(SEAT, seat, "bot")
        yield play(SAY, seat, (), "I give up")
        yield (log_bodies.STATUS, key, False)
        yield from ((log_bodies.DECIDE, what, seat) for what in ("bot", "end"))
        yield (log_bodies.KICK, key)
        yield (log_bodies.BAN, key, True)
        yield (log_bodies.MUTE, key, True)
    yield play(DEAL, mine, head, VOTE, int(VoteKind.END), 0, 0, True, 0)
    yield (log_bodies.VOTE_HOST, True)
    yield (log_bodies.SUSPEND, True)
    yield (log_bodies.POLICY, "bot", 30, 30, False)


class LyingSession(PeerSession):
    """A session that lies while a match is played."""

    __slots__ = ()
    _lies_at = 0.0
    _round: Iterator[tuple[Any, ...]] = iter(())

    @override
    def _on(self, event: DriverEvent) -> None:
        super()._on(event)
        running, now = self.state.matches.running, self._log_driver.now()
        if running is None or self._connection.is_going or now < self._lies_at:
            return
        self._lies_at = now + EVERY
        said = next(self._round, None)
        if said is None:
            self._round = lies(self, running.header)
            said = next(self._round)
        self._link.propose(*said)
        self._log_driver.tick_in(EVERY)
