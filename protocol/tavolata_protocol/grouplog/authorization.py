"""Authorization of messages: a table of the permitted senders of each message type, and its evaluation.

Each message is checked once, before any other part sees it and before its term is entered. A session proves
the identity of a peer, not its permissions: at an open table, anybody can have a session.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Final

from tavolata_protocol.grouplog.join_requests import JoinRequests
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Sender(Enum):
    """The classes of permitted senders; the configuration is always this peer's own."""

    ANYBODY = "anybody: it is answered, or carries its own proof"
    MEMBER = "members of any role, and those who were just taken out"
    VOTER = "voters"
    CANDIDATE = "who may become the leader: a voter, see `Authorization.may_stand`"
    LEADING = "who may be the leader of that term, see `Authorization.may_lead`"
    LEADER = "the leader that is followed"
    GUIDE = "whom this peer asked to be let in, and voters"


AUTHORIZED: Final = MappingProxyType(
    {
        wire.Join: Sender.ANYBODY,
        wire.Redirect: Sender.GUIDE,
        wire.Propose: Sender.ANYBODY,
        wire.PlacedAt: Sender.LEADER,
        wire.Rejected: Sender.GUIDE,
        wire.Append: Sender.LEADING,
        wire.Appended: Sender.MEMBER,
        wire.Offer: Sender.LEADING,
        wire.FetchChunks: Sender.MEMBER,
        wire.Chunk: Sender.LEADER,
        wire.Probe: Sender.MEMBER,
        wire.Probed: Sender.VOTER,
        wire.PreVote: Sender.ANYBODY,
        wire.PreVoted: Sender.VOTER,
        wire.Vote: Sender.CANDIDATE,
        wire.Voted: Sender.VOTER,
        wire.HandOver: Sender.LEADER,
        wire.Leave: Sender.ANYBODY,
        wire.CommitNotice: Sender.ANYBODY,
        wire.Relay: Sender.MEMBER,
        wire.ShowVotes: Sender.MEMBER,
        wire.Elected: Sender.MEMBER,
        wire.Tip: Sender.MEMBER,
        wire.Recall: Sender.MEMBER,
        wire.Remembered: Sender.ANYBODY,
        wire.Forgot: Sender.LEADER,
    }
)


class Authorization:
    """Applies the table to one peer's copy of the log."""

    def __init__(self, leadership: Leadership, join_requests: JoinRequests) -> None:
        self._leadership = leadership
        self._replica = leadership.replica
        self._join_requests = join_requests
        self._trusted_at = float("-inf")

    def allows(self, peer: PeerId, message: wire.LogMessage) -> bool:
        """Return True if `peer` may send this message."""
        match AUTHORIZED[type(message)]:
            case Sender.ANYBODY:
                return True
            case Sender.MEMBER:
                leading = self._leadership.leading
                return peer in self._replica.configuration or (
                    leading is not None and leading.leader.parts_with(peer)
                )
            case Sender.VOTER:
                return self._replica.journal.may_vote(peer)
            case Sender.CANDIDATE:
                return self.may_stand(peer)
            case Sender.LEADING:
                assert isinstance(message, wire.Append | wire.Offer)
                return self.may_lead(peer, message.term)
            case Sender.LEADER:
                return peer == self._replica.leader
            case Sender.GUIDE:
                return self.is_guide(peer)

    def is_guide(self, peer: PeerId) -> bool:
        """Return True if this peer believes that peer's word about the leader."""
        replica = self._replica
        return replica.journal.may_vote(peer) or peer == replica.leader or self._join_requests.asks(peer)

    def may_lead(self, peer: PeerId, term: int) -> bool:
        """Return True if that peer may be the leader of that term.

        A leader was elected by a majority and is a voter of its own configuration. A known voter has to prove
        its election (`mandates.py`) to whoever has followed a leader before. After 5 s without any leader it
        need not: it may have been elected in a configuration that comes after the end of this log, where its
        mandate can't be checked.

        A leader that is no known voter has to wait while the present leader is heard. When the present leader
        is silent, this peer accepts one that was named by a peer it asked, or that it voted for itself.
        """
        replica = self._replica
        if term < replica.term or (term == replica.term and peer == replica.leader):
            return True  # the term is old; the sender is only told so
        if replica.journal.may_vote(peer):
            leads_alone = term > replica.term or replica.leader is None
            unheard = not replica.has_followed or self._leadership.elections.is_forsaken
            if (leads_alone and unheard) or self._leadership.mandates.is_proved(peer, term):
                return True
            self._leadership.mandates.ask(peer, term)
            return False
        if self._leadership.elections.hears_leader:
            return False
        if (term == replica.term and peer == replica.voted_for) or self._join_requests.asks(peer):
            return True
        self._join_requests.ask_around()
        return False

    def may_stand(self, peer: PeerId) -> bool:
        """Return True if a vote may go to that peer.

        A voter may get it. A member or a guide may have become a voter after the end of this log. If only
        such a peer can win, then nobody has led for a long time. So it gets one attempt per period of that
        length, and can't take the votes from known voters.
        """
        if self._replica.journal.may_vote(peer):
            return True
        replica = self._replica
        quiet = (
            replica.now - max(self._leadership.elections.heard, self._trusted_at) >= replica.timing.takeover
        )
        return (
            quiet
            and (peer in self._replica.configuration or self.is_guide(peer))
            and not self._leadership.elections.hears_leader
        )

    def take_at_its_word(self, peer: PeerId) -> None:
        """Note a candidate; if it isn't a known voter, the next unknown candidate has to wait."""
        if not self._replica.journal.may_vote(peer):
            self._trusted_at = self._replica.now

    def may_raise(self, peer: PeerId, answer: wire.Appended) -> bool:
        """Return True if the term of an answer counts: that of a voter, or of a copy that was once a voter's.

        No other copy can be ahead of all voters. One that was taken out unheard counts while it is told so:
        in a higher term it could not be told. Answers also need a question: a leader asks whether a log
        matches.
        """
        if (leading := self._leadership.leading) is None:
            return False
        configurations = (configuration for _, configuration in self._replica.journal.configurations)
        listed = peer in self._replica.configuration or leading.leader.parts_with(peer)
        return listed and any(one.is_voter(peer, answer.birth) for one in configurations)
