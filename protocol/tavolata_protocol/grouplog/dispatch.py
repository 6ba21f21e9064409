"""Dispatch of messages to the parts of the log, with the checks of term and lineage.

The authorization of the sender (`authorization.py`) is checked before anything else.
"""

from __future__ import annotations

from typing import TypeAlias

from tavolata_protocol.entries import EntryKind, branch, is_authentic, read_entry
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.authorization import Authorization
from tavolata_protocol.grouplog.catchup import serve
from tavolata_protocol.grouplog.exclusion import Exclusion
from tavolata_protocol.grouplog.join_requests import JoinRequests
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.recollection import Recollection
from tavolata_protocol.grouplog.roles import State, Trigger
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire

_LINEAGES = 4
"""The number of other lineages reported for one peer; it bounds the memory that a peer can fill."""

_DELAYED_AGAIN = 10.0
"""Seconds between two events that say that proposals are delayed."""


_AboutLeadership: TypeAlias = (
    wire.Probe | wire.Probed | wire.PreVote | wire.PreVoted | wire.Vote | wire.Voted | wire.HandOver
    | wire.ShowVotes | wire.Elected | wire.Tip
)  # fmt: skip


class Dispatcher:
    """Passes decoded messages to the parts."""

    def __init__(
        self,
        leadership: Leadership,
        join_requests: JoinRequests,
        exclusion: Exclusion,
        recollection: Recollection,
    ) -> None:
        self._leadership = leadership
        self._exclusion = exclusion
        self._recollection = recollection
        self._replica = leadership.replica
        self._join_requests = join_requests
        self._authorization = Authorization(leadership, join_requests)
        self._elsewhere: dict[PeerId, set[bytes]] = {}
        self._delayed_at = float("-inf")

    def receive(self, peer: PeerId, message: wire.LogMessage) -> None:
        """Take a message; raise `RemoteError` if the peer may not send it."""
        if peer in self._replica.convicted or not self._is_ours(peer, message):
            return
        if self._replica.is_doubtful:
            self._recollection.meet(peer, message)
        if self._authorization.allows(peer, message):
            try:
                self._dispatch(peer, message)
            finally:
                self._leadership.after_drop()

    def _is_ours(self, peer: PeerId, message: wire.LogMessage) -> bool:
        replica = self._replica
        if isinstance(message, wire.Join):
            return True
        if not replica.lineage:
            return isinstance(message, wire.Append | wire.Offer | wire.Redirect)
        if message.lineage == replica.lineage:
            return True
        if isinstance(message, wire.Append | wire.Offer) and self._is_begun_by(peer):
            return True
        if isinstance(message, wire.CommitNotice | wire.Elected):
            return False  # a proof about that lineage may come from who has left it
        if isinstance(message, wire.Append) and (
            self._authorization.is_guide(peer) or self._join_requests.knows(peer)
        ):
            told = self._elsewhere.setdefault(peer, set())
            if message.lineage not in told and len(told) < _LINEAGES:
                if self._is_believed(peer, message):
                    told.add(message.lineage)
                    replica.tell(events.OtherLineage(peer, message.lineage))
                else:
                    self._leadership.mandates.ask(peer, message.term, message.lineage)
        return False

    def _is_begun_by(self, peer: PeerId) -> bool:
        """Return True if this copy asked that peer, and has no entries: any it asked before may have lied."""
        return self._replica.journal.last_number == 0 and self._authorization.is_guide(peer)

    def _is_believed(self, peer: PeerId, message: wire.Append) -> bool:
        """Return True if this shows how its lineage branched off from an entry that is here.

        That entry may be gone at the other peer, or come after another branch. So without a leader in its own
        lineage, this peer believes the one that its player chose.
        """
        if self._leadership.elections.is_forsaken and self._join_requests.knows(peer):
            return True
        journal, number, chain = self._replica.journal, message.previous_number, message.previous_hash
        if not message.entries or journal.chain_at(number) != chain:
            return False
        entry = read_entry(message.entries[0], chain)
        _, before = journal.configuration_at(number)
        return (
            entry.kind is EntryKind.CONFIGURATION
            and entry.author in before.voters
            and message.lineage == entry.lineage == branch(journal.lineage_at(number), chain, entry.author)
            and is_authentic(entry.proposal, self._replica.verify)
        )

    def _dispatch(self, peer: PeerId, message: wire.LogMessage) -> None:
        match message:
            case wire.Append() | wire.Offer():
                self._from_leader(peer, message)
            case wire.Propose() | wire.Relay() | wire.Appended() | wire.Leave() | wire.Join():
                self._to_leader(peer, message)
            case wire.FetchChunks():
                serve(self._replica, peer, message)
            case wire.Chunk():
                self._leadership.catchup.on_chunk(peer, message)
            case wire.PlacedAt(count=count, term=term):
                self._leadership.proposer.placed(count, term)
            case wire.Redirect(leader=leader):
                self._join_requests.point_to(leader)
            case wire.Rejected(reason=events.Reason.TOO_MUCH):
                if self._replica.now - self._delayed_at >= _DELAYED_AGAIN:
                    self._delayed_at = self._replica.now
                    self._replica.tell(events.ProposalsDelayed())
            case wire.Rejected():
                self._leadership.rejected()
            case wire.Recall():
                self._recollection.on_recall(peer, message)
            case wire.Remembered():
                self._recollection.on_remembered(peer, message)
            case wire.Forgot(birth=birth, number=number):
                if birth == self._replica.birth and number > self._replica.journal.last_number:
                    self._recollection.on_forgot(number)
            case wire.CommitNotice():
                self._leadership.signed_commits.on_commit_notice(peer, message)
            case _:
                self._about_leadership(peer, message)

    def _from_leader(self, peer: PeerId, message: wire.Append | wire.Offer) -> None:
        replica, follower = self._replica, self._leadership.follower
        if self._is_begun_by(peer):
            if replica.lineage and message.lineage != replica.lineage:
                replica.enter_lineage(message.lineage)
                self._leadership.forget_leader()
            if message.term < replica.term:
                self._leadership.enter_term(message.term)
        if message.term < replica.term:
            answer = wire.Appended(message.lineage, replica.term, replica.birth, False, 0, 0, 0, 0, b"")
            replica.send(peer, answer, reliable=False)
            return
        if message.term == replica.term and replica.leader not in (None, peer):
            proved = self._leadership.mandates.is_proved(peer, message.term)
            if replica.state is State.LEADER or not proved:
                raise BrokenEntry("Two peers claim to lead in the same term.")
            self._leadership.forget_leader()  # it was believed without a mandate, and this one has one
        try:
            entries = follower.examine(message) if isinstance(message, wire.Append) else []
        except BrokenEntry:
            if not self._exclusion.yields_to(peer, message.term):
                follower.is_contradicted |= peer == replica.leader
                raise
            entries = []
        self._leadership.observe(message.term)
        if message.term != replica.term:
            return  # the term is too high for one step
        if not replica.lineage:
            replica.enter_lineage(message.lineage)
        if replica.state is not State.FOLLOWER:
            replica.turn(Trigger.HEARD_LEADER)
        replica.follow(peer)
        self._leadership.unlisted = False
        if isinstance(message, wire.Append):
            follower.on_append(peer, message, entries)
        else:
            self._leadership.catchup.on_offer(peer, message)
        commits, catchup = self._leadership.signed_commits, self._leadership.catchup
        comes = replica.now - catchup.came <= replica.timing.unsigned  # what is long takes long
        withheld = commits.withheld and not comes
        if withheld:
            commits.show_again()
        if not (commits.overdue or withheld or self._leadership.relay.is_ignored or follower.is_contradicted):
            self._leadership.elections.hear()

    def _to_leader(
        self, peer: PeerId, message: wire.Propose | wire.Relay | wire.Appended | wire.Leave | wire.Join
    ) -> None:
        replica = self._replica
        if isinstance(message, wire.Appended) and self._authorization.may_raise(peer, message):
            self._leadership.renew(message.term)
        if (leading := self._leadership.leading) is None:
            if isinstance(message, wire.Relay):
                self._leadership.relay.on_relay(peer, message)
            if isinstance(message, wire.Join | wire.Leave) and replica.leader is not None and replica.lineage:
                replica.send(peer, wire.Redirect(replica.lineage, replica.leader), reliable=False)
                if isinstance(message, wire.Join):
                    replica.tell(events.JoinMisdirected(peer, replica.leader))
            return
        match message:
            case wire.Appended():
                leading.leader.on_appended(peer, message)
                self._leadership.signed_commits.remind(peer, message)
            case wire.Propose() | wire.Relay():
                leading.leader.heard(peer)
                if not self._leadership.leaving.leaving:
                    leading.queue.on_propose(peer, message)
            case wire.Leave() if peer in replica.configuration:
                leading.changes.wish(peer, None)
            case wire.Leave():
                self._reject(peer, message.lineage)
            case wire.Join(birth=birth):
                leading.changes.on_join(peer, birth)

    def _reject(self, peer: PeerId, lineage: bytes) -> None:
        self._replica.send(peer, wire.Rejected(lineage, 0, events.Reason.NOT_A_MEMBER), reliable=False)

    def _introduce(self, peer: PeerId) -> None:
        """As the leader: show a member that does not follow yet the mandate, and begin again with it."""
        if (leading := self._leadership.leading) is not None and peer in self._replica.configuration:
            self._leadership.mandates.show(peer)
            leading.leader.introduce(peer)

    def _about_leadership(self, peer: PeerId, message: _AboutLeadership) -> None:
        replica, elections = self._replica, self._leadership.elections
        match message:
            case wire.Probe():
                elections.on_probe(peer, message)
                self._introduce(peer)
            case wire.Probed():
                elections.on_probed(peer, message)
            case wire.PreVote():
                if self._leadership.leading is not None and peer not in replica.configuration:
                    self._reject(peer, message.lineage)
                else:
                    elections.on_pre_vote(peer, message, may_stand=self._authorization.may_stand(peer))
            case wire.PreVoted():
                elections.on_pre_voted(peer, message)
            case wire.Vote():
                if (own := elections.examine(peer, message)) is not None:
                    self._authorization.take_at_its_word(peer)
                    self._leadership.observe(own.term)
                    elections.on_vote(peer, own)
            case wire.Voted():
                elections.on_voted(peer, message)
            case wire.HandOver():
                if self._leadership.leaving.leaving:
                    self._leadership.leaving.ask_again()
                elif replica.may_lead:
                    elections.on_hand_over(peer, message)
            case wire.ShowVotes():
                if message.term == replica.term:
                    self._introduce(peer)
            case wire.Elected():
                self._leadership.mandates.on_elected(peer, message)
            case wire.Tip():
                self._exclusion.on_tip(peer, message)
