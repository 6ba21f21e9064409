"""Exclusion of a peer that equivocated: it is ignored, leads no more, and is taken out by whoever leads.

A proof costs the liar its place and nobody else anything. While a majority agrees, its consequences are
ordinary: an election, and a change of the configuration. The liar counts in the quorum until that change is
in force.

"As far" assumes one history in a term, and a leader of two histories broke that. So the voters first compare
the final part of each log (`Tip`), and for a second nobody asks for votes. A copy gives up what no majority
can have held. Where both histories are possible, the election decides, and the other copy gives way to the
leader.

A leader that signs nothing in one of its stories can't be convicted, but it is voted out. Then, too, a copy
that contradicts the next leader gives way.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.limits import RateLimit
from tavolata_protocol.messages import log as wire
from tavolata_protocol.votes import SignedVote


class Exclusion:
    """The convicted peers, when their proofs are shown again, and what is final at the other voters."""

    def __init__(self, leadership: Leadership) -> None:
        self._leadership = leadership
        self._tips: dict[PeerId, wire.Tip] = {}
        self._limits: dict[PeerId, RateLimit] = {}
        self._asked: dict[PeerId, float] = {}
        self._tells_at: float | None = None
        self._pause = leadership.replica.timing.repeat
        leadership.replica.when_equivocated = self.convict
        leadership.mandates.when_shown = self._show

    def convict(self, proof: Equivocation) -> None:
        """Ignore a peer that equivocated, from now on and after restarts, and show the others why.

        If it is followed, or voted twice in this term, another leader is elected.
        """
        replica, liar, first = self._leadership.replica, proof.equivocator, proof.first
        if liar in replica.convicted:
            return
        replica.convicted[liar] = proof
        replica.disk.write(storage.Convicted(proof.pack()))
        replica.tell(events.EquivocationProved(proof))
        self._pause = replica.timing.repeat
        self.tell()
        pause = 0.0 if proof.is_of_votes else 2 * replica.timing.election
        if liar == replica.leader or (isinstance(first, SignedVote) and first.term == replica.term):
            self._leadership.depose(pause)
        elif replica.state is State.FOLLOWER:
            self._leadership.elections.hold(pause)
        elif pause and replica.state is not State.LEADER:
            self._leadership.depose(pause)  # a candidate waits like the others
        self._compare()

    def tell(self) -> None:
        """Show the others all proofs, and again until the removal of all who are convicted is final.

        A peer that isn't reached now, or was apart for long, needs them, too.
        """
        replica = self._leadership.replica
        for peer in replica.configuration.peers:
            self._show(peer)
        possible = list(replica.journal.possible_configurations)
        counts = any(liar in one for liar in replica.convicted for one in possible)
        self._tells_at = replica.now + self._pause if counts else None
        self._pause = min(2 * self._pause, replica.timing.proof)

    def _show(self, peer: PeerId) -> None:
        replica = self._leadership.replica
        for proof in replica.convicted.values() if peer not in replica.convicted else ():
            for message in _messages(proof):
                replica.send(peer, message)
        if self._two_stories and peer not in replica.convicted:
            self._show_tip(peer)

    @property
    def _two_stories(self) -> bool:
        """True if a leader of this lineage is convicted of two histories."""
        proofs = self._leadership.replica.convicted.values()
        lineage = self._leadership.replica.lineage
        return any(not proof.is_of_votes and proof.first.lineage == lineage for proof in proofs)

    def _show_tip(self, peer: PeerId) -> None:
        replica = self._leadership.replica
        if marks := replica.journal.marks():
            replica.send(peer, wire.Tip(replica.lineage, tuple(marks), tuple(marks.values())))

    def on_tip(self, peer: PeerId, message: wire.Tip) -> None:
        """Take what is final at another member, and compare it.

        A tip counts where its sender was a voter. A leader shows its own tip to any member that it
        contradicts, which may have to give way. Raise `BrokenEntry` if the numbers don't descend.
        """
        replica = self._leadership.replica
        if len(message.numbers) != len(message.chains) or any(a <= b for a, b in pairwise(message.numbers)):
            raise BrokenEntry("A tip names no numbers in order, or not as many hashes.")
        limit = self._limits.setdefault(peer, RateLimit(1.0, replica.now, 2.0))
        if not limit.take(replica.now):
            return
        if any(peer in one.voters for _, one in replica.journal.configurations):
            self._tips[peer] = message  # also of one that is absent in this story alone
            self._compare()
        if replica.state is State.LEADER and self._is_against(message):
            self._show_tip(peer)

    def _matches(self, tip: wire.Tip) -> dict[int, bool]:
        """Return the numbers of a tip that are here, the highest first, and whether the hash is the same."""
        journal = self._leadership.replica.journal
        marks = zip(tip.numbers, tip.chains, strict=True)
        here = ((number, journal.chain_at(number), chain) for number, chain in marks)
        return {number: mine == chain for number, mine, chain in here if mine is not None}

    def _is_against(self, tip: wire.Tip) -> bool:
        """Return True if a tip contradicts what is final here."""
        final = self._leadership.replica.journal.commit_index
        return any(number <= final and not same for number, same in self._matches(tip).items())

    def _common(self, tip: wire.Tip) -> int:
        """Return the highest number at which this copy has the hash of a tip."""
        same = (number for number, same in self._matches(tip).items() if same)
        return next(same, self._leadership.replica.journal.base.number)

    @property
    def _believed(self) -> dict[PeerId, wire.Tip]:
        """The tips of this lineage that count.

        The hashes form a chain. So a tip that has one of this copy's behind a number at which it differs was
        made up, and nothing follows from it.
        """
        replica = self._leadership.replica
        return {
            peer: tip
            for peer, tip in self._tips.items()
            if tip.lineage == replica.lineage and peer not in replica.convicted
            if (same := list(self._matches(tip).values())) == sorted(same)
        }

    def _compare(self) -> None:
        """After a proof of two stories: drop what some voter refutes, and give up what no majority held."""
        replica, journal = self._leadership.replica, self._leadership.replica.journal
        if not self._two_stories:
            return
        tips = self._believed
        self._cut_tail(tips.values())
        common = {one: self._common(tip) for one, tip in tips.items() if self._is_against(tip)}
        for number in sorted(set(common.values())):
            voters = journal.configuration_at(number)[1].voters
            against = sum(one in common and common[one] <= number for one in voters)
            if replica.rules.is_refuted(against, len(voters)):
                self._leadership.roll_back(number)
                self.tell()
                return

    def _cut_tail(self, tips: Iterable[wire.Tip]) -> None:
        """Drop entries that aren't final here, where a voter has others as final and none has these.

        What a leader ordered that isn't convicted stays: this copy promised it to that leader.
        """
        replica, journal = self._leadership.replica, self._leadership.replica.journal
        followed = replica.leader if journal.last_term == replica.term else None
        if journal.leaders.get(journal.last_term, followed) not in (None, *replica.convicted):
            return
        marks = [dict(zip(tip.numbers, tip.chains, strict=True)) for tip in tips]
        for number in range(journal.commit_index + 1, journal.last_number + 1):
            said = {one[number] for one in marks if number in one}
            if said and journal.chain_at(number) not in said:
                if replica.state is not State.FOLLOWER:
                    self._leadership.depose(0.0)  # as a candidate, it named a longer log
                replica.cut(number - 1)
                self._leadership.follower.reset()
                return

    def due(self) -> float | None:
        """Return when the proofs are shown again."""
        return self._tells_at

    def tick(self) -> None:
        """Show the proofs again, if it is time."""
        if self._tells_at is not None and self._leadership.replica.now >= self._tells_at:
            self.tell()

    def yields_to(self, leader: PeerId, term: int) -> bool:
        """Roll back if what is final here contradicts a leader that was elected after it; return True then.

        A leader before it showed two histories: the majority's copy counts. The leader is asked for its tip,
        and without one this copy goes back an entry at a time.
        """
        leadership, replica = self._leadership, self._leadership.replica
        final = replica.journal.commit_index
        if not leadership.mandates.is_proved(leader, term):
            leadership.mandates.ask(leader, term)
            return False
        if term <= (replica.journal.term_at(final) or 0) or final <= replica.journal.base.number:
            return False
        tip = self._believed.get(leader)
        if tip is None or not self._is_against(tip):
            asked = self._asked.setdefault(leader, replica.now)
            if asked == replica.now:
                self._show_tip(leader)
            if replica.now - asked < replica.timing.repeat:
                return False
        common = final - 1 if tip is None else self._common(tip)
        self._asked.pop(leader, None)
        leadership.roll_back(min(common, final - 1))
        return True


def _messages(proof: Equivocation) -> list[wire.LogMessage]:
    lineage, both = proof.first.lineage, (proof.first.statement, proof.second.statement)
    if proof.is_of_votes:
        return [wire.Elected(lineage, both)]
    return [wire.CommitNotice(lineage, one.signed, one.signature) for one in both]
