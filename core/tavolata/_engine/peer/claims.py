"""One machine's claims about the state of a single match, at the end of turns and of the match.

See `table.state_claims` for their effect.
"""

from __future__ import annotations

from tavolata._engine.peer.link import TableLink
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState


class Claims:
    """The digests that this machine had in a match, and those that it has claimed; `wait` is in seconds."""

    def __init__(self, state: TableState, link: TableLink, wait: float) -> None:
        self._state = state
        self._link = link
        self._wait = wait
        self._digests: dict[int, bytes] = {}
        self._said: set[int] = set()
        self._end_at, self._ended = 0, 0.0

    def turn_over(self, number: int, digest: bytes) -> None:
        self._digests[number] = digest
        if self._state.matches.running is None:
            self._end_at, self._ended = number, self._link.now()
            self._link.tick_in(self._wait + 0.01)

    @property
    def is_end_confirmed(self) -> bool:
        """Return True if all who played to the end and are here have claimed the state in which it ended.

        It's only a condition for going away at once: they get a moment for it.
        """
        matches, roster = self._state.matches, self._state.roster
        last = matches.last
        if last is None or matches.difference is not None or last.match.outcome is None:
            return True
        claimed = matches.claims.digests.get(self._end_at, {})
        here = {place.peer for place in roster.here}
        waits = here & set(last.header.parties) - claimed.keys()
        return not waits or self._link.now() > self._ended + self._wait

    def work(self) -> None:
        """Claim what is due: the state in which the match ended, and one that another party contradicts."""
        matches = self._state.matches
        last = matches.last
        if last is not None and last.match.outcome is not None and self._end_at in self._digests:
            self.claim(self._end_at)
        if matches.difference is not None:
            return
        for number, claims in matches.claims.digests.items():
            if number <= self._link.heads.number and self._digests.get(number, b"") not in claims.values():
                self.claim(number)

    def claim(self, number: int) -> None:
        """Claim this machine's state after a log entry that another machine's claim contradicts."""
        me, last = self._state.me, self._state.matches.last
        claims = self._state.matches.claims.digests
        if last is None or me not in last.header.parties or me in claims.get(number, {}):
            return
        if number not in self._said:
            self._said.add(number)
            self._link.propose(log_bodies.STATE, last.header.id, number, self._digests.get(number, b""))
