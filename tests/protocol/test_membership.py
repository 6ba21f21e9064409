"""Configurations: members, roles, ranks and steps."""

from __future__ import annotations

import pytest

from tavolata_protocol.errors import LocalError
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages.entries import MAX_MEMBERS, Member, Role

A, B, C = (PeerId(bytes((n,)) * 32) for n in (1, 2, 3))
BIRTH = b"12345678"


def _of(**roles: Role) -> Configuration:
    peers = {"a": A, "b": B, "c": C}
    return Configuration(tuple(Member(peers[name], BIRTH, role) for name, role in roles.items()))


def test_voters_are_those_with_that_role_in_order_of_coming() -> None:
    """Learners and absent seats don't count, and have the last rank."""
    table = _of(a=Role.VOTER, b=Role.LEARNER, c=Role.VOTER)
    assert table.voters == (A, C)
    assert [table.rank(peer) for peer in (A, B, C)] == [0, 2, 1]


def test_a_copy_with_another_birth_is_no_voter() -> None:
    """A peer that lost its log doesn't vote under its old identity."""
    table = _of(a=Role.VOTER)
    assert table.is_voter(A, BIRTH)
    assert not table.is_voter(A, b"87654321")
    assert not table.is_voter(B, BIRTH)


def test_members_are_added_replaced_and_taken_out() -> None:
    """Each step gives a new configuration and leaves the old one alone."""
    table = _of(a=Role.VOTER)
    two = table.with_member(Member(B, BIRTH, Role.LEARNER))
    assert two.peers == (A, B)
    assert B not in table
    assert two.with_role(B, Role.VOTER).voters == (A, B)
    assert two.with_member(Member(B, BIRTH, Role.VOTER)).peers == (A, B)
    assert two.without(A).peers == (B,)


def test_a_table_has_room_for_as_many_as_travel_in_one_number() -> None:
    """One member too many is refused with a sentence."""
    full = Configuration(
        tuple(Member(PeerId(bytes((n,)) * 32), BIRTH, Role.LEARNER) for n in range(MAX_MEMBERS))
    )
    with pytest.raises(LocalError, match="room"):
        full.with_member(Member(PeerId(bytes((200,)) * 32), BIRTH, Role.LEARNER))
