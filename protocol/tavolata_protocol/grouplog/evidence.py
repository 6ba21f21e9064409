"""What was vouched for, kept as evidence: one pledge of each peer for each number, to compare others with.

A liar must not be able to wash its evidence away. So nothing that it can sign at will makes room: the first
pledge for a number stays, and which numbers are taken follows from what is final here. Around the end of the
log those are all; elsewhere the multiples of eight, for which each story has to have one (`vouching.py`), so
that two stories meet at one even where one of them runs far ahead of the other. Only behind more entries
than any evening has, 24,000, the lowest go. That bounds what one peer can make others keep, to 4,096 pledges.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final

from tavolata_protocol.equivocation import Pledge
from tavolata_protocol.identity import PeerId

EVERY: Final = 8
"""The numbers that are always vouched for are its multiples: all are told the same numbers."""
NEAR: Final = 256
"""How far around the end of what is final all numbers are compared."""
AHEAD: Final = 4096
"""How far ahead of what is final multiples of eight are."""
MOST: Final = 4096
"""Pledges of one peer that are kept."""


def is_comparable(number: int, final: int) -> bool:
    """Whether a pledge for that number is kept where the log is final up to `final`."""
    return 1 <= number <= final + AHEAD and (number % EVERY == 0 or abs(number - final) <= NEAR)


class Testimony:
    """The pledges of one lineage by number and peer; their signatures were checked."""

    def __init__(self) -> None:
        self._lineage = b""
        self._kept: dict[int, dict[PeerId, Pledge]] = {}
        self._numbers: dict[PeerId, list[int]] = {}

    def of(self, pledge: Pledge) -> Pledge | None:
        """What the same peer vouched for at the same place, if that is known."""
        if pledge.lineage != self._lineage:
            return None
        return self._kept.get(pledge.number, {}).get(pledge.sequencer)

    def about(self, number: int) -> Iterator[Pledge]:
        """All pledges for a number."""
        yield from self._kept.get(number, {}).values()

    def keep(self, pledge: Pledge) -> None:
        """Add a pledge where there was none of that peer; another lineage begins without any."""
        if pledge.lineage != self._lineage:
            self._lineage = pledge.lineage
            self._kept.clear()
            self._numbers.clear()
        self._kept.setdefault(pledge.number, {})[pledge.sequencer] = pledge
        numbers = self._numbers.setdefault(pledge.sequencer, [])
        bisect.insort(numbers, pledge.number)
        if len(numbers) > MOST:
            self._forget(numbers.pop(0), pledge.sequencer)

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
        for pledge in list(self.about(number)):
            self._forget(number, pledge.sequencer)
            numbers = self._numbers[pledge.sequencer]
            del numbers[bisect.bisect_left(numbers, number)]
