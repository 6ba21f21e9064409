"""One machine's watch over the quorum: for how long it has heard fewer parties than it takes to go on.

Without so many parties nothing can be opened or decided, so the match waits. After a while the machine offers
its person to stop waiting, and in the end it stops by itself: the match is suspended, and nobody has lost.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from tavolata._engine.dealing.observation import BEAT, LATE

UNPROVEN: Final = 60.0
"""Seconds for which a machine waits, when the match is over, for the shares of others that judge it."""
HEARD: Final = 15.0
"""Seconds after which a party counts as not heard."""
OFFER: Final = 60.0
"""Seconds of waiting after which a person may stop it, if nothing else was said."""
LIMIT: Final = 600.0
"""Seconds of waiting after which a machine stops by itself, if nothing else was said."""


class QuorumWatch:
    """How long this machine has waited for a quorum, in seconds.

    `missing` are the parties that are not heard while too few are; empty while enough are. `waited` is how
    long too few were heard, by the last look.
    """

    def __init__(self, now: float, offer: float = OFFER, limit: float = LIMIT) -> None:
        self.offer = offer
        self._limit = limit
        self.missing: tuple[int, ...] = ()
        self.waited = 0.0
        self._since: float | None = None
        self._looked = now

    def look(
        self, now: float, ago: Mapping[int, float], needed: Iterable[tuple[Collection[int], int]]
    ) -> None:
        """Look once more; a machine that slept begins to wait again.

        `ago` has, by party that is not gone, the seconds since it was heard; 0 for this machine itself.
        `needed` has parties, and how many of them it takes; more than once if different things are waited
        for.
        """
        slept, self._looked = now - self._looked > BEAT + LATE, now
        short = (
            holders
            for holders, least in needed
            if sum(ago.get(party, HEARD) < HEARD for party in holders) < least
        )
        holders = next(short, ())
        if not holders:
            self.missing, self.waited, self._since = (), 0.0, None
            return
        silent = tuple(party for party in holders if ago.get(party, 0.0) >= HEARD)
        if slept or self._since is None:
            self._since = now if slept or not silent else now - min(ago[party] for party in silent)
        self.missing, self.waited = silent, now - self._since

    @property
    def may_stop(self) -> bool:
        return self.waited >= self.offer

    @property
    def must_stop(self) -> bool:
        return self.waited >= self._limit
