"""The replica: the shared state of all parts of one peer's log, with its journal, disk and output queues.

It has the steps that several parts take. Each step is complete: in memory, on disk and as events. The parts
decide when a step is taken.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Protocol

from tavolata_protocol.entries import Entry, EntryKind, Proposal, Signer, Verify, is_authentic
from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.journal import DOUBTFUL, Journal
from tavolata_protocol.grouplog.roles import ASLEEP, TRANSITIONS, State, Trigger
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.snapshots import Snapshot
from tavolata_protocol.grouplog.timing import Timing
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import BIRTH_SIZE, Configuration
from tavolata_protocol.messages import log as wire

KEPT_DIGESTS = 64


class Randomness(Protocol):
    """A source of randomness, such as `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 (included) to 1 (excluded)."""

    def randbytes(self, n: int, /) -> bytes:
        """`n` random bytes."""


class Replica:
    """The shared state of one `GroupLog`; only its parts use it."""

    def __init__(
        self,
        signer: Signer,
        store: storage.Storage,
        *,
        table: bytes,
        chance: Randomness,
        rules: Rules,
        verify: Verify,
    ) -> None:
        self.signer, self.me, self.verify = signer, signer.peer, verify
        self.table, self.chance, self.timing, self.rules = table, chance, Timing(), rules
        self.disk = storage.RecordWriter(store)
        self.journal = Journal(table)
        self.state = State.OUTSIDE
        self.leader: PeerId | None = None
        self.has_followed = False
        self.lineage = b""
        self.birth = b""
        self.term = 0
        self.voted_for: bytes | None = None
        self.now = 0.0
        self.synced = 0
        """The last entry that is known to be on the own disk."""
        self.seen = 0
        self.away: set[PeerId] = set()
        self.digests: dict[int, bytes] = {}
        self.proposals: dict[int, Proposal] = {}
        """Own proposals by count, until they are final."""
        self.snapshot = b""
        self.dropped = False
        self.convicted: dict[PeerId, Equivocation] = {}
        self.elsewhere: dict[bytes, int] = {}
        """By lineage, up to which number another copy of this peer may have signed."""
        self.when_final: Callable[[Entry], None] = lambda _: None
        self.when_equivocated: Callable[[Equivocation], None] = lambda _: None
        self.events: deque[events.LogEvent] = deque()
        self.outbox: list[tuple[PeerId, bytes, bool]] = []

    # Output

    def send(self, peer: PeerId, message: wire.LogMessage, *, reliable: bool = True) -> None:
        """Queue a message; it is sent after the disk is synced."""
        if peer != self.me:
            self.post(peer, wire.encode(message), reliable=reliable)

    def post(self, peer: PeerId, encoded: bytes, *, reliable: bool) -> None:
        """Queue a message that was encoded once for several peers."""
        self.outbox.append((peer, encoded, reliable))

    def tell(self, event: events.LogEvent) -> None:
        """Queue an event for the application."""
        self.events.append(event)

    # State, term and vote

    def turn(self, trigger: Trigger) -> None:
        """Change the state as the transition table says."""
        self.state = TRANSITIONS[self.state, trigger]

    def follow(self, leader: PeerId | None) -> None:
        """Set the leader."""
        if leader != self.leader:
            self.leader = leader
            self.has_followed = self.has_followed or leader is not None
            self.tell(events.LeaderChanged(leader, self.term))

    def enter_term(self, term: int, voted_for: bytes | None = None) -> None:
        """Enter a term, with or without a vote in it; this is on disk before anything is sent."""
        self.term, self.voted_for = term, voted_for
        self.disk.write(storage.Ballot(term, voted_for))

    def halt(self, sentence: str) -> None:
        """Stop for good after a contradiction that must not happen."""
        self.turn(Trigger.CONTRADICTION)
        self.tell(events.Halted(sentence))

    @property
    def configuration(self) -> Configuration:
        """The configuration in force."""
        return self.journal.configuration

    @property
    def is_voter(self) -> bool:
        """True if this copy of the log is a voter's."""
        return self.configuration.is_voter(self.me, self.birth)

    @property
    def may_lead(self) -> bool:
        """True if this copy is a voter's and whole, and would sign no number that another may have signed.

        Two copies can hold two histories, if a leader equivocated. Who signed both would be convicted for it.
        """
        may_sign = self.journal.last_number >= self.elsewhere.get(self.lineage, 0)
        is_whole = self.last >= self.journal.promised and self.journal.lineage == self.lineage
        return self.is_voter and may_sign and is_whole

    @property
    def is_doubtful(self) -> bool:
        """True while this copy may lack what it promised, and so promises nothing (`recollection.py`)."""
        return self.journal.promised == DOUBTFUL

    @property
    def signed(self) -> dict[bytes, int]:
        """By lineage, up to which number this copy, or one before it, may have signed."""
        last = max(self.journal.last_number, self.elsewhere.get(self.lineage, 0))
        return {**self.elsewhere, self.lineage: last} if self.lineage else self.elsewhere

    @property
    def last(self) -> tuple[int, int]:
        """The (term, number) of the last entry."""
        return self.journal.last_term, self.journal.last_number

    # The log

    def append(self, entry: Entry, *, checked: bool = False) -> None:
        """Append an entry; `checked` if its signature is already verified.

        Raise `BrokenEntry` if it is forged or doesn't fit there.
        """
        if entry.term > self.term or entry.lineage != self.lineage == self.journal.lineage:
            raise BrokenEntry(f"Entry {entry.number} is of a term to come, or leaves the lineage.")
        if entry.kind is EntryKind.APPLICATION and not self.rules.is_next(
            self.journal.last_count(entry.author), entry.count
        ):
            raise BrokenEntry(f"Entry {entry.number} repeats or skips one of its author's proposals.")
        if entry.kind is not EntryKind.APPLICATION and not self._may_lead(entry.author):
            raise BrokenEntry(f"Entry {entry.number} is a leader's, and its author doesn't vote.")
        if not (checked or self._is_mine(entry.proposal) or is_authentic(entry.proposal, self.verify)):
            raise BrokenEntry(f"Entry {entry.number} isn't signed by its author.")
        self.journal.append(entry)
        late = self.state is State.LEADER and entry.kind is EntryKind.APPLICATION
        self.disk.write(storage.EntryKept(entry.wire), late=late)

    def _may_lead(self, peer: PeerId) -> bool:
        """Return True if the last configuration lets that peer lead; the founder brings the first one."""
        return self.journal.last_number == 0 or peer in self.configuration.voters

    def _is_mine(self, proposal: Proposal) -> bool:
        """Return True if this peer signed exactly these bytes itself, so that no check is needed."""
        mine = self.proposals.get(proposal.count)
        return (
            mine is not None
            and proposal.author == self.me
            and proposal.signed == mine.signed
            and proposal.signature == mine.signature
        )

    def settle(self) -> None:
        """Sync what has to be synced, so that its own copy counts."""
        self.disk.settle()
        self.synced = self.journal.last_number

    def cut(self, number: int) -> None:
        """Drop the entries after `number`; if one of them is final, halt the log."""
        if number < self.journal.commit_index:
            self.halt(f"The leader contradicts entry {number + 1}, which is final.")
        elif self.journal.cut(number):
            self.dropped = True
            self.disk.write(storage.Cut(number))

    def roll_back(self, number: int) -> list[Entry]:
        """Drop and return the entries after the final entry `number`: they were one liar's history.

        Nothing else lowers a commit index. This copy won't sign another hash for numbers that it may have
        signed as their leader.
        """
        led = [
            one
            for one in range(number + 1, self.journal.last_number + 1)
            if self.journal.leaders.get(self.journal.term_at(one) or 0, self.me) == self.me
        ]
        if led:
            self.elsewhere[self.lineage] = max(led[-1], self.elsewhere.get(self.lineage, 0))
            self.disk.write(storage.SignedElsewhere(self.lineage, self.elsewhere[self.lineage]))
        dropped = self.journal.roll_back(number)
        self.disk.write(storage.Cut(number))
        self.synced, self.dropped = min(self.synced, number), True
        self.digests.clear()
        self.tell(events.RolledBack(number))
        return dropped

    def finalise(self, number: int) -> None:
        """Set the commit index to `number`, and deliver the new final entries."""
        if number <= self.journal.commit_index or self.state in ASLEEP:
            return
        self.disk.write(storage.FinalTo(number))
        self.deliver(number)

    def deliver(self, number: int) -> None:
        """Set the commit index to `number`, and deliver the entries up to there."""
        for place in range(self.journal.commit_index + 1, number + 1):
            if self.state is State.LEFT:
                return  # entries after its own removal don't concern this peer
            entry = self.journal.entry(place)
            assert entry is not None
            self.journal.commit_index = place
            self.tell(events.Final(entry))
            self.when_final(entry)

    def install(self, snapshot: Snapshot, blob: bytes) -> None:
        """Install a snapshot; raise `BrokenEntry` and change nothing unless it is beyond the commit index."""
        self.begin_behind(snapshot, blob)
        self.digests.clear()  # the application has none of the states that the snapshot leaps over
        self.dropped = True
        self.disk.write(storage.Snapped(blob))

    def compact(self, snapshot: Snapshot, blob: bytes) -> None:
        """Let a snapshot of this log stand for the entries up to it, in memory and on disk."""
        journal = self.journal
        journal.compact(snapshot)
        self.snapshot = blob
        kept = (journal.entry(number) for number in range(snapshot.number + 1, journal.last_number + 1))
        self.disk.replace(
            [
                storage.Born(self.table, self.birth),
                storage.InLineage(self.lineage),
                storage.Ballot(self.term, self.voted_for),
                storage.Snapped(blob),
                *(storage.EntryKept(entry.wire) for entry in kept if entry is not None),
                storage.FinalTo(journal.commit_index),
                *(
                    storage.ProposalKept(one.count, one.signed, one.signature)
                    for one in self.proposals.values()
                ),
                *(storage.Convicted(proof.pack()) for proof in self.convicted.values()),
                *(storage.SignedElsewhere(*signed) for signed in self.elsewhere.items()),
            ]
        )

    def begin_behind(self, snapshot: Snapshot, blob: bytes) -> None:
        """Begin the log after a snapshot, and deliver it."""
        self.journal.install(snapshot)
        self.snapshot = blob
        self.tell(events.SnapshotInstalled(snapshot.number, snapshot.data))

    # Start

    def be_born(self) -> None:
        """Begin a new copy of the log."""
        self.birth = self.chance.randbytes(BIRTH_SIZE)
        self.disk.write(storage.Born(self.table, self.birth))

    def enter_lineage(self, lineage: bytes) -> None:
        """Follow a lineage from now on."""
        self.lineage = lineage
        self.disk.write(storage.InLineage(lineage))

    # Digests of the application's state

    def note_digest(self, number: int, digest: bytes) -> None:
        """Store its own digest at an entry; the oldest ones are dropped."""
        self.digests[number] = digest
        while len(self.digests) > KEPT_DIGESTS:
            self.digests.pop(next(iter(self.digests)))

    def latest_digest(self) -> tuple[int, bytes]:
        """Return the entry number of the latest digest, and the digest; (0, b"") if there isn't one."""
        return next(reversed(self.digests.items()), (0, b""))
