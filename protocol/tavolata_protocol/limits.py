"""Rate limits for the work that strangers can cause. This module only counts."""

from __future__ import annotations

from tavolata_protocol.admission import LIMITS, Entrance, Limit

_HOSTS = 256


class RateLimit:
    """A token bucket: it gains `rate` tokens a second and holds `burst`, by default the same number."""

    def __init__(self, rate: float, now: float = 0.0, burst: float | None = None) -> None:
        self._rate = rate
        self.burst = rate if burst is None else burst
        self._tokens = self.burst
        self._at = now

    def take(self, now: float, many: int = 1, spare: float = 0) -> bool:
        """Return True if one more, or this many more, are within the rate; if they are, they are counted.

        `spare` tokens have to be left then.
        """
        if self.left(now) < many + spare:
            return False
        self._tokens -= many
        return True

    def left(self, now: float) -> float:
        """Return the tokens that are left."""
        self._tokens = min(self._tokens + max(now - self._at, 0.0) * self._rate, self.burst)
        self._at = max(now, self._at)
        return self._tokens

    def give(self) -> None:
        """Give one token back."""
        self._tokens = min(self._tokens + 1, self.burst)


class HostLimits:
    """A `RateLimit` for each machine; machines that were not seen for a while are forgotten."""

    def __init__(self, rate: float, burst: float | None = None) -> None:
        self._rate = rate
        self.burst = rate if burst is None else burst
        self._limits: dict[str, RateLimit] = {}

    def take(self, host: str, now: float) -> bool:
        """Return True if one more from this machine is within its rate; if it is, it is counted."""
        limit = self._limits.pop(host, None) or RateLimit(self._rate, now, self.burst)
        self._limits[host] = limit
        if len(self._limits) > _HOSTS:
            del self._limits[next(iter(self._limits))]
        return limit.take(now)

    def left(self, host: str, now: float) -> float:
        """Return the tokens that are left for this machine."""
        limit = self._limits.get(host)
        return float("inf") if limit is None else limit.left(now)

    def take_of(self, whole: RateLimit, host: str, now: float, trusted: float) -> bool:
        """Return True if one more from this machine is within both rates; if it is, both count it.

        Half of the whole is reserved for machines with `trusted` tokens of their own left.
        """
        left = self.left(host, now)
        spare = 0.0 if left >= trusted else whole.burst / 2
        return left >= 1 and whole.take(now, spare=spare) and self.take(host, now)

    def give(self, host: str) -> None:
        """Give a machine one token back."""
        if host in self._limits:
            self._limits[host].give()


class Requests:
    """Asks of strangers in a second; half of it only for machines with half of their own rate left."""

    def __init__(self, limit: Limit, now: float) -> None:
        self._whole = RateLimit(limit.whole, now)
        self._of_machine = HostLimits(limit.source)

    def may_ask(self, host: str, now: float) -> bool:
        """Return True if one more from this machine is within both rates; if it is, it's counted."""
        return self._of_machine.take_of(self._whole, host, now, self._of_machine.burst / 2)


class Attempts:
    """Wrong codes that strangers tried: from which machines, and how many since the present code began."""

    def __init__(self) -> None:
        self._recent: dict[str, list[float]] = {}
        self.in_all = 0

    def may_try(self, host: str, now: float) -> bool:
        """Return True if this machine may try a code now."""
        recent = [when for when in self._recent.get(host, ()) if now - when < 60]
        return len(recent) < LIMITS[Entrance.CODES].source and not self.is_worn

    def failed(self, host: str, now: float) -> None:
        """Count a wrong code."""
        self.in_all += 1
        for known in [known for known, times in self._recent.items() if now - times[-1] >= 60]:
            del self._recent[known]
        self._recent[host] = [*self._recent.get(host, ())[-LIMITS[Entrance.CODES].source :], now]

    @property
    def is_worn(self) -> bool:
        """True if the code is worn out, and the table needs another one."""
        return self.in_all >= LIMITS[Entrance.CODES].whole

    def renew(self) -> None:
        """Begin to count for another code; the limit of each machine in its minute stays."""
        self.in_all = 0
