"""Pacing of packets: they are spread over the round trip instead of sent in one burst."""

from __future__ import annotations

BURST = 10
_GAIN = 1.25
_WHOLE = 1 - 1e-6  # or rounding would make a timer come a hair too early, forever


class Pacer:
    """A token bucket of packets; it refills at 5/4 of one window in a round trip."""

    def __init__(self, now: float) -> None:
        self._tokens = float(BURST)
        self._at = now

    def is_ready(self, now: float, window: float, srtt: float) -> bool:
        """Whether a packet may be sent; an empty bucket is refilled first."""
        if self._tokens >= _WHOLE:
            return True
        self._tokens = min(self._tokens + max(now - self._at, 0.0) * _rate(window, srtt), float(BURST))
        self._at = max(now, self._at)
        return self._tokens >= _WHOLE

    def ready_at(self, window: float, srtt: float) -> float:
        """When the next packet may be sent; a time in the past means now."""
        return self._at + max(1 - self._tokens, 0.0) / _rate(window, srtt)

    def sent(self) -> None:
        """Count a packet that was sent."""
        self._tokens = max(self._tokens - 1, 0.0)


def _rate(window: float, srtt: float) -> float:
    return _GAIN * window / max(srtt, 1e-6)
