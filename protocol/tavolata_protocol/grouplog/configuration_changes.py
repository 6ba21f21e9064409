"""Configuration changes at the leader: requested changes wait here, and are made one voter at a time.

Rule 6 says when a change may be made; rules 9 and 10 say which absent voter is removed. A configuration is
defined in `membership.py`.
"""

from __future__ import annotations

from typing import Any, Final

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.leader import Leader
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages.entries import MAX_MEMBERS, Member, Role

ASKERS: Final = 256
"""The number of remembered join requests; a forgotten peer asks again within a second."""


class ConfigurationChanges:
    """The requested changes of one term; a peer that stops leading forgets them."""

    def __init__(self, replica: Replica, leader: Leader) -> None:
        self._replica = replica
        self._leader = leader
        self._births: dict[PeerId, tuple[bytes, float]] = {}
        self._wishes: dict[PeerId, Role | None] = {}
        self._announced: dict[PeerId, bytes] = {}

    # Requests

    def on_join(self, peer: PeerId, birth: bytes) -> None:
        """Take a newcomer's join request; a member that lost its copy has to join as a newcomer (rule 12)."""
        now, member = self._replica.now, self._replica.configuration.member(peer)
        known, since = self._births.get(peer, (birth, now))
        if known != birth and now - since < self._replica.timing.asking:
            return  # limits a peer that always has a new birth; an honest one asks again
        self._births.pop(peer, None)
        self._births[peer] = (birth, since if known == birth else now)  # as the latest
        _forget_oldest(self._births)
        if member is not None and member.birth == birth:
            return
        if member is not None:
            self._wishes.setdefault(peer, None)
        elif self._was_taken_out(peer, birth) and not self._leader.has_parted_with(peer):
            self._leader.part_with(peer, birth)  # it does not know yet that it was taken out
            return
        if self._announced.get(peer) != birth:
            self._announced[peer] = birth
            _forget_oldest(self._announced)
            self._replica.tell(events.JoinRequested(peer))

    def _was_taken_out(self, peer: PeerId, birth: bytes) -> bool:
        """Return True if that copy isn't a member now, and was one in an earlier stored configuration."""
        configurations = (one for _, one in self._replica.journal.configurations)
        return any((old := one.member(peer)) and old.birth == birth for one in configurations)

    def wish(self, peer: PeerId, role: Role | None) -> None:
        """Give `peer` this role, or remove it (None), as soon as possible."""
        self._wishes[peer] = role
        if role is None:
            self._announced.pop(peer, None)  # if it asks again, the application decides again

    @property
    def departing(self) -> set[PeerId]:
        """The peers that must be taken out."""
        return {peer for peer, role in self._wishes.items() if role is None}

    def pursue(self) -> None:
        """Append the first requested change that is possible now."""
        free = bool(self._wishes) and self._is_free()
        for peer, role in list(self._wishes.items()):
            changed = self._step(peer, role)
            if changed is self._replica.configuration:
                del self._wishes[peer]
            elif changed is not None and (free or self._is_early_enough(changed)):
                self._leader.append_control(changed)
                return

    def may_drop_one(self) -> bool:
        """Return True if an absent voter could be taken out now, so that half of the voters can continue."""
        replica, now = self._replica, self._replica.configuration
        return self._is_free() or any(
            self._is_early_enough(now.with_role(peer, Role.ABSENT))
            for peer in now.voters
            if peer != replica.me
        )

    def _is_free(self) -> bool:
        """Return True if any next change may be appended (rule 6)."""
        replica, journal = self._replica, self._replica.journal
        return replica.rules.may_reconfigure(
            configuration_final=journal.configuration_number <= journal.commit_index,
            term_has_final=journal.term_at(journal.commit_index) == replica.term,
        )

    def _is_early_enough(self, changed: Configuration) -> bool:
        """Return True if a change that only removes voters need not wait; see `Rules.may_shrink_early`."""
        replica, journal = self._replica, self._replica.journal
        final, _ = journal.configuration_at(journal.commit_index)
        since = [frozenset(one.voters) for number, one in journal.configurations if number >= final]
        own = journal.term_at(journal.configuration_number) == replica.term
        return final > 0 and replica.rules.may_shrink_early(
            since, frozenset(changed.voters), replica.me, own=own
        )

    def _step(self, peer: PeerId, role: Role | None) -> Configuration | None:
        """Return the next configuration towards a request; the present one if fulfilled, None to wait."""
        now = self._replica.configuration
        member = now.member(peer)
        birth, _ = self._births.get(peer, (None, 0.0))
        if role is None:
            return now if member is None else now.without(peer)
        if member is not None and birth not in (None, member.birth):
            return now.without(peer)
        if member is None:
            full = len(now.members) >= MAX_MEMBERS  # newcomers then wait for a place
            return None if birth is None or full else now.with_member(Member(peer, birth, Role.LEARNER))
        if member.role is role:
            return now
        if role is Role.VOTER and self._leader.progress(peer).match < self._replica.journal.commit_index:
            return None  # its copy would delay commits
        return now.with_role(peer, role)

    # Absent members

    def tend_absent(self) -> None:
        """Request the changes of rules 9 and 10, and take out the convicted and learners that went.

        This is done whenever absence is checked.
        """
        replica = self._replica
        for member in replica.configuration.members:
            if member.peer in replica.convicted:
                self._wishes[member.peer] = None
            elif member.role is Role.ABSENT and member.peer not in replica.away:
                progress = self._leader.progress(member.peer)
                if progress.match and progress.match >= replica.journal.commit_index:
                    self._wishes.setdefault(member.peer, Role.VOTER)
            elif member.role is Role.LEARNER and self._is_forgotten(member.peer):
                self._wishes.setdefault(member.peer, None)
        voters = replica.configuration.voters
        here = [peer for peer in voters if peer == replica.me or peer not in replica.away]
        stuck = len(here) < replica.rules.quorum(len(voters))
        if stuck and len(here) >= replica.rules.enough_to_stay(len(voters)):
            gone = [peer for peer in voters if peer not in here]
            _, final = replica.journal.configuration_at(replica.journal.commit_index)
            # First voters of no final configuration, then those heard longest ago.
            first = min(gone, key=lambda peer: (peer in final.voters, self._leader.progress(peer).heard))
            self._wishes[first] = Role.ABSENT

    def _is_forgotten(self, peer: PeerId) -> bool:
        """Return True if a learner was away so long that others get its place; it may come back as new."""
        silent = self._replica.now - self._leader.progress(peer).heard
        return peer in self._replica.away and silent >= self._replica.timing.forgotten


def _forget_oldest(of: dict[PeerId, Any]) -> None:
    while len(of) > ASKERS:
        of.pop(next(iter(of)))
