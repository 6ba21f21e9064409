"""Round trips of one session, estimated as in RFC 9002, and the pacing of packets over them.

All times are in seconds.
"""

from __future__ import annotations

FIRST_GUESS = 0.1
MAX_ACK_DELAY = 0.020
GRANULARITY = 0.001
_MIN_VARIANCE = 0.010


class RttEstimator:
    """Smoothed round-trip time and its variance; 100 ms until there is a sample."""

    def __init__(self) -> None:
        self.srtt = FIRST_GUESS
        self.rttvar = FIRST_GUESS / 2
        self.latest = FIRST_GUESS
        self.minimum: float | None = None

    def sample(self, rtt: float, ack_delay: float) -> None:
        """Take a measured round trip; the other side reports that it waited `ack_delay` of that."""
        if self.minimum is None:
            self.srtt = self.minimum = self.latest = rtt
            self.rttvar = rtt / 2
            return
        self.minimum = min(self.minimum, rtt)
        delay = min(ack_delay, MAX_ACK_DELAY)
        if rtt - delay >= self.minimum:  # a claimed delay may not make the path faster than it ever was
            rtt -= delay
        self.latest = rtt
        self.rttvar += (abs(self.srtt - rtt) - self.rttvar) / 4
        self.srtt += (rtt - self.srtt) / 8

    def loss_delay(self, factor: float) -> float:
        """Return how long after sending a packet counts as lost, once a later one has arrived."""
        return max(factor * max(self.srtt, self.latest), GRANULARITY)

    def probe_delay(self) -> float:
        """Return the time to wait for any acknowledgement before a probe."""
        return self.srtt + max(4 * self.rttvar, _MIN_VARIANCE) + MAX_ACK_DELAY


BURST = 10
_GAIN = 1.25
_WHOLE = 1 - 1e-6  # or rounding would make a timer come a hair too early, forever


class Pacer:
    """A token bucket of packets; it refills at 5/4 of one window in a round trip."""

    def __init__(self, now: float) -> None:
        self._tokens = float(BURST)
        self._at = now

    def is_ready(self, now: float, window: float, srtt: float) -> bool:
        """Return True if a packet may be sent; an empty bucket is refilled first."""
        if self._tokens >= _WHOLE:
            return True
        self._tokens = min(self._tokens + max(now - self._at, 0.0) * _rate(window, srtt), float(BURST))
        self._at = max(now, self._at)
        return self._tokens >= _WHOLE

    def ready_at(self, window: float, srtt: float) -> float:
        """Return when the next packet may be sent; a time in the past means now."""
        return self._at + max(1 - self._tokens, 0.0) / _rate(window, srtt)

    def sent(self) -> None:
        """Count a packet that was sent."""
        self._tokens = max(self._tokens - 1, 0.0)


def _rate(window: float, srtt: float) -> float:
    return _GAIN * window / max(srtt, 1e-6)
