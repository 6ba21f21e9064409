"""The rate of handshakes."""

from __future__ import annotations

from tavolata_protocol.limits import Attempts, RateLimit


def test_rate_limit_allows_its_rate_and_refills() -> None:
    """Fifty at once, none more, and one more each fiftieth of a second."""
    limit = RateLimit(50, 0.0)
    assert sum(limit.take(0.0) for _ in range(80)) == 50
    assert sum(limit.take(0.1) for _ in range(80)) == 5
    assert sum(limit.take(60.0) for _ in range(80)) == 50


def test_wrong_codes_are_counted_by_machine_and_in_all() -> None:
    """Three a minute from one machine, ten from all, then nothing is looked at until another code."""
    attempts = Attempts()
    for second in range(3):
        assert attempts.may_try("a", second)
        attempts.failed("a", second)
    assert not attempts.may_try("a", 3.0)
    assert attempts.may_try("b", 3.0)
    assert attempts.may_try("a", 60.5)
    for number in range(7):
        assert not attempts.is_worn
        attempts.failed(f"machine {number}", 61.0)
    assert attempts.is_worn
    assert not attempts.may_try("new", 200.0)
    attempts.renew()
    assert attempts.may_try("new", 200.0)


def test_machines_are_forgotten_after_their_minute() -> None:
    """What is remembered is bounded by what came within a minute."""
    attempts = Attempts()
    for second in range(1000):
        attempts.failed(f"machine {second}", float(second))
        attempts.renew()
    assert len(attempts._recent) <= 61


def test_a_rate_that_is_told_no_time_begins_at_zero() -> None:
    """Without a time of its own, a limit refills from the first moment on."""
    limit = RateLimit(2)
    assert [limit.take(0.0) for _ in range(3)] == [True, True, False]
    assert limit.take(0.5)
