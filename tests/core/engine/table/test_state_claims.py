"""Claims of the state of a match: which count, and how many are kept."""

from __future__ import annotations

from tavolata._engine.table.state_claims import MOST, StateClaims

LIAR, ANN, BEN = b"liar", b"ann", b"ben"


def test_a_liar_crowds_out_no_claims_of_others() -> None:
    """Claims that nobody contradicts fill only their author's room: two honest parties still differ."""
    claims = StateClaims()
    for number in range(1000):
        assert claims.take(LIAR, number, b"") is None
    assert claims.take(ANN, 2000, b"one") is None
    found = claims.take(BEN, 2000, b"other")
    assert found is not None
    assert found.digests == {ANN: b"one", BEN: b"other"}
    assert len(claims.digests) == MOST + 1


def test_a_party_that_has_claimed_much_still_claims_more() -> None:
    """Its oldest claims give way, and those of others about the same entries stay."""
    claims = StateClaims()
    claims.take(BEN, 0, b"0")
    for number in range(MOST + 2):
        assert claims.take(ANN, number, b"%d" % number) is None
    assert claims.digests[0] == {BEN: b"0"}
    assert 1 not in claims.digests
    assert claims.take(BEN, MOST + 1, b"other") is not None
