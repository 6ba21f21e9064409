"""Path MTU discovery for one direction of a session: the largest packet that the path is known to carry.

The method is that of RFC 8899 (DPLPMTUD), with a few sizes. A session begins with the largest one. When
packets above the next smaller size are lost again and again while smaller ones arrive, the path has a black
hole, and the smaller size is used (section 4.3). After a while a probe of the larger size is sent,
since routes change; if it is acknowledged, the larger size is used again. This module only counts; `flight`
says what arrived.
"""

from __future__ import annotations

from typing import Final

from tavolata_protocol.messages.packets import MAX_DATAGRAM

SIZES: Final = (MAX_DATAGRAM, 960, 720, 512)
"""Bytes of UDP payload. Below the last one this protocol does not work."""
LOSSES: Final = 10
"""Large packets lost in a row that show a black hole; where three in ten are lost, four are common."""
RAISE_AFTER: Final = 60.0
"""Seconds until a larger size is tried again; doubled each time that fails, up to `RAISE_SELDOM`."""
RAISE_SELDOM: Final = 600.0
STEP: Final = 1.0
"""Seconds until the size above one that has just been proven is tried."""


class PathSize:
    """The packet size of one direction: `size` is the largest datagram that may be sent.

    `raise_at` is when a larger one should be tried; None while the largest is in use.
    """

    def __init__(self) -> None:
        self.size = SIZES[0]
        self.raise_at: float | None = None
        self._pause = RAISE_AFTER
        self._lost = dict.fromkeys(SIZES, 0)  # by size, the lost packets between it and the next larger one
        self._proven = dict.fromkeys(SIZES, -1)  # by size, the last counter of a larger one that arrived

    def begin(self, size: int, now: float) -> None:
        """Begin with a size that the handshake has shown; the larger ones are tried later."""
        self.size = next((one for one in SIZES if one <= size), SIZES[-1])
        self.raise_at = None if self.size == SIZES[0] else now + self._pause

    @property
    def above(self) -> int:
        """The size to try next."""
        return min((one for one in SIZES if one > self.size), default=self.size)

    def probed(self, now: float) -> None:
        """Note that a probe of the next larger size leaves."""
        self._pause = min(2 * self._pause, RAISE_SELDOM)
        self.raise_at = now + self._pause

    def arrived(self, counter: int, size: int, now: float) -> None:
        """Note that a packet was acknowledged: the path carries its size."""
        for smaller in SIZES:
            if smaller < size and self._proven[smaller] < counter:
                self._proven[smaller], self._lost[smaller] = counter, 0
                if smaller == self.size:
                    self._pause = RAISE_AFTER
                    self.begin(size, now)
                    self.raise_at = None if self.raise_at is None else now + STEP

    def lost(self, counter: int, size: int, last: int, now: float) -> None:
        """Note that a packet was given up for a later one; `last` is the counter of the last packet sent."""
        smaller = next((one for one in SIZES if one < size), None)
        if smaller is None or size > self.size or counter <= self._proven[smaller]:
            return
        self._lost[smaller] += 1
        if self._lost[smaller] >= LOSSES:
            self._lost, self._proven = dict.fromkeys(SIZES, 0), dict.fromkeys(SIZES, last)
            self._pause = RAISE_AFTER
            self.begin(smaller, now)
