"""Signed commits: the leader signs the chain hash of final entries, and its followers compare signatures.

Every eighth number is signed, and the last one when the log rests. A follower passes each signed commit on to
the next two voters. If there were two histories, some two neighbours would hold different ones, and a peer
that sees both shows them to everybody.

The leader must sign these very numbers. Otherwise it could sign different numbers in each history, which
would never contradict each other. Two histories that rest may end at different numbers all the same. Then the
shorter one's last number is final in the longer one, too, with another hash: a follower that is shown it asks
the leader to sign that number here. One that signs is convicted, and one that does not counts as silent. An
honest leader is asked only by, or about, a copy that a liar before it told otherwise. It signs nothing then:
neither what it signed already, nor what another copy of it may have signed (`Replica.elsewhere`).
`exclusion.py` handles a proof.

`Evidence` stores the commits to compare with. An equivocator must not be able to push its evidence out of the
store with more signed commits. So the first signed commit for a number stays, and the commit index of this
peer decides which numbers are stored. Around the end of the log these are all numbers; elsewhere they are the
multiples of eight, which a leader must sign in each history. So two histories have a number in common even if
one is far ahead of the other. The lowest numbers are dropped only after 24,000 entries, more than any evening
has. So one peer can make others store at most 4,096 signed commits.
"""

from __future__ import annotations

import bisect
from collections.abc import Iterator
from typing import Final

from tavolata_protocol.entries import Entry
from tavolata_protocol.equivocation import (
    Equivocation,
    SignedCommit,
    read_signed_commit,
    sign_commit,
)
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.mandates import Mandates
from tavolata_protocol.grouplog.replica import Replica
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Role
from tavolata_protocol.messages.votes import Statement

EVERY: Final = 8
"""Its multiples are always signed, so that all peers get commits for the same numbers."""
NEAR: Final = 256
"""The distance from the commit index within which all numbers are stored."""
AHEAD: Final = 4096
"""The distance ahead of the commit index within which multiples of eight are stored."""
MOST: Final = 4096
"""The maximum number of stored signed commits of one peer."""


def is_comparable(number: int, final: int) -> bool:
    """Return True if a signed commit for that number is stored if the log is final up to `final`."""
    return 1 <= number <= final + AHEAD and (number % EVERY == 0 or abs(number - final) <= NEAR)


class Evidence:
    """The signed commits of one lineage by number and peer, with checked signatures."""

    def __init__(self) -> None:
        self._lineage = b""
        self._kept: dict[int, dict[PeerId, SignedCommit]] = {}
        self._numbers: dict[PeerId, list[int]] = {}

    def of(self, commit: SignedCommit) -> SignedCommit | None:
        """Return the stored commit of the same peer for the same number, if there is one."""
        if commit.lineage != self._lineage:
            return None
        return self._kept.get(commit.number, {}).get(commit.leader)

    def about(self, number: int) -> Iterator[SignedCommit]:
        """Yield all signed commits for a number."""
        yield from self._kept.get(number, {}).values()

    def last(self, peer: PeerId, final: int) -> SignedCommit | None:
        """Return a peer's commit for the highest number up to `final`."""
        numbers = self._numbers.get(peer, [])
        at = bisect.bisect_right(numbers, final)
        return self._kept[numbers[at - 1]][peer] if at else None

    def keep(self, commit: SignedCommit) -> None:
        """Store a signed commit, unless there is one already; a new lineage begins without any."""
        if commit.lineage != self._lineage:
            self._lineage = commit.lineage
            self._kept.clear()
            self._numbers.clear()
        self._kept.setdefault(commit.number, {})[commit.leader] = commit
        numbers = self._numbers.setdefault(commit.leader, [])
        bisect.insort(numbers, commit.number)
        if len(numbers) > MOST:
            self._forget(numbers.pop(0), commit.leader)

    def _forget(self, number: int, peer: PeerId) -> None:
        about = self._kept[number]
        del about[peer]
        if not about:
            del self._kept[number]

    def thin_out(self, final: int) -> None:
        """Drop unneeded commits; `final` has just grown by one entry."""
        number = final - NEAR - 1
        if number % EVERY == 0:
            return
        for commit in list(self.about(number)):
            self._forget(number, commit.leader)
            numbers = self._numbers[commit.leader]
            del numbers[bisect.bisect_left(numbers, number)]


DUE: Final = 16
"""The number of latest signed commits that a follower insists on."""
KEPT: Final = 4 * DUE
"""The number of signed commits that a leader keeps for peers that missed some."""
LISTENERS: Final = 2
"""The number of other voters to which a signed commit is passed on."""


