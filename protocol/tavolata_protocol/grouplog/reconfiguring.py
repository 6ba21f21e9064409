"""Changes of membership at the sequencer: wishes wait here, and become configurations one voter at a time.

Rule 6 says when; rules 9 and 10 which absent seat stops counting. What a configuration is stands in
`membership.py`.
"""

from __future__ import annotations

from typing import Any, Final

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.leader import Sequencing
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration, Member, Role
from tavolata_protocol.messages.entries import MAX_MEMBERS

ASKERS: Final = 256
"""Peers whose wish to join is remembered; who is forgotten asks again within a second."""


class Reconfiguring:
    """The wishes of one term; who stops being the sequencer forgets them."""

    def __init__(self, desk: Desk, sequencing: Sequencing) -> None:
        self._desk = desk
        self._sequencing = sequencing
        self._births: dict[PeerId, tuple[bytes, float]] = {}
        self._wishes: dict[PeerId, Role | None] = {}
        self._announced: dict[PeerId, bytes] = {}

    # Wishes

    def on_join(self, peer: PeerId, birth: bytes) -> None:
        """A newcomer asks to be let in; a member that lost its copy has to start as a newcomer (rule 12)."""
        now, member = self._desk.now, self._desk.configuration.member(peer)
        known, since = self._births.get(peer, (birth, now))
        if known != birth and now - since < self._desk.timing.asking:
            return  # who is born ever again is heard of as often as that, and asks again
        self._births.pop(peer, None)
        self._births[peer] = (birth, since if known == birth else now)  # as the latest
        _forget_oldest(self._births)
        if member is not None and member.birth == birth:
            return
        if member is not None:
            self._wishes.setdefault(peer, None)
        if self._announced.get(peer) != birth:
            self._announced[peer] = birth
            _forget_oldest(self._announced)
            self._desk.tell(events.JoinRequested(peer))
            self._desk.tell(events.SnapshotWanted(peer))

    def wish(self, peer: PeerId, role: Role | None) -> None:
        """Have `peer` in that role, or out (None), as soon as it is possible."""
        self._wishes[peer] = role

    def pursue(self) -> None:
        """Append the first change that is wanted and possible now."""
        desk, journal = self._desk, self._desk.journal
        free = self._wishes and desk.rules.may_reconfigure(
            configuration_final=journal.configuration_number <= journal.final,
            term_has_final=journal.term_at(journal.final) == desk.term,
        )
        for peer, role in list(self._wishes.items()):
            changed = self._step(peer, role)
            if changed is desk.configuration:
                del self._wishes[peer]
            elif changed is not None and (free or self._is_early_enough(changed)):
                self._sequencing.append_control(changed)
                return

    def _is_early_enough(self, changed: Configuration) -> bool:
        """Whether a change that only takes voters out need not wait; see `Rules.may_shrink_early`."""
        desk, journal = self._desk, self._desk.journal
        if journal.term_at(journal.configuration_number) not in (desk.term, None) and len(changed.voters) > 1:
            return False  # another sequencer's: its fate is settled by this term's first final entry
        number, final = journal.configuration_at(journal.final)
        return number > 0 and desk.rules.may_shrink_early(
            frozenset(final.voters),
            frozenset(desk.configuration.voters),
            frozenset(changed.voters),
            desk.me,
        )

    def _step(self, peer: PeerId, role: Role | None) -> Configuration | None:
        """The next configuration towards a wish: the present one when it is fulfilled, None to wait."""
        now = self._desk.configuration
        member = now.member(peer)
        birth, _ = self._births.get(peer, (None, 0.0))
        if role is None:
            return now if member is None else now.without(peer)
        if member is not None and birth not in (None, member.birth):
            return now.without(peer)
        if member is None:
            full = len(now.members) >= MAX_MEMBERS  # whoever comes then waits for a place
            return None if birth is None or full else now.with_member(Member(peer, birth, Role.LEARNER))
        if member.role is role:
            return now
        if role is Role.VOTER and self._sequencing.progress(peer).match < self._desk.journal.final:
            return None  # its copy would hold up finality
        return now.with_role(peer, role)

    # The absent

    def tend_absent(self) -> None:
        """Wish for what rules 9 and 10 want; to be called as often as absence is looked at."""
        desk = self._desk
        for member in desk.configuration.members:
            if member.role is Role.ABSENT and member.peer not in desk.away:
                progress = self._sequencing.progress(member.peer)
                if progress.match and progress.match >= desk.journal.final:
                    self._wishes.setdefault(member.peer, Role.VOTER)
        voters = desk.configuration.voters
        here = [peer for peer in voters if peer == desk.me or peer not in desk.away]
        stuck = len(here) < desk.rules.quorum(len(voters))
        if stuck and len(here) >= desk.rules.enough_to_stay(len(voters)):
            gone = [peer for peer in voters if peer not in here]
            _, final = desk.journal.configuration_at(desk.journal.final)
            self._wishes[min(gone, key=lambda peer: self._urgency(peer, final))] = Role.ABSENT

    def _urgency(self, peer: PeerId, final: Configuration) -> tuple[bool, float]:
        """Who is taken out first: who never counted for good, then who was heard longest ago."""
        return peer in final.voters, self._sequencing.progress(peer).heard


def _forget_oldest(of: dict[PeerId, Any]) -> None:
    while len(of) > ASKERS:
        of.pop(next(iter(of)))
