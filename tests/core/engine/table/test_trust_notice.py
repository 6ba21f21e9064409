"""What is said about who deals: how many machines would have to conspire, and who has to be trusted."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.header import FAIR, HOST, STRICT
from tavolata._engine.table.trust_notice import (
    ALL_DEAL,
    ALL_DEAL_STRICTLY,
    ALL_OF_ALL_DEAL,
    ALL_WILL_DEAL,
    TRUSTED,
    who_deals,
)


@pytest.mark.parametrize(
    ("dealer", "machines", "told"),
    [
        (FAIR, "AAA", (ALL_WILL_DEAL, {"name": "Ann"})),
        (FAIR, "AB", (ALL_OF_ALL_DEAL, {"t": 2, "n": 2})),
        (FAIR, "ABCD", (ALL_DEAL, {"t": 3, "n": 4})),
        (FAIR, "ABAB", (ALL_OF_ALL_DEAL, {"t": 2, "n": 2})),
        (STRICT, "ABC", (ALL_DEAL_STRICTLY, {"name": "Ann"})),
        (HOST, "ABC", (TRUSTED, {"name": "Ann"})),
    ],
)
def test_who_has_to_be_trusted_is_said(dealer: str, machines: str, told: tuple[str, dict[str, Any]]) -> None:
    """Machines count, not seats; where one host deals, its name is said."""
    assert who_deals(dealer, [one.encode() * 32 for one in machines], "Ann") == told
