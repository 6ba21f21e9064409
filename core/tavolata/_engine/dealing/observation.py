"""One machine's observation of the others: when it last heard each of them, by its own clock.

From it follow the machine's votes. It is pure: times are arguments, in seconds.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

BEAT: Final = 1.0
"""Seconds between two looks at the latest."""
LATE: Final = 1.0
"""Seconds by which a look may come late; a machine that was later slept, and accuses nobody at first."""
HOLD: Final = 10.0
"""Seconds for which a machine sends no part of keys that leave out somebody whom it hears, if nothing else
was said."""
NEAR: Final = 8.0
"""Seconds after which a party no longer counts among those who are heard: machines beat every five."""


class Observation:
    def __init__(self, others: Iterable[int], now: float) -> None:
        self._heard = dict.fromkeys(others, now)
        self._since = now
        self._looked = now

    def hear(self, party: int, when: float) -> None:
        """Note a sign of a party: an authenticated packet, or an entry in the log."""
        if party in self._heard:
            self._heard[party] = max(self._heard[party], when)

    def look(self, now: float, needed: int) -> None:
        """Note that this machine is awake.

        `needed` others have to be heard; with fewer, this machine itself may be cut off.
        """
        near = sum(now - heard < NEAR for heard in self._heard.values())
        if now - self._looked > BEAT + LATE or near < needed:
            self._since = now
        self._looked = now

    def ago(self, party: int, now: float) -> float:
        """Return how many seconds ago something of a party came."""
        return now - self._heard.get(party, now)

    def silence(self, party: int, now: float) -> float:
        """Return for how long this machine has listened and heard nothing of a party."""
        return now - max(self._heard.get(party, now), self._since)
