"""Receipts: what is acknowledged, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol import codec
from tavolata_protocol.messages.session import (
    MAX_RANGES,
    Ack,
)
from tavolata_protocol.receipts import ACK_DELAY, Receipts


def acked(ack: Ack) -> set[int]:
    below = ack.largest + 1
    counters: set[int] = set()
    for place, run in enumerate(ack.runs):
        if place % 2 == 0:
            counters |= set(range(below - run, below))
        below -= run
    return counters


@given(st.lists(st.integers(0, 60), unique=True, min_size=1))
def test_acknowledgement_names_what_came(counters: list[int]) -> None:
    """Whatever the order, the runs name the newest received counters, in at most 16 ranges."""
    receipts = Receipts()
    for counter in counters:
        receipts.note(counter, 1.0, asks=True)
    ack = receipts.frame(1.0)
    assert ack == codec.decode(codec.encode(ack), Ack)
    named = acked(ack)
    assert named <= set(counters)
    assert max(named) == max(counters)
    assert len(ack.runs) <= 2 * MAX_RANGES - 1
    if len(ack.runs) < 2 * MAX_RANGES - 1 and counters == sorted(counters):
        assert named == set(counters)


def test_second_packet_is_acknowledged_at_once_and_one_within_20_ms() -> None:
    """One packet waits 20 ms for company; the second is answered at once."""
    receipts = Receipts()
    receipts.note(0, 1.0, asks=True)
    assert receipts.due_at == 1.0 + ACK_DELAY
    receipts.note(1, 1.005, asks=True)
    assert receipts.due_at == 1.005
    assert receipts.frame(1.010).delay == pytest.approx(5000, abs=1)
    assert receipts.due_at is None


def test_packets_out_of_order_are_acknowledged_at_once() -> None:
    """A gap, and what fills it, is answered at once."""
    receipts = Receipts()
    receipts.note(0, 1.0, asks=True)
    receipts.frame(1.0)
    receipts.note(2, 1.1, asks=True)
    assert receipts.due_at == 1.1
    receipts.frame(1.1)
    receipts.note(1, 1.2, asks=True)
    assert receipts.due_at == 1.2
    assert receipts.frame(1.2).runs == (3,)


def test_packets_that_ask_nothing_are_never_answered() -> None:
    """Acknowledgements do not answer acknowledgements."""
    receipts = Receipts()
    for counter in (0, 5, 3):
        receipts.note(counter, 1.0, asks=False)
    assert receipts.due_at is None
    assert not receipts.owed()
