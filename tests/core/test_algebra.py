"""Integers in place of points: whose turn it is, and that they don't stay."""

from __future__ import annotations

from pathlib import Path

import pytest
from nacl import bindings
from tests.core import algebra
from tests.rehearsals.cheap import cheap_group, forget

from tavolata_protocol.fair.group import ED25519


@pytest.mark.parametrize("commit", [0, 81240])
def test_five_commits_see_every_file_compute_with_points(
    commit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file has its turn once in five commits, and a few at each."""
    monkeypatch.setattr(algebra, "POINTS", None)
    files = sorted((Path(__file__).parent / "engine").rglob("test_*.py"))
    assert len(files) > 100
    for file in files:
        turns = [algebra.with_points(file, at) for at in range(commit, commit + 5)]
        assert turns.count(True) == (5 if file.name in algebra.ALWAYS else 1), file


def test_integers_are_a_group_and_give_way_to_points() -> None:
    """While they're there they add up as points do; afterwards libsodium takes what is computed again."""
    with pytest.MonkeyPatch.context() as patch:
        cheap_group(patch)
        one = ED25519.multiply(3, ED25519.multiply_base(5))
        assert one == ED25519.add(ED25519.multiply_base(7), ED25519.multiply_base(8))
        assert ED25519.subtract(one, one) == ED25519.identity
        assert not ED25519.is_point(ED25519.identity)
        assert not bindings.crypto_core_ed25519_is_valid_point(one)
    forget("tavolata_protocol")
    assert bindings.crypto_core_ed25519_is_valid_point(ED25519.multiply_base(15))
