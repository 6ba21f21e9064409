"""Evidence of equivocation: a signed commit of each peer for each number, to compare others with.

An equivocator must not be able to wash its evidence away. So nothing that it can sign at will makes room: the
first signed commit for a number stays, and which numbers are taken follows from what is final here. Around
the end of the log those are all; elsewhere the multiples of eight, which each history has to have signed
(`signed_commits.py`), so that two histories meet at one even where one of them runs far ahead of the other.
Only behind more entries than any evening has, 24,000, the lowest go. So one peer can make others keep 4,096
signed commits at most.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final

from tavolata_protocol.equivocation import SignedCommit
from tavolata_protocol.identity import PeerId

EVERY: Final = 8
"""The numbers that are always signed are its multiples: all are told the same numbers."""
NEAR: Final = 256
"""How far around the end of what is final all numbers are compared."""
AHEAD: Final = 4096
"""How far ahead of what is final multiples of eight are."""
MOST: Final = 4096
"""Signed commits of one peer that are kept."""


def is_comparable(number: int, final: int) -> bool:
    """Whether a signed commit for that number is kept where the log is final up to `final`."""
    return 1 <= number <= final + AHEAD and (number % EVERY == 0 or abs(number - final) <= NEAR)


class Evidence:
    """The signed commits of one lineage by number and peer; their signatures were checked."""

    def __init__(self) -> None:
        self._lineage = b""
        self._kept: dict[int, dict[PeerId, SignedCommit]] = {}
        self._numbers: dict[PeerId, list[int]] = {}

    def of(self, commit: SignedCommit) -> SignedCommit | None:
        """What the same peer signed at the same place, if that is known."""
        if commit.lineage != self._lineage:
            return None
        return self._kept.get(commit.number, {}).get(commit.leader)

    def about(self, number: int) -> Iterator[SignedCommit]:
        """All signed commits for a number."""
        yield from self._kept.get(number, {}).values()

    def keep(self, commit: SignedCommit) -> None:
        """Add a signed commit where there was none of that peer; another lineage begins without any."""
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
        """The log is final up to `final`, one entry further than before."""
        number = final - NEAR - 1
        if number % EVERY == 0:
            return
        for commit in list(self.about(number)):
            self._forget(number, commit.leader)
            numbers = self._numbers[commit.leader]
            del numbers[bisect.bisect_left(numbers, number)]
