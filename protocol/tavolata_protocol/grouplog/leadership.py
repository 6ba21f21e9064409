"""Leadership: changes of leader and term, and their effects on all parts of the log.

It holds the parts together. Each part has a module of its own; `dispatch.py` passes the messages to them.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol.entries import Entry, branch, configuration_of
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.catchup import CatchUp
from tavolata_protocol.grouplog.configuration_changes import ConfigurationChanges
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.elections import Elections
from tavolata_protocol.grouplog.follower import Follower
from tavolata_protocol.grouplog.leader import Leader
from tavolata_protocol.grouplog.leaving import Leaving
from tavolata_protocol.grouplog.mandates import Mandates
from tavolata_protocol.grouplog.proposals import ProposalQueue, Proposer
from tavolata_protocol.grouplog.relay import RelayedProposals
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.grouplog.roles import NOT_LEADING, State, Trigger
from tavolata_protocol.grouplog.signed_commits import SignedCommits
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration

_ABSURD_TERM = 2**60
"""Terms from here on are invalid and are not entered."""
_LEAP = 1024
"""The most by which one message raises the term, so that nobody can use up all terms at once."""


@dataclass(frozen=True, slots=True)
class Leading:
    """The parts that exist while this peer is the leader; they live for one term."""

    leader: Leader
    queue: ProposalQueue
    changes: ConfigurationChanges


class Leadership:
    """All parts of one log; `leading` is None unless this peer leads."""

    def __init__(self, replica: Replica) -> None:
        self.replica = replica
        self.digests = DigestWatch(replica)
        self.proposer = Proposer(replica)
        self.relay = RelayedProposals(replica, self.proposer)
        self.mandates = Mandates(replica)
        self.signed_commits = SignedCommits(replica, self.mandates)
        self.follower = Follower(replica, self.digests, self.signed_commits)
        self.catchup = CatchUp(replica, self.follower)
        self.elections = Elections(replica, self.mandates, self._win, self.enter_term, self.observe)
        self.leaving = Leaving(replica)
        self.leading: Leading | None = None
        self.unlisted = False
        self._renewed = float("-inf")
        self._slept = float("-inf")
        replica.when_final = self._final

    @property
    def is_member(self) -> bool:
        """True if this copy of the log belongs to the configuration in force."""
        return self._is_in(self.replica.configuration)

    @property
    def is_stranger(self) -> bool:
        """True if this peer has to ask for admission, perhaps again."""
        journal = self.replica.journal
        may_be_dropped = journal.configuration_number > journal.commit_index  # the removal of this peer
        listed = self.is_member or (may_be_dropped and not self.elections.is_forsaken)
        return not self.leaving.leaving and (self.unlisted or not listed)

    def lead(self) -> Leader:
        """Begin to lead; the state and the term are already set."""
        replica = self.replica
        leader = Leader(replica, self.digests)
        self.leading = Leading(leader, ProposalQueue(replica), ConfigurationChanges(replica, leader))
        replica.follow(replica.me)
        return leader

    def step_down(self, trigger: Trigger) -> None:
        """Stop leading, or stop following."""
        self.leading = None
        self.replica.turn(trigger)
        self.replica.follow(None)
        self.elections.heard = self.replica.now
        self.elections.wait()

    def depose(self, pause: float) -> None:
        """Lead or follow no more, and have another leader elected after `pause` seconds."""
        if self.replica.state in (*NOT_LEADING, State.LEADER):
            self.step_down(Trigger.DEPOSED)
            self.elections.heard = self.replica.now - self.replica.timing.silence
            self.elections.wait(pause)

    def roll_back(self, number: int) -> None:
        """Give up what came after entry `number`, though it was final here, and follow the others."""
        if self.replica.state is not State.FOLLOWER:
            self.depose(0.0)  # as a candidate, it named a longer log
        self.proposer.restore(self.replica.roll_back(number))
        for part in (self.follower, self.catchup, self.signed_commits):
            part.reset()

    def branch_off(self, configuration: Configuration) -> None:
        """Begin a new lineage after all entries of this copy, and lead it."""
        replica = self.replica
        lineage = branch(replica.lineage, replica.journal.chain, replica.me)
        replica.elsewhere = replica.signed  # should this peer ever follow the old lineage again
        replica.disk.write(storage.SignedElsewhere(replica.lineage, replica.elsewhere[replica.lineage]))
        self.enter_term(replica.term + 1, replica.me)
        replica.turn(Trigger.TAKES_OVER)
        replica.lineage = lineage
        self.lead().append_control(configuration)
        replica.enter_lineage(lineage)
        self.proposer.sign_again()

    def _win(self) -> None:
        self.lead().append_control(None)  # the empty entry of the new term before anything else (rule 5)

    def replicate(self, leading: Leading) -> None:
        """Do the leader's work before each send: append, commit, change the members, hand over."""
        if self.leaving.leaving:
            if self.leaving.hand_over(leading.leader, leading.changes.departing):
                self._go()
                return
        else:
            while waiting := self.proposer.waiting():
                before = self.replica.journal.last_number
                for proposal in waiting:
                    leading.queue.offer(proposal)
                if self.replica.journal.last_number == before:
                    break
        leading.leader.advance_commit_index()
        before = self.replica.journal.last_number
        leading.changes.pursue()
        if self.replica.journal.last_number > before:
            leading.leader.advance_commit_index()
        leading.leader.flush()
        self.signed_commits.give()

    def enter_term(self, term: int, voted_for: PeerId | None = None) -> None:
        """Enter a term, or vote in the present one."""
        changed = term != self.replica.term
        self.replica.enter_term(term, voted_for)
        if changed:
            self.mandates.reset()
            self.forget_leader()

    def forget_leader(self) -> None:
        """Begin without a leader, of whose log nothing is known."""
        self.follower.reset()
        self.catchup.reset()
        self.signed_commits.reset()
        self.proposer.forget_sending()
        if self.leading is None:
            self.replica.follow(None)

    def observe(self, term: int) -> None:
        """Take the term of a message: a higher one is entered at once, a much higher one step by step."""
        term = min(term, self.replica.term + _LEAP)
        if self.replica.term < term < _ABSURD_TERM:
            self.enter_term(term)
            if self.leading is not None:
                self.step_down(Trigger.HIGHER_TERM)
            else:
                self.replica.turn(Trigger.HIGHER_TERM)

    def renew(self, term: int) -> None:
        """As the leader: take the higher term of a voter, by an election that this peer wins at once.

        The others vote for the leader that they hear, so a voter that makes terms up costs the table a round
        trip, and that once in 5 s. A leader that hasn't heard a majority lately steps down, since there may
        be another one.
        """
        replica, leading = self.replica, self.leading
        term = min(term, replica.term + _LEAP - 1)  # it is one above, and the others leap no further
        if leading is None or not replica.term < term < _ABSURD_TERM:
            return
        since = min(replica.timing.step_down, replica.now - self._slept)
        if leading.leader.heard_within(since) < replica.rules.quorum(len(replica.configuration.voters)):
            self.observe(term)
        elif replica.now - self._renewed >= replica.timing.renewal:
            self._renewed = replica.now
            self.leading = None
            replica.turn(Trigger.RENEWS)
            self.enter_term(term)
            self.elections.renew()

    def forgive(self) -> None:
        """Accuse nobody for a while, since this machine slept and could not hear anybody."""
        self._slept = self.replica.now
        if self.replica.leader is not None:
            self.elections.heard = self.replica.now
        self.elections.wait()
        self.relay.forgive()
        if self.leading is not None:
            self.leading.leader.forgive()

    def _final(self, entry: Entry) -> None:
        self.proposer.final(entry)
        self.signed_commits.final(entry)
        after = configuration_of(entry)
        if after is not None:
            _, before = self.replica.journal.configuration_at(entry.number - 1)
            if self._is_in(before) and not self._is_in(after):
                self._go()

    def _is_in(self, configuration: Configuration) -> bool:
        member = configuration.member(self.replica.me)
        return member is not None and member.birth == self.replica.birth

    def _go(self) -> None:
        """Stop, since this peer is no longer a member."""
        replica = self.replica
        self.leading = None
        self.follower.flush()  # the last answer, which the others need
        replica.turn(Trigger.REMOVED)
        self.proposer.withdraw()
        replica.tell(events.LeftTable())

    def rejected(self) -> None:
        """Note that a leader does not know this peer as a member (any more)."""
        self.unlisted = True
        if self.leaving.leaving and self.replica.state in NOT_LEADING:
            self._go()

    def after_drop(self) -> None:
        """Propose own entries again that may have been dropped."""
        if self.replica.dropped:
            self.replica.dropped = False
            self.proposer.forget_sending()
            if self.replica.journal.commit_index == self.replica.journal.base.number:
                self.proposer.prune()  # the log begins again after a snapshot
