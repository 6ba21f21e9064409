"""How often strangers may make this side work. Counting only."""

from __future__ import annotations

HANDSHAKES_PER_SECOND = 50


class RateLimit:
    """A bucket of `rate` tokens that refills in one second."""

    def __init__(self, rate: float, now: float = 0.0) -> None:
        self._rate = rate
        self._tokens = rate
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more is within the rate; if so it is counted."""
        self._tokens = min(self._tokens + max(now - self._at, 0.0) * self._rate, self._rate)
        self._at = max(now, self._at)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True
