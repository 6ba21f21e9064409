"""Round-trip time of one session, estimated as in RFC 9002, and the delays computed from it.

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
        """The time after its sending at which a packet counts as lost, once a later one has arrived."""
        return max(factor * max(self.srtt, self.latest), GRANULARITY)

    def probe_delay(self) -> float:
        """The time to wait for any acknowledgement before a probe."""
        return self.srtt + max(4 * self.rttvar, _MIN_VARIANCE) + MAX_ACK_DELAY
