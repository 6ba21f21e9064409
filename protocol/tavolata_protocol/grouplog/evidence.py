"""Evidence of equivocation: stored signed commits of each peer, to compare new ones with.

An equivocator must not be able to push its evidence out of the store with more signed commits. So the first
signed commit for a number stays, and the commit index of this peer decides which numbers are stored. Around
the end of the log these are all numbers; elsewhere they are the multiples of eight, which a leader must sign
in each history (`signed_commits.py`). So two histories have a number in common even if one is far ahead of
the other. The lowest numbers are dropped only after 24,000 entries, more than any evening has. So one peer
can make others store at most 4,096 signed commits.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final

from tavolata_protocol.equivocation import SignedCommit
from tavolata_protocol.identity import PeerId

EVERY: Final = 8
"""Its multiples are always signed, so that all peers get commits for the same numbers."""
NEAR: Final = 256
"""The distance from the commit index within which all numbers are stored."""
AHEAD: Final = 4096
"""The distance ahead of the commit index within which multiples of eight are stored."""
MOST: Final = 4096
"""The maximum number of stored signed commits of one peer."""


def is_comparable(number: int, final: int) -> bool:
    """Whether a signed commit for that number is stored if the log is final up to `final`."""
    return 1 <= number <= final + AHEAD and (number % EVERY == 0 or abs(number - final) <= NEAR)


class Evidence:
    """The signed commits of one lineage by number and peer, with checked signatures."""

    def __init__(self) -> None:
        self._lineage = b""
        self._kept: dict[int, dict[PeerId, SignedCommit]] = {}
        self._numbers: dict[PeerId, list[int]] = {}

    def of(self, commit: SignedCommit) -> SignedCommit | None:
        """The stored commit of the same peer for the same number, if there is one."""
        if commit.lineage != self._lineage:
            return None
        return self._kept.get(commit.number, {}).get(commit.leader)

    def about(self, number: int) -> Iterator[SignedCommit]:
        """All signed commits for a number."""
        yield from self._kept.get(number, {}).values()

    def keep(self, commit: SignedCommit) -> None:
        """Store a signed commit, unless there is one already; a new lineage begins without any."""
        if commit.lineage != self._lineage:
            self._lineage = commit.lineage
            self._kept.clear()
            self._numbers.clear()
        self._kept.setdefault(commit.number, {})[commit.leader] = commit
        numbers = self._numbers.setdefault(commit.leader, [])
        bisect.insort(numbers, commit.number)
        if len(numbers) > MOST:
            self._forget(numbers.pop(0), commit.leader)

    def _forget(self, number: int, peer: PeerId) -> None:
        about = self._kept[number]
        del about[peer]
        if not about:
            del self._kept[number]

    def thin_out(self, final: int) -> None:
        """Drop unneeded commits; `final` has just grown by one entry."""
        number = final - NEAR - 1
        if number % EVERY == 0:
            return
        for commit in list(self.about(number)):
            self._forget(number, commit.leader)
            numbers = self._numbers[commit.leader]
            del numbers[bisect.bisect_left(numbers, number)]
