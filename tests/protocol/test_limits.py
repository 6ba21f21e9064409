"""The rate of handshakes."""

from __future__ import annotations

from tavolata_protocol.limits import RateLimit


def test_rate_limit_allows_its_rate_and_refills() -> None:
    """Fifty at once, none more, and one more each fiftieth of a second."""
    limit = RateLimit(50, 0.0)
    assert sum(limit.take(0.0) for _ in range(80)) == 50
    assert sum(limit.take(0.1) for _ in range(80)) == 5
    assert sum(limit.take(60.0) for _ in range(80)) == 50
