"""The short form of each battery; `python -m tests.protocol.batteries` runs the long one."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .batteries import BATTERIES, partitions
from .decoding import decode_all


@pytest.mark.battery
@pytest.mark.parametrize("name", [name for name, (_, _, quick) in BATTERIES.items() if quick])
def test_a_quick_look(name: str) -> None:
    """What the battery asserts holds over a few cases."""
    run, _, quick = BATTERIES[name]
    asyncio.run(run(quick))  # type: ignore[arg-type]  # they are coroutines


@pytest.mark.battery
def test_a_short_partition() -> None:
    """Cut off until others order, a leader and another come back to the one lineage of the others."""
    asyncio.run(partitions(1, 0.0))


@settings(max_examples=300)
@given(st.binary(max_size=1300))
def test_any_bytes_decode_or_are_refused(data: bytes) -> None:
    """Hypothesis has no bytes either that come out as anything but a message or a typed error."""
    decode_all(data)
