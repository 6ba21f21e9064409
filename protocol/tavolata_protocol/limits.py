"""Rate limits for the work that strangers may cause. Counting only."""

from __future__ import annotations

HANDSHAKES_PER_SECOND = 50
"""Handshakes that are begun or told again, of all callers together."""
HANDSHAKES_A_HOST = 25
"""So many of them at most for one machine."""
NEW_PLACES_PER_SECOND = 50
"""Packets to addresses where nobody has proved to be yet, of all sessions together."""
_HOSTS = 256


class RateLimit:
    """A bucket that refills by `rate` tokens a second and holds `burst`, by default as many."""

    def __init__(self, rate: float, now: float = 0.0, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = rate if burst is None else burst
        self._tokens = self._burst
        self._at = now

    def take(self, now: float) -> bool:
        """Whether one more is within the rate; if so it is counted."""
        self._tokens = min(self._tokens + max(now - self._at, 0.0) * self._rate, self._burst)
        self._at = max(now, self._at)
        if self._tokens < 1:
            return False
        self._tokens -= 1
        return True


class HostLimits:
    """A bucket for each machine, as in `RateLimit`; of those that were not seen for long there is none."""

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self._burst = burst
        self._limits: dict[str, RateLimit] = {}

    def take(self, host: str, now: float) -> bool:
        """Whether one more of this machine is within its rate; if so it is counted."""
        limit = self._limits.pop(host, None) or RateLimit(self._rate, now, self._burst)
        self._limits[host] = limit
        if len(self._limits) > _HOSTS:
            del self._limits[next(iter(self._limits))]
        return limit.take(now)


CODES_A_MINUTE = 3
"""Wrong codes a minute that one machine may try."""
CODES_IN_ALL = 10
"""Wrong codes in all after which a code is worn out."""


class Attempts:
    """Wrong codes that strangers tried: where from, and how many of the present code."""

    def __init__(self) -> None:
        self._recent: dict[str, list[float]] = {}
        self.in_all = 0

    def may_try(self, host: str, now: float) -> bool:
        """Whether a code from this machine is looked at at all."""
        recent = [when for when in self._recent.get(host, ()) if now - when < 60]
        return len(recent) < CODES_A_MINUTE and not self.is_worn

    def failed(self, host: str, now: float) -> None:
        """A code was wrong."""
        self.in_all += 1
        for known in [known for known, times in self._recent.items() if now - times[-1] >= 60]:
            del self._recent[known]
        self._recent[host] = [*self._recent.get(host, ())[-CODES_A_MINUTE:], now]

    @property
    def is_worn(self) -> bool:
        """Whether so many were tried that there has to be another code."""
        return self.in_all >= CODES_IN_ALL

    def renew(self) -> None:
        """There is another code; the minute of each machine goes on."""
        self.in_all = 0
