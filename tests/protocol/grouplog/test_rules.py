"""The rules of the log where they are decided: who may be taken out before anything else is final."""

from __future__ import annotations

import pytest

from tavolata_protocol.grouplog.rules import Rules


@pytest.mark.parametrize(
    ("since", "wanted", "own", "may"),
    [
        (["mab", "mabc"], "mab", True, True),  # the own promotion is taken back
        (["mab", "mabc"], "mab", False, False),  # who knows what another's term has made final with it
        (["mab", "mabc"], "ma", True, False),
        (["ma"], "m", False, True),  # of two, the one who leads is in every majority
        (["ma"], "a", True, False),
        (["m", "ma"], "m", False, True),
        (["ma", "ma"], "m", False, True),
        (["mab", "ma"], "m", True, False),  # a majority of three needs not have asked this one
        (["ma", "mab", "ma"], "m", True, False),  # nor need one that was taken back
        (["ma", "ab", "ma"], "m", True, False),
        (["ma", "mab", "ma"], "ma", True, False),  # nobody is taken out
        (["ma", "mab", "mabc"], "ma", True, False),
        (["ma"], "mb", True, False),
    ],
)
def test_voters_are_taken_out_early_only_where_nothing_can_be_lost(
    since: list[str], wanted: str, *, own: bool, may: bool
) -> None:
    """To take back the own promotion, or among two at most of whom this one always was and stays."""
    voters = [frozenset(bytes((letter,)) for letter in one.encode()) for one in (*since, wanted)]
    assert Rules().may_shrink_early(voters[:-1], voters[-1], b"m", own=own) is may
