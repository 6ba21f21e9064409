"""Pacing: a burst, then an even stream."""

from __future__ import annotations

import pytest

from tavolata_protocol.pacing import BURST, Pacer


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
