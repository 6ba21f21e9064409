"""Acknowledgements of received packets.

This module knows only counters and times. Its callers open the packets, and pass on only authentic ones.
"""

from __future__ import annotations

from tavolata_protocol.messages.session import MAX_RANGES, Ack

ACK_DELAY = 0.020
ACK_EVERY = 2


class Receipts:
    """The ranges of received counters, and the acknowledgement that is due for them."""

    def __init__(self) -> None:
        self._ranges: list[list[int]] = []  # [low, high], ascending, at most MAX_RANGES
        self._largest_at = 0.0
        self._owed = 0
        self.due_at: float | None = None
        """When an acknowledgement has to be sent; None if none is due."""

    def note(self, counter: int, now: float, *, asks: bool, at_once: bool = False) -> None:
        """Take the counter of a new packet, which never came before.

        `asks`: it holds something that has to be acknowledged; `at_once`: the other side waits for the
        answer.
        """
        in_order = self._insert(counter)
        if counter == self._ranges[-1][1]:
            self._largest_at = now
        if not asks:
            return
        self._owed += 1
        if at_once or not in_order or self._owed >= ACK_EVERY:
            self.due_at = now
        elif self.due_at is None:
            self.due_at = now + ACK_DELAY

    def owed(self) -> bool:
        """Return True if the other side waits for an acknowledgement."""
        return self._owed > 0

    def frame(self, now: float) -> Ack:
        """Return the acknowledgement, which then counts as sent."""
        self._owed = 0
        self.due_at = None
        below = self._ranges[-1][1] + 1
        runs = []
        for low, high in reversed(self._ranges):
            if high + 1 != below:
                runs.append(below - high - 1)
            runs.append(high - low + 1)
            below = low
        delay = min(max(int((now - self._largest_at) * 1e6), 0), 10**7)
        return Ack(self._ranges[-1][1], delay, tuple(runs))

    def _insert(self, counter: int) -> bool:
        """Add a counter; return whether it is the next expected one."""
        ranges = self._ranges
        if not ranges:
            ranges.append([counter, counter])
            return counter == 0
        if counter == ranges[-1][1] + 1:
            ranges[-1][1] = counter
            return True
        place = len(ranges)
        while place and ranges[place - 1][0] > counter:
            place -= 1
        # The counter belongs after the range at `place - 1`, and before the one at `place`.
        joins_before = place > 0 and ranges[place - 1][1] + 1 == counter
        joins_after = place < len(ranges) and ranges[place][0] == counter + 1
        if joins_before and joins_after:
            ranges[place - 1][1] = ranges[place][1]
            del ranges[place]
        elif joins_before:
            ranges[place - 1][1] = counter
        elif joins_after:
            ranges[place][0] = counter
        else:
            ranges.insert(place, [counter, counter])
            if len(ranges) > MAX_RANGES:
                del ranges[0]
        return False
