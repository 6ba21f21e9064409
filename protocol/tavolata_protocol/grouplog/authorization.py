"""From whom each message is heard: the table, and what its words mean here and now.

It is asked once for each message, before any part sees it and before any term is entered. A session proves
who somebody is, not what it may say: at an open table, everybody has one.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import Final

from tavolata_protocol.grouplog.joining import Joining
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Whom(Enum):
    """Who is heard; the configuration is always the own one."""

    ANYBODY = "anybody: it is answered, or carries its own proof"
    MEMBER = "members of any role, and those who were just taken out"
    VOTER = "voters"
    CANDIDATE = "who may become the sequencer: a voter, see `Hearing.may_stand`"
    ORDERING = "who may be the sequencer of that term, see `Hearing.may_order`"
    SEQUENCER = "the sequencer that is followed"
    GUIDE = "whom this peer asked to be let in, and voters"


HEARD: Final = MappingProxyType(
    {
        wire.Join: Whom.ANYBODY,
        wire.Redirect: Whom.GUIDE,
        wire.Propose: Whom.ANYBODY,
        wire.PlacedAt: Whom.SEQUENCER,
        wire.Refused: Whom.GUIDE,
        wire.Append: Whom.ORDERING,
        wire.Appended: Whom.MEMBER,
        wire.Offer: Whom.ORDERING,
        wire.Ask: Whom.MEMBER,
        wire.Chunk: Whom.SEQUENCER,
        wire.Probe: Whom.MEMBER,
        wire.Probed: Whom.VOTER,
        wire.PreVote: Whom.ANYBODY,
        wire.PreVoted: Whom.VOTER,
        wire.Vote: Whom.CANDIDATE,
        wire.Voted: Whom.VOTER,
        wire.HandOver: Whom.SEQUENCER,
        wire.Leave: Whom.MEMBER,
        wire.Pledged: Whom.ANYBODY,
    }
)


class Hearing:
    """Applies the table to one peer's copy of the log."""

    def __init__(self, office: Office, joining: Joining) -> None:
        self._office = office
        self._desk = office.desk
        self._joining = joining
        self._trusted_at = float("-inf")

    def hears(self, peer: PeerId, message: wire.LogMessage) -> bool:
        """Whether `peer` may say this."""
        match HEARD[type(message)]:
            case Whom.ANYBODY:
                return True
            case Whom.MEMBER:
                sequencing = self._office.sequencing
                return self.is_member(peer) or (sequencing is not None and sequencing.parts_with(peer))
            case Whom.VOTER:
                return self._is_voter(peer)
            case Whom.CANDIDATE:
                return self.may_stand(peer)
            case Whom.ORDERING:
                assert isinstance(message, wire.Append | wire.Offer)
                return self.may_order(peer, message.term)
            case Whom.SEQUENCER:
                return peer == self._desk.sequencer
            case Whom.GUIDE:
                return self.is_guide(peer)

    def is_member(self, peer: PeerId) -> bool:
        """Whether it belongs to the configuration in force."""
        return peer in self._desk.configuration

    def is_guide(self, peer: PeerId) -> bool:
        """Whether this peer goes by what that one says about who orders."""
        return self._is_voter(peer) or peer == self._desk.sequencer or self._joining.asks(peer)

    def _is_voter(self, peer: PeerId) -> bool:
        """Whether it is a voter of the final configuration or of one behind it: those may yet be dropped."""
        journal = self._desk.journal
        for number, configuration in reversed(journal.configurations):
            if peer in configuration.voters:
                return True
            if number <= journal.final:
                break
        return False

    def may_order(self, peer: PeerId, term: int) -> bool:
        """Whether that peer may be the sequencer of that term.

        Who orders was elected by a majority, and is a voter of its own configuration, which may be behind the
        end of this log. While the present sequencer is heard, such a one can wait. When that is silent, it is
        one that was named by somebody whom this peer asked, or whom this peer itself voted for.
        """
        desk = self._desk
        if term < desk.term or (term == desk.term and peer == desk.sequencer):
            return True  # of an old term: it is told so, no more
        if self._is_voter(peer):
            return True
        if self._office.elections.hears_sequencer:
            return False
        if (term == desk.term and peer == desk.voted_for) or self._joining.asks(peer):
            return True
        self._joining.ask_around()
        return False

    def may_stand(self, peer: PeerId) -> bool:
        """Whether a vote may go to that peer.

        A voter may. A member or a guide that this log doesn't know as a voter may have become one behind its
        end; where one like that is the only one who can win, nobody has ordered for long. It gets one try
        in as long a time, so that it can't take the votes from those who are known.
        """
        if self._is_voter(peer):
            return True
        desk = self._desk
        quiet = desk.now - max(self._office.elections.heard, self._trusted_at) >= desk.timing.takeover
        return (
            quiet
            and (self.is_member(peer) or self.is_guide(peer))
            and not self._office.elections.hears_sequencer
        )

    def take_at_its_word(self, peer: PeerId) -> None:
        """A candidate was heard; if it isn't known as a voter, the next such one has to wait."""
        if not self._is_voter(peer):
            self._trusted_at = self._desk.now

    def may_raise(self, peer: PeerId, answer: wire.Appended | wire.PreVoted | wire.Voted) -> bool:
        """Whether the term of an answer counts: of a voter's, or of a member's copy that was once a voter's.

        No other copy can be ahead of all voters. And only who asked is answered: votes are asked for by those
        who don't hear a sequencer, whether a log matches by the one that orders.
        """
        if not isinstance(answer, wire.Appended):
            return not self._office.elections.hears_sequencer
        if self._office.sequencing is None:
            return False
        configurations = (configuration for _, configuration in self._desk.journal.configurations)
        return self.is_member(peer) and any(one.is_voter(peer, answer.birth) for one in configurations)
