"""The order of proposals: an author's next count is appended, lower ones are answered, higher ones wait.

Only rule 2 may live here; sending what was appended stands in `sequencing.py`.
"""

from __future__ import annotations

from tavolata_protocol.entries import Kind, Proposal, is_authentic, place, read_proposal
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.timing import WAITING_PROPOSALS
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Ordering:
    """Proposals that came too early wait here, 16 of each author at most."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._waiting: dict[PeerId, dict[int, Proposal]] = {}

    def on_propose(self, peer: PeerId, message: wire.Propose) -> None:
        """A proposal arrived.

        Raises:
            MalformedMessage: when it doesn't decode.
            BrokenEntry: when it isn't the sender's own, signed for this lineage.
        """
        desk = self._desk
        proposal = read_proposal(message.signed, message.signature)
        if (proposal.author, proposal.kind, proposal.lineage) != (peer, Kind.APPLICATION, desk.lineage):
            raise BrokenEntry("A peer proposes what it may not: only own bodies, in the present lineage.")
        if peer not in desk.configuration:
            desk.send(
                peer,
                wire.Refused(proposal.lineage, proposal.count, events.Reason.NOT_A_MEMBER),
                reliable=False,
            )
            return
        last = desk.journal.last_count(peer)
        if proposal.count <= last and not desk.rules.is_next(last, proposal.count):
            number = desk.journal.place_of(peer, proposal.count) or 0
            desk.send(
                peer, wire.PlacedAt(proposal.lineage, desk.term, proposal.count, number), reliable=False
            )
            return
        if not is_authentic(proposal, desk.verify):
            raise BrokenEntry("A proposal isn't signed by its author.")
        self.offer(proposal)

    def offer(self, proposal: Proposal) -> None:
        """Append a checked proposal and what waited for it, or let it wait."""
        desk = self._desk
        waiting = self._waiting.setdefault(proposal.author, {})
        if not desk.rules.is_next(desk.journal.last_count(proposal.author), proposal.count):
            if len(waiting) < WAITING_PROPOSALS:
                waiting[proposal.count] = proposal
            return
        following: Proposal | None = proposal
        while following is not None:
            journal = desk.journal
            desk.append(place(following, desk.term, journal.last_number + 1, journal.chain), checked=True)
            waiting.pop(following.count, None)
            following = waiting.get(following.count + 1)
