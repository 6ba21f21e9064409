"""Mandates: the signed votes that prove who was elected in a term, and the detection of double votes.

A leader shows its mandate to all members. Whoever has heard a leader before believes another one only with
such a proof, or after 5 s without any leader. So one voter's word alone deposes nobody. Votes that are
seen stay for a few terms to be compared with others. Two of one copy in one term are shown to everybody.

Only a leader can make two histories. So signed commits count only against a peer that this copy knows to have
led (`Mandates.has_led`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedVote, read_vote

TERMS: Final = 16
"""The number of past terms whose votes are kept."""
AHEAD: Final = 1024
"""The number of terms ahead of the own one whose votes are kept."""
MOST: Final = 64
"""The number of one voter's kept votes beyond which only those of a copy that counts are kept."""


class Mandates:
    """The votes that elected this peer, those that were seen, and by term the leader that they proved."""

    def __init__(self, replica: Replica) -> None:
        self._replica = replica
        self._own: tuple[SignedVote, ...] = ()
        self._seen: dict[tuple[PeerId, bytes, int], SignedVote] = {}
        self._asked: dict[PeerId, float] = {}
        self._elected: dict[int, PeerId] = {}
        self.when_shown: Callable[[PeerId], object] = lambda _: None

    def reset(self) -> None:
        """Start a new term, which this peer does not lead, and forget votes of long ago."""
        self._own = ()
        oldest = self._replica.term - TERMS
        self._seen = {key: vote for key, vote in self._seen.items() if vote.term >= oldest}
        self._elected = {term: peer for term, peer in self._elected.items() if term >= oldest}

    # The leader

    def won(self, votes: Iterable[SignedVote]) -> None:
        """Show all members the votes that elected this peer."""
        self._own = tuple(votes)
        for peer in self._replica.configuration.peers:
            self.show(peer)

    def show(self, peer: PeerId) -> None:
        """Show a peer its own mandate, if there is one."""
        if self._own:
            votes = tuple(vote.statement for vote in self._own)
            self._replica.send(peer, wire.Elected(self._replica.lineage, votes))
            self.when_shown(peer)

    # The others

    def is_proved(self, peer: PeerId, term: int) -> bool:
        """Return True if signed votes proved that this peer was elected in that term."""
        return self._elected.get(term) == peer

    def has_led(self, peer: PeerId) -> bool:
        """Return True if this copy knows a term of that leader: by its log, by votes, or by following it.

        Evidence needn't name that term, or a leader could make one up for its other history.
        """
        replica = self._replica
        return peer in (replica.leader, *self._elected.values(), *replica.journal.leaders.values())

    def last_vote(self, peer: PeerId, birth: bytes) -> SignedVote | None:
        """Return the last vote of that copy that was seen, for itself if it asked for votes."""
        votes = [vote for vote in self._seen.values() if (vote.voter, vote.birth) == (peer, birth)]
        return max(votes, key=lambda vote: vote.term, default=None)

    def ask(self, peer: PeerId, term: int, lineage: bytes = b"") -> None:
        """Ask a peer that says that it leads for its mandate, or for how its lineage began; not too often."""
        replica = self._replica
        if replica.now >= self._asked.get(peer, 0.0):
            self._asked = {one: until for one, until in self._asked.items() if until > replica.now}
            self._asked[peer] = replica.now + replica.timing.probe
            replica.send(peer, wire.ShowVotes(lineage or replica.lineage, term), reliable=False)

    def on_elected(self, peer: PeerId, message: wire.Elected) -> None:
        """Take a mandate, or the proof of a double vote.

        Raise `MalformedMessage` if a vote doesn't decode, `BrokenEntry` if one is forged.
        """
        journal = self._replica.journal
        found = [read_vote(statement) for statement in message.votes]
        known = [vote for vote in found if journal.may_vote(vote.voter)]
        for vote in known:
            self.check(vote)
        for term in sorted({vote.term for vote in known}):
            copies = {
                (vote.voter, vote.birth) for vote in known if vote.term == term and vote.candidate == peer
            }
            if any(
                self._replica.rules.is_elected(sum(one.is_voter(*copy) for copy in copies), len(one.voters))
                for one in journal.possible_configurations
            ):
                self._elected[term] = peer

    def check(self, vote: SignedVote) -> None:
        """Check a vote's signature, compare the vote with those that were seen, and keep it.

        Raise `BrokenEntry` if it is forged, or of another lineage.
        """
        replica, key = self._replica, (vote.voter, vote.birth, vote.term)
        seen = self._seen.get(key)
        if seen is not None and seen.statement == vote.statement:
            return
        if vote.lineage != replica.lineage or not vote.is_genuine(replica.verify):
            raise BrokenEntry("A vote isn't signed by the voter that it names, or is of another lineage.")
        if vote.voter in (replica.me, *replica.convicted) or not replica.journal.may_vote(vote.voter):
            return
        if seen is None:
            possible = replica.journal.possible_configurations
            counts = any(one.is_voter(vote.voter, vote.birth) for one in possible)  # no others push these out
            many = 0 if counts else Counter(voter for voter, _, _ in self._seen)[vote.voter]
            if many < MOST and replica.term - TERMS <= vote.term <= replica.term + AHEAD:
                self._seen[key] = vote
        elif seen.candidate != vote.candidate:
            replica.when_equivocated(Equivocation(seen, vote))
