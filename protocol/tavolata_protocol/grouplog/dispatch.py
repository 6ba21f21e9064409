"""Which message reaches which part, in which term and lineage. Decides nothing else.

From whom each message is heard stands in `hearing.py`, and is asked before anything else.
"""

from __future__ import annotations

from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.authorization import Hearing
from tavolata_protocol.grouplog.catchup import serve
from tavolata_protocol.grouplog.deposing import Deposing
from tavolata_protocol.grouplog.joining import Joining
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.roles import State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire

_LINEAGES = 4
"""How many other lineages of one peer are reported, so that nobody can fill the memory with them."""


class Switchboard:
    """Takes decoded messages."""

    def __init__(self, office: Office, joining: Joining, deposing: Deposing) -> None:
        self._office = office
        self._deposing = deposing
        self._desk = office.desk
        self._joining = joining
        self._hearing = Hearing(office, joining)
        self._elsewhere: dict[PeerId, set[bytes]] = {}

    def receive(self, peer: PeerId, message: wire.LogMessage) -> None:
        """Take a message.

        Raises:
            RemoteError: when the peer may not send it.
        """
        if (
            peer not in self._desk.convicted
            and self._is_ours(peer, message)
            and self._hearing.hears(peer, message)
        ):
            self._dispatch(peer, message)

    def _is_ours(self, peer: PeerId, message: wire.LogMessage) -> bool:
        desk = self._desk
        if isinstance(message, wire.Join):
            return True
        if desk.lineage is None:
            return isinstance(message, wire.Append | wire.Offer | wire.Redirect)
        if message.lineage == desk.lineage:
            return desk.state is not State.PARTED or isinstance(message, wire.Pledged)
        if isinstance(message, wire.Append | wire.Offer) and self._deposing.gives_way(peer):
            return False
        if self._hearing.is_member(peer) or self._joining.knows(peer):
            told = self._elsewhere.setdefault(peer, set())
            if message.lineage not in told and len(told) < _LINEAGES:
                told.add(message.lineage)
                desk.tell(events.OtherLineage(peer, message.lineage))
        return False

    def _dispatch(self, peer: PeerId, message: wire.LogMessage) -> None:
        match message:
            case wire.Append() | wire.Offer():
                self._from_sequencer(peer, message)
            case wire.Propose() | wire.Appended() | wire.Leave() | wire.Join():
                self._to_sequencer(peer, message)
            case wire.Ask():
                serve(self._desk, peer, message)
            case wire.Chunk():
                try:
                    self._office.catchup.on_chunk(peer, message)
                finally:
                    self._office.after_drop()
            case wire.PlacedAt(count=count, term=term):
                self._office.proposing.placed(count, term)
            case wire.Redirect(sequencer=sequencer):
                self._joining.point_to(PeerId(sequencer))
            case wire.Refused():
                self._office.unlisted = True
            case wire.Pledged():
                self._office.vouching.on_pledge(peer, message)
            case _:
                self._about_office(peer, message)

    def _from_sequencer(self, peer: PeerId, message: wire.Append | wire.Offer) -> None:
        desk = self._desk
        if message.term < desk.term:
            answer = wire.Appended(message.lineage, desk.term, desk.birth, False, 0, 0, 0, 0, b"")
            desk.send(peer, answer, reliable=False)
            return
        same = message.term == desk.term
        if same and (desk.state is State.SEQUENCING or desk.sequencer not in (None, peer)):
            raise BrokenEntry("Two peers claim to order in the same term.")
        entries = self._office.following.examine(message) if isinstance(message, wire.Append) else []
        self._office.observe(message.term)
        if message.term != desk.term:
            return  # too far away for one step
        if desk.lineage is None:
            desk.enter_lineage(message.lineage)
        if desk.state is not State.FOLLOWING:
            desk.turn(Trigger.HEARD_SEQUENCER)
        desk.follow(peer)
        self._office.unlisted = False
        try:
            if isinstance(message, wire.Append):
                self._office.following.on_append(peer, message, entries)
            else:
                self._office.catchup.on_offer(peer, message)
        finally:
            self._office.after_drop()
        if not self._office.vouching.overdue:
            self._office.elections.hear()

    def _to_sequencer(
        self, peer: PeerId, message: wire.Propose | wire.Appended | wire.Leave | wire.Join
    ) -> None:
        desk = self._desk
        if isinstance(message, wire.Appended) and self._hearing.may_raise(peer, message):
            self._office.observe(message.term)
        if (
            self._office.sequencing is None
            or self._office.ordering is None
            or self._office.reconfiguring is None
        ):
            if isinstance(message, wire.Join) and desk.sequencer is not None and desk.lineage is not None:
                desk.send(peer, wire.Redirect(desk.lineage, desk.sequencer), reliable=False)
                desk.tell(events.JoinMisdirected(peer, desk.sequencer))
            return
        match message:
            case wire.Appended():
                self._office.sequencing.on_appended(peer, message)
                self._office.vouching.remind(peer, message)
            case wire.Propose():
                self._office.sequencing.heard(peer)
                if not self._office.farewell.leaving:
                    self._office.ordering.on_propose(peer, message)
            case wire.Leave():
                self._office.reconfiguring.wish(peer, None)
            case wire.Join(birth=birth):
                self._office.reconfiguring.on_join(peer, birth)

    def _about_office(self, peer: PeerId, message: wire.LogMessage) -> None:
        desk, elections = self._desk, self._office.elections
        match message:
            case wire.Probe():
                elections.on_probe(peer, message)
            case wire.Probed():
                elections.on_probed(peer, message)
            case wire.PreVote():
                if self._office.sequencing is not None and peer not in desk.configuration:
                    desk.send(
                        peer, wire.Refused(message.lineage, 0, events.Reason.NOT_A_MEMBER), reliable=False
                    )
                else:
                    elections.on_pre_vote(peer, message, may_stand=self._hearing.may_stand(peer))
            case wire.PreVoted(granted=granted, term=term):
                if not granted and self._hearing.may_raise(peer, message):
                    self._office.observe(term)
                elections.on_pre_voted(peer, message)
            case wire.Vote(term=term):
                if not elections.ignores(peer, message):
                    self._hearing.take_at_its_word(peer)
                    self._office.observe(term)
                    elections.on_vote(peer, message)
            case wire.Voted(term=term):
                if self._hearing.may_raise(peer, message):
                    self._office.observe(term)
                elections.on_voted(peer, message)
            case wire.HandOver(term=term):
                if term == desk.term and desk.is_voter:
                    desk.turn(Trigger.HANDED_OVER)
                    elections.stand(handover=True)
