"""Round-trip estimates, as in RFC 9002, and pacing: a burst, then an even stream."""

from __future__ import annotations

import pytest

from tavolata_protocol.pacing import BURST, Pacer, RttEstimator


def test_pacing_spreads_a_window_over_the_round_trip() -> None:
    """After the burst, packets leave 5/4 as fast as the window empties."""
    pacer, now = Pacer(0.0), 0.0
    times: list[float] = []
    while len(times) < 40:
        if pacer.is_ready(now, 8, 0.1):
            pacer.sent()
            times.append(now)
        else:
            later = pacer.ready_at(8, 0.1)
            assert later > now
            now = later
    assert times[BURST - 1] == 0.0
    assert times[-1] == pytest.approx((40 - BURST) / 100, rel=0.01)


def test_first_round_trip_is_assumed_then_replaced() -> None:
    """100 ms until measured; the first sample counts whole, later ones by RFC 9002."""
    rtt = RttEstimator()
    assert rtt.srtt == 0.1
    rtt.sample(0.008, 0.0)
    assert (rtt.srtt, rtt.rttvar) == (0.008, 0.004)
    rtt.sample(0.016, 0.0)
    assert rtt.srtt == pytest.approx(0.009)
    assert rtt.rttvar == pytest.approx(0.005)
    assert rtt.probe_delay() == pytest.approx(0.009 + 4 * 0.005 + 0.020)


def test_claimed_delay_is_bounded() -> None:
    """A peer can't talk the round trip below its minimum, nor subtract more than 20 ms."""
    rtt = RttEstimator()
    rtt.sample(0.010, 0.0)
    rtt.sample(0.011, 5.0)
    assert rtt.latest == 0.011
    rtt.sample(0.100, 5.0)
    assert rtt.latest == pytest.approx(0.080)
