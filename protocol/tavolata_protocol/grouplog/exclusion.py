"""Exclusion of an equivocating leader: its messages are ignored, and the others go on without it.

Its final entries can't be trusted: two honest copies may differ in final entries, so an election does not
help. The first remaining voter begins a new lineage with its own copy. The others keep their copies aside and
join again, as after any other fork of lineages.
"""

from __future__ import annotations

from tavolata_protocol.entries import branch
from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.roles import ASLEEP, State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages.entries import Member, Role


class Exclusion:
    """The convicted peers, and the time when this peer begins a lineage without them."""

    def __init__(self, leadership: Leadership) -> None:
        self._leadership = leadership
        self._at: float | None = None
        self._joins = False
        leadership.replica.when_equivocated = self.convict

    def convict(self, proof: Equivocation) -> None:
        """Ignore a peer that equivocated, from now on and after restarts."""
        replica = self._leadership.replica
        if proof.equivocator not in replica.convicted:
            replica.convicted[proof.equivocator] = proof
            replica.disk.write(storage.Convicted(proof.pack()))
            replica.tell(events.EquivocationProved(proof))
            self.part()

    def part(self) -> None:
        """Stop following an equivocator; wait for a new lineage, or for this peer's turn to begin one."""
        replica = self._leadership.replica
        lied = any(proof.first.lineage == replica.lineage for proof in replica.convicted.values())
        if not lied or replica.state in (*ASLEEP, State.JOINING, State.PARTED):
            return
        self._leadership.step_down(Trigger.CONVICTED)
        # A voter that is absent in one history may count in the other, so all have a place in the queue.
        counted = [one.peer for one in replica.configuration.members if one.role is not Role.LEARNER]
        honest = [peer for peer in counted if peer not in replica.convicted]
        if replica.is_voter and replica.me in honest:
            self._at = replica.now + honest.index(replica.me) * replica.timing.branch

    def due(self) -> float | None:
        """When this peer begins a lineage without the convicted peers."""
        return self._at if self._leadership.replica.state is State.PARTED else None

    def tick(self) -> None:
        """Begin the new lineage if it is time."""
        replica = self._leadership.replica
        if (at := self.due()) is None or replica.now < at:
            return
        members = (
            Member(one.peer, one.birth, Role.ABSENT)
            if one.role is Role.VOTER and one.peer != replica.me
            else one
            for one in replica.configuration.members
            if one.peer not in replica.convicted
        )
        branch_off(self._leadership, Configuration(tuple(members)))

    def gives_way(self, founder: PeerId) -> bool:
        """Whether this peer should join `founder`, which leads a new lineage and comes before this peer."""
        replica, order = self._leadership.replica, self._leadership.replica.configuration.peers
        if not replica.convicted or founder in replica.convicted or founder not in order:
            return False
        if replica.state is not State.PARTED and order.index(founder) > order.index(replica.me):
            return False
        if not self._joins:
            self._joins, self._at = True, None
            replica.tell(events.LineageBegun(founder))
        return True


def branch_off(leadership: Leadership, configuration: Configuration) -> None:
    """Begin a new lineage after all entries of this copy, and lead it."""
    replica = leadership.replica
    lineage = branch(replica.lineage, replica.journal.chain, replica.me)
    leadership.enter_term(replica.term + 1, replica.me)
    replica.turn(Trigger.TAKES_OVER)
    replica.lineage = lineage
    leadership.lead().append_control(configuration)
    replica.enter_lineage(lineage)
    leadership.proposer.sign_again()
