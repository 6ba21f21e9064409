"""Membership of the agreed log: members, their roles, and the steps between configurations.

Only data and their arithmetic are here. `grouplog/configuration_changes.py` decides when a step may be taken.
`grouplog/leader.py` knows which members are present now.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec.structs import replace

from tavolata_protocol.errors import LocalError
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages.entries import MAX_MEMBERS, Member, Role

BIRTH_SIZE = 8


@dataclass(frozen=True, slots=True)
class Configuration:
    """All members, in the order in which they joined, which is their rank in elections."""

    members: tuple[Member, ...] = ()
    peers: tuple[PeerId, ...] = field(init=False, compare=False, repr=False)
    """All members' identities."""
    voters: tuple[PeerId, ...] = field(init=False, compare=False, repr=False)
    """The identities of those whose copies count."""
    _index: dict[PeerId, Member] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Derived once: every message looks its sender up.
        by_peer = {member.peer: member for member in self.members}
        object.__setattr__(self, "_index", by_peer)
        object.__setattr__(self, "peers", tuple(by_peer))
        voters = tuple(member.peer for member in self.members if member.role is Role.VOTER)
        object.__setattr__(self, "voters", voters)

    def __contains__(self, peer: PeerId) -> bool:
        return peer in self._index

    def member(self, peer: PeerId) -> Member | None:
        """Return the member with the identity `peer`, if there is one."""
        return self._index.get(peer)

    def is_voter(self, peer: PeerId, birth: bytes) -> bool:
        """Return True if `peer` is a voter with the copy of the log that began with `birth`."""
        member = self.member(peer)
        return member is not None and member.role is Role.VOTER and member.birth == birth

    def rank(self, peer: PeerId) -> int:
        """Return the place of `peer` among the voters, from 0; after them all if it isn't a voter."""
        voters = self.voters
        return voters.index(peer) if peer in voters else len(voters)

    def with_member(self, member: Member) -> Configuration:
        """Return the same configuration with `member` added, or replacing the member of the same peer.

        Raise `LocalError` if there is no room.
        """
        if member.peer in self:
            return Configuration(tuple(member if m.peer == member.peer else m for m in self.members))
        if len(self.members) >= MAX_MEMBERS:
            raise LocalError(f"A table has room for {MAX_MEMBERS} peers, and they are all here.")
        return Configuration((*self.members, member))

    def without(self, peer: PeerId) -> Configuration:
        """Return the same configuration without `peer`."""
        return Configuration(tuple(member for member in self.members if member.peer != peer))

    def with_role(self, peer: PeerId, role: Role) -> Configuration:
        """Return the same configuration with another role for a member."""
        return self.with_member(replace(self._index[peer], role=role))
