"""What is said about who deals: how many machines would have to conspire, and who has to be trusted."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from tavolata._engine.match.header import FAIR, HOST, STRICT
from tavolata._engine.table.trust_notice import (
    ALL_DEAL,
    ALL_DEAL_STRICTLY,
    ALL_WILL_DEAL,
    BOTH_DEAL,
    ONE_ADDRESS,
    ONE_ADDRESS_REACHES,
    TRUSTED,
    who_deals,
)


@pytest.mark.parametrize(
    ("dealer", "machines", "told"),
    [
        (FAIR, "AAA", (ALL_WILL_DEAL, {"name": "Ann"})),
        (FAIR, "AB", (BOTH_DEAL, {})),
        (FAIR, "ABCD", (ALL_DEAL, {"t": 3, "n": 4})),
        (FAIR, "ABCDEF", (ALL_DEAL, {"t": 4, "n": 6})),
        (FAIR, "ABAB", (BOTH_DEAL, {})),
        (STRICT, "ABC", (ALL_DEAL_STRICTLY, {"name": "Ann"})),
        (HOST, "ABC", (TRUSTED, {"name": "Ann"})),
    ],
)
def test_who_has_to_be_trusted_is_said(dealer: str, machines: str, told: tuple[str, dict[str, Any]]) -> None:
    """Machines count, not seats; where one host deals, its name is said."""
    assert who_deals(dealer, [one.encode() * 32 for one in machines], (b"A" * 32, "Ann"), {}) == told


@pytest.mark.parametrize(
    ("dealer", "machines", "beside", "told"),
    [
        (FAIR, "AB", "B", (ONE_ADDRESS, {})),
        (FAIR, "ABCD", "BCD", (ONE_ADDRESS, {})),
        (STRICT, "ABC", "BC", (ONE_ADDRESS, {})),
        (FAIR, "ABCD", "BC", (ONE_ADDRESS_REACHES, {"name": "Ann", "k": 3, "n": 4, "t": 3})),
        (FAIR, "ABCD", "B", (ALL_DEAL, {"t": 2, "n": 3})),
        (FAIR, "ABCDEF", "BC", (ALL_DEAL, {"t": 2, "n": 4})),
        (STRICT, "ABC", "B", (ALL_DEAL_STRICTLY, {"name": "Ann"})),
    ],
)
def test_seats_in_browsers_count_as_their_machine(
    dealer: str, machines: str, beside: str, told: tuple[str, dict[str, Any]]
) -> None:
    """Whoever has a machine that holds enough keys could see all hands, and nobody says otherwise."""
    keys = [one.encode() * 32 for one in machines]
    owners = {one.encode() * 32: "Ann" for one in f"A{beside}"}
    assert who_deals(dealer, keys, (b"A" * 32, "Ann"), owners) == told


def test_a_guest_with_browsers_on_its_machine_is_named() -> None:
    """Not only the host's machine may hold enough keys: whose it is, is said."""
    keys = [one.encode() * 32 for one in "ABCD"]
    owners = {one.encode() * 32: "Bea" for one in "BCD"}
    told = who_deals(FAIR, keys, (b"A" * 32, "Ann"), owners)
    assert told == (ONE_ADDRESS_REACHES, {"name": "Bea", "k": 3, "n": 4, "t": 3})


def test_only_of_two_machines_it_takes_all() -> None:
    """However the keys lie on three machines or more, fewer than all of them could see hidden cards."""
    for count in range(3, 9):
        keys = [bytes([number]) * 32 for number in range(count)]
        for cuts in combinations(range(1, count), 2):  # more machines only make it fewer
            owners = {key: "ABC"[sum(at >= cut for cut in cuts)] for at, key in enumerate(keys)}
            told, _ = who_deals(FAIR, keys, (keys[0], "A"), owners)
            assert told in (ALL_DEAL, ONE_ADDRESS_REACHES)
