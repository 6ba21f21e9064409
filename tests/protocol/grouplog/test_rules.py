"""The rules of the log where they are decided: who may be taken out before anything else is final."""

from __future__ import annotations

import pytest

from tavolata_protocol.grouplog.rules import Rules


@pytest.mark.parametrize(
    ("final", "present", "wanted", "may"),
    [
        ("mab", "mabc", "mab", True),  # what never became final is taken back
        ("mab", "mabc", "ma", False),
        ("ma", "ma", "m", True),  # of two, the one who leads is in every majority
        ("ma", "ma", "a", False),
        ("m", "ma", "m", True),
        ("mab", "ma", "m", False),  # a majority of three needs not have asked this one
        ("ma", "mab", "m", False),
        ("ab", "ma", "m", False),
        ("ma", "ma", "ma", False),  # nobody is taken out
        ("ma", "ma", "mb", False),
    ],
)
def test_voters_are_taken_out_early_only_where_nothing_can_be_lost(
    final: str, present: str, wanted: str, *, may: bool
) -> None:
    """To go back to what is final, or among two at most of whom this one stays."""
    last, now, then = (frozenset(one.encode() for one in voters) for voters in (final, present, wanted))
    assert Rules().may_shrink_early(last, now, then, b"m") is may