class SignedCommits:
    """The signed commits that this peer makes, and those that it received."""

    def __init__(self, replica: Replica, mandates: Mandates) -> None:
        self._replica = replica
        self._mandates = mandates
        self._given: dict[int, SignedCommit] = {}
        self._resting = (0, 0.0)
        self._evidence = Evidence()
        self._fits = 0
        # Numbers and times: which multiples the leader has to sign, and since when; the last final number,
        # and when it has to be signed; what the leader was asked to sign, and since when; the highest number
        # that it signed, and since when nothing became final.
        self._owed: dict[int, float] = {}
        self._last = (0, 0.0)
        self._asked: dict[int, float] = {}
        self._ahead = (0, 0.0)
        self._again = float("-inf")
        self._asks: dict[tuple[PeerId, int], float] = {}  # whom this peer asked for what, and until when

    def reset(self) -> None:
        """Start a new term, whose leader has signed nothing yet."""
        self._given.clear()
        self._fits = 0
        self._owed.clear()
        self._asked.clear()
        self._last = self._ahead = (0, 0.0)

    @property
    def covered(self) -> int:
        """The last final number up to which this term's leader signed everything required; 0 for none."""
        return min(self._fits, min(self._owed, default=self._fits + 1) - 1)

    # The leader

    def give(self) -> None:
        """As the leader: sign what became final in this term, and send it to all present members."""
        replica, journal = self._replica, self._replica.journal
        last = max(self._given, default=0)
        first = max(last + 1, journal.base.number)  # a snapshot may be of any number
        multiples = range(-(-first // EVERY) * EVERY, journal.commit_index + 1, EVERY)
        due = [number for number in multiples if self._is_of_this_term(number)]
        if journal.commit_index != self._resting[0]:
            self._resting = (journal.commit_index, replica.now)
        elif replica.now - self._resting[1] >= replica.timing.beat and self._is_of_this_term(
            journal.commit_index
        ):
            due.append(journal.commit_index)
        for number in due:
            if number > last:
                self._give(number)

    def _give(self, number: int) -> None:
        replica = self._replica
        chain = replica.journal.chain_at(number)
        if chain is None:
            return  # no longer stored
        commit = self._given[number] = sign_commit(
            replica.signer, replica.lineage, replica.term, number, chain
        )
        oldest = number // EVERY - KEPT
        self._given = {
            one: given
            for one, given in self._given.items()
            if one == number or (one % EVERY == 0 and one // EVERY > oldest)
        }
        for peer in replica.configuration.peers:
            if peer not in replica.away:
                self._say(peer, commit)

    def remind(self, peer: PeerId, message: wire.Appended) -> None:
        """As the leader: send a peer, after its answer, the signed commits that it lacks and can use."""
        known = min(message.number, self._replica.journal.commit_index)
        first = max(message.covered, known - DUE * EVERY)
        for number, commit in self._given.items():
            if message.beat and message.matches and first < number <= known:
                self._say(peer, commit)

    def _answer(self, peer: PeerId, shown: SignedCommit) -> None:
        """Sign a number for a peer that was shown another hash for it, signed by this peer as the leader.

        Nothing is signed that was signed before, or by another copy of this peer, which was told otherwise.
        Raise `BrokenEntry` if this peer did not sign what is shown.
        """
        replica, journal = self._replica, self._replica.journal
        if peer not in replica.configuration or shown.lineage != replica.lineage:
            return
        chain = journal.chain_at(shown.number) if shown.number <= journal.commit_index else None
        if chain is None or chain == shown.chain or shown.number <= replica.elsewhere.get(shown.lineage, 0):
            return
        if not shown.is_genuine(replica.verify):
            raise BrokenEntry("A commit isn't signed by the leader that it names.")
        commit = sign_commit(replica.signer, shown.lineage, shown.term, shown.number, chain)
        self._say(peer, commit, reliable=True)

    def _ask(self, shown: SignedCommit) -> None:
        """Ask a leader to sign a number of which it signed another hash; once in a second at the most."""
        replica, key = self._replica, (shown.leader, shown.number)
        self._asks = {one: until for one, until in self._asks.items() if until > replica.now}
        if key not in self._asks:
            self._asks[key] = replica.now + replica.timing.repeat
            self._say(shown.leader, shown, reliable=True)

    def _say(self, peer: PeerId, commit: SignedCommit, *, reliable: bool = False) -> None:
        notice = wire.CommitNotice(commit.lineage, commit.statement.signed, commit.statement.signature)
        self._replica.send(peer, notice, reliable=reliable)

    def _is_of_this_term(self, number: int) -> bool:
        return self._replica.journal.term_at(number) == self._replica.term

    # The followers

    def on_commit_notice(self, peer: PeerId, message: wire.CommitNotice) -> None:
        """Compare a signed commit with the known ones.

        Raise `MalformedMessage` if it doesn't decode, `BrokenEntry` if it is forged.
        """
        replica = self._replica
        commit = read_signed_commit(Statement(message.signed, message.signature))
        if commit.leader == replica.me:
            self._answer(peer, commit)
            return
        if (
            not self._mandates.has_led(commit.leader)
            or commit.lineage != replica.lineage
            or commit.leader in replica.convicted
            or not is_comparable(commit.number, replica.journal.commit_index)
        ):
            return
        known = self._evidence.of(commit)
        if known is not None and known.chain == commit.chain:
            self._cover(known)  # a snapshot may stand for its entry since it came first
            return
        if not commit.is_genuine(replica.verify):
            raise BrokenEntry("A commit isn't signed by the leader that it names.")
        if known is not None:
            replica.when_equivocated(Equivocation(known, commit))
            return
        self._evidence.keep(commit)
        self._cover(commit)
        if peer == commit.leader:
            for listener in self._listeners(peer):
                self._say(listener, commit)

    def show_again(self) -> None:
        """Pass the last commit of the leader on again, since it has signed more than it sends."""
        replica, final = self._replica, self._replica.journal.commit_index
        last = None if replica.leader is None else self._evidence.last(replica.leader, final)
        if last is not None and replica.now >= self._again:
            self._again = replica.now + replica.timing.repeat
            for listener in self._listeners(last.leader):
                self._say(listener, last, reliable=True)

    def give_back(self, leader: PeerId) -> None:
        """Show a peer the last commit that it signed itself, which its copy may have forgotten."""
        last = self._evidence.last(leader, self._replica.journal.commit_index)
        if last is not None:
            self._say(leader, last)

    def _listeners(self, leader: PeerId) -> list[PeerId]:
        """Return the next voters after this one, until enough of them are said to be present.

        Absent voters are told as well: only the leader says that they are absent, and it may lie.
        """
        replica = self._replica
        counted = [one.peer for one in replica.configuration.members if one.role is not Role.LEARNER]
        at = counted.index(replica.me) + 1 if replica.me in counted else 0
        told: list[PeerId] = []
        for one in (*counted[at:], *counted[:at]):
            if one not in (leader, replica.me):
                told.append(one)
            if sum(peer not in replica.away for peer in told) == LISTENERS:
                break
        return told

    def _cover(self, commit: SignedCommit) -> None:
        """Compare a signed commit with its entry: the log is covered up to there, or its leader is asked."""
        replica, journal = self._replica, self._replica.journal
        leads, is_final = commit.leader == replica.leader, commit.number <= journal.commit_index
        if is_final and journal.chain_at(commit.number) not in (None, commit.chain):
            self._ask(commit)
            if leads:
                self._asked.setdefault(commit.number, replica.now)
        elif not leads:
            return
        elif not is_final:
            since = self._ahead[1] if self._withholds else replica.now
            self._ahead = (max(commit.number, self._ahead[0]), since)
        elif commit.number < journal.base.number:
            self._owed.pop(commit.number, None)  # a snapshot has taken the entry; others compare
        elif commit.term == replica.term:
            self._fits = max(self._fits, commit.number)
            self._owed.pop(commit.number, None)
            self._asked.pop(commit.number, None)

    def final(self, entry: Entry) -> None:
        """Note that an entry became final here, so that its leader has to sign it soon."""
        replica = self._replica
        self._evidence.thin_out(entry.number)
        self._ahead = (self._ahead[0], replica.now)
        if replica.leader not in (None, replica.me) and entry.term == replica.term:
            self._last = (entry.number, replica.now + 2 * replica.timing.beat)  # it is signed at rest
            if entry.number % EVERY == 0:
                self._owed[entry.number] = replica.now
                self._owed.pop(entry.number - DUE * EVERY, None)
        for commit in self._evidence.about(entry.number):
            self._cover(commit)

    def owes(self, number: int) -> bool:
        """Return True if the leader has still to sign a number up to this one: its entry is needed here."""
        return any(owed <= number for owed in self._owed)

    @property
    def overdue(self) -> bool:
        """True if the leader has not signed for too long what it sent; such a leader counts as silent."""
        journal, (last, rests) = self._replica.journal, self._last
        since = [*self._owed.values()]
        since += [asked for number, asked in self._asked.items() if number >= journal.base.number]
        if self._fits < last == journal.commit_index:
            since.append(rests)
        return self._is_long_ago(min(since, default=self._replica.now))

    @property
    def withheld(self) -> bool:
        """True if the leader has not sent for too long what it signed, and sent nothing else either."""
        return self._withholds and self._is_long_ago(self._ahead[1])

    @property
    def _withholds(self) -> bool:
        return self._ahead[0] > self._replica.journal.commit_index

    def _is_long_ago(self, since: float) -> bool:
        return self._replica.now - since > self._replica.timing.unsigned
