"""`GroupLog`: one peer's copy of the agreed log, as seen by its application and its sessions.

This is the whole interface: every method checks whether it may be called now, and passes the call to a part.
There is no I/O and no clock; times are arguments, in seconds.
"""

from __future__ import annotations

from collections.abc import Collection

from tavolata_protocol import codec, identity
from tavolata_protocol.entries import Entry, Signer, Verify, first_lineage
from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.errors import MalformedMessage, WrongMoment
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.configuration_changes import ConfigurationChanges
from tavolata_protocol.grouplog.dispatch import Dispatcher
from tavolata_protocol.grouplog.exclusion import Exclusion
from tavolata_protocol.grouplog.join_requests import JoinRequests
from tavolata_protocol.grouplog.leadership import Leadership
from tavolata_protocol.grouplog.recollection import Recollection
from tavolata_protocol.grouplog.recovery import recover
from tavolata_protocol.grouplog.replica import Randomness, Replica
from tavolata_protocol.grouplog.roles import ASLEEP, TRANSITIONS, State, Trigger
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.snapshots import Snapshot, read_snapshot
from tavolata_protocol.grouplog.timers import Timers
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration
from tavolata_protocol.messages import log as wire
from tavolata_protocol.messages.entries import Member, Role


class GroupLog:
    """One peer's copy of the agreed log.

    After any call, send what `messages_to_send` returns, act on `next_event` until it returns None, and call
    `handle_timer` at the time that `next_timer` names. While `is_sync_due`, call `messages_to_send` again as
    soon as its messages are sent.

    Args:
        table: the table's id, up to 64 bytes; the same at every peer.
        chance: a source of randomness, such as `random.Random`; births come from it, so use a real one.
        rules: the safety rules; only tests give other rules.
        verify: checks signatures; only tests give another check.

    Raises:
        DamagedStore: when the store is damaged.
        WrongMoment: when the store holds the log of another table.
    """

    def __init__(
        self,
        me: Signer,
        store: storage.Storage,
        *,
        table: bytes,
        chance: Randomness,
        rules: Rules | None = None,
        verify: Verify = identity.verify,
    ) -> None:
        self._replica = Replica(
            me,
            store,
            table=table,
            chance=chance,
            rules=rules or Rules(),
            verify=verify,
        )
        self._leadership = Leadership(self._replica)
        self._join_requests = JoinRequests(self._leadership)
        self._exclusion = Exclusion(self._leadership)
        self._recollection = Recollection(self._leadership, store)
        parts = self._leadership, self._join_requests, self._exclusion, self._recollection
        self._dispatcher = Dispatcher(*parts)
        self._compaction: tuple[Snapshot, bytes] | None = None
        self.is_sync_due = False
        self._timers = Timers(*parts)
        recover(store, self._replica, self._leadership.proposer)

    # State, readable at any time

    @property
    def is_blank(self) -> bool:
        """True if the store was empty: then call `create` or `join`; otherwise `resume`."""
        return not self._replica.birth

    @property
    def table(self) -> bytes:
        """The table's id."""
        return self._replica.table

    @property
    def state(self) -> State:
        """The present state of this peer."""
        return self._replica.state

    @property
    def leader(self) -> PeerId | None:
        """The leader, if it is known."""
        return self._replica.leader

    @property
    def is_leader(self) -> bool:
        """True if this peer leads."""
        return self._replica.state is State.LEADER

    @property
    def term(self) -> int:
        """The present term, from 1."""
        return self._replica.term

    @property
    def lineage(self) -> bytes | None:
        """The lineage of this log, 16 bytes; None before it is known."""
        return self._replica.lineage or None

    @property
    def configuration(self) -> Configuration:
        """The members in force."""
        return self._replica.configuration

    @property
    def away(self) -> frozenset[PeerId]:
        """The members that are not heard at present."""
        return frozenset(self._replica.away)

    @property
    def commit_index(self) -> int:
        """The number of the last final entry."""
        return self._replica.journal.commit_index

    @property
    def last_number(self) -> int:
        """The number of the last entry, final or not."""
        return self._replica.journal.last_number

    @property
    def size(self) -> int:
        """The bytes of the stored entries, which `compact` frees."""
        journal = self._replica.journal
        return journal.position(journal.last_number) - journal.base.position

    @property
    def seen_by_all(self) -> int:
        """The last entry that every voter is known to hold; for the screen only."""
        return min(self._replica.seen, self._replica.journal.last_number)

    @property
    def convicted(self) -> tuple[Equivocation, ...]:
        """The proofs against peers that equivocated."""
        return tuple(self._replica.convicted.values())

    @property
    def heritage(self) -> tuple[bytes, ...]:
        """The records with which the store of this peer's next copy begins, if this one is set aside.

        They say what this copy may have signed, so that the next one signs nothing else for it.
        """
        signed = self._replica.signed.items()
        return tuple(codec.encode(storage.SignedElsewhere(*one)) for one in signed)

    @property
    def pending(self) -> tuple[int, ...]:
        """The counts of own proposals that are not final yet, ascending."""
        return tuple(self._replica.proposals)

    def listens_to(self, peer: PeerId) -> bool:
        """Return True if that peer may refuse this one: it votes, or it was asked for admission."""
        return self._replica.journal.may_vote(peer) or self._join_requests.knows(peer)

    def relayed(self, author: PeerId) -> tuple[bytes, ...]:
        """Return the bodies that a peer signed and sent, and that the leader hasn't logged."""
        return tuple(proposal.body for proposal in self._leadership.relay.held(author))

    def entry(self, number: int) -> Entry | None:
        """Return the entry of that number, if it is stored here."""
        return self._replica.journal.entry(number)

    def chain_at(self, number: int) -> bytes | None:
        """Return the chain hash after that entry, if it is known here."""
        return self._replica.journal.chain_at(number)

    # Start

    def create(self, now: float) -> None:
        """Found the table: this peer is the only member of the first configuration, and leads.

        Raise `WrongMoment` if there is a log already.
        """
        self._begin(now, blank=True)
        replica = self._replica
        replica.be_born()
        replica.enter_lineage(first_lineage(replica.table))
        replica.enter_term(1, replica.me)
        replica.turn(Trigger.FOUNDED)
        self._leadership.lead().append_control(
            Configuration((Member(replica.me, replica.birth, Role.VOTER),))
        )

    def join(self, via: PeerId, now: float) -> None:
        """Ask `via`, and any leader that it names, for admission; the log comes from the leader.

        Raise `WrongMoment` if there is a log already.
        """
        self._begin(now, blank=True)
        self._replica.be_born()
        self._replica.turn(Trigger.ASKED)
        self._join_requests.ask(via)

    def ask(self, via: PeerId) -> None:
        """Ask another peer for admission, if this is still needed."""
        self._join_requests.ask(via)

    def resume(self, now: float, via: PeerId | None = None) -> None:
        """Resume the stored log; `via` is asked for admission again if this is needed.

        Raise `WrongMoment` if the store was empty, or this was called before.
        """
        if self._replica.state is State.LEFT:
            return
        self._begin(now, blank=False)
        self._join_requests.ask(via)
        self._replica.turn(Trigger.RESUMED if self._replica.lineage else Trigger.ASKED)
        self._exclusion.tell()
        self._recollection.begin()

    def _begin(self, now: float, *, blank: bool) -> None:
        if self._replica.state is not State.OUTSIDE:
            raise WrongMoment("This log has begun already.")
        if self.is_blank is not blank:
            raise WrongMoment(
                "The store holds a log: resume it."
                if blank
                else "The store is empty: create a table or join one."
            )
        self._replica.now = now
        if blank:
            self._recollection.end()
        self._leadership.elections.heard = now
        self._leadership.elections.wait()

    # I/O: bytes and times in, bytes, timers and events out

    def receive(self, peer: PeerId, message: bytes, now: float) -> None:
        """Take a message from `peer`, received over an authenticated session.

        Raise `RemoteError` if the peer may not send this; the log is unchanged and continues.
        """
        self._timers.advance(now)
        if self._replica.state not in ASLEEP:
            self._dispatcher.receive(peer, wire.decode(message))

    def messages_to_send(self, now: float) -> list[tuple[PeerId, bytes, bool]]:
        """Return the messages to send now: (receiver, bytes, reliable); what they rest on is on disk.

        A leader's new entries are the exception: if `is_sync_due` afterwards, send these messages and call
        this again at once. Then the entries are synced, while the other peers sync theirs.
        """
        self._timers.advance(now)
        replica = self._replica
        if self.is_sync_due:
            replica.settle()
        if (leading := self._leadership.leading) is not None:
            self._leadership.replicate(leading)
        elif replica.state not in ASLEEP:
            self._leadership.leaving.ask(
                self._join_requests.recently_named, forsaken=self._leadership.elections.is_forsaken
            )
            self._leadership.proposer.flush()
            self._leadership.relay.flush()
            self._leadership.follower.flush()
        if replica.state not in ASLEEP:
            self._compact()
        if self._leadership.leading is None or replica.disk.is_dirty:
            replica.settle()
        else:
            replica.disk.flush()
        self.is_sync_due = replica.disk.is_late
        out, replica.outbox = replica.outbox, []
        return out

    def next_timer(self) -> float | None:
        """Return the time of the next call of `handle_timer`, in seconds; None for never."""
        return self._replica.now if self.is_sync_due else self._timers.due()

    def handle_timer(self, now: float) -> None:
        """Do the work that is due; an early or late call is harmless."""
        self._timers.advance(now)
        self._timers.tick()

    def next_event(self) -> events.LogEvent | None:
        """Return the oldest event that was not taken yet; None if there isn't one."""
        return self._replica.events.popleft() if self._replica.events else None

    # Requests

    def propose(self, body: bytes) -> int:
        """Propose an entry; return its count, under which it is delivered at most once.

        The proposal is stored on disk until it is final, and sent again as often as needed. Raise
        `WrongMoment` if this peer is not a member, `ProposalTooLarge` for more than 32 KiB.
        """
        if self._replica.state in ASLEEP or not self._leadership.is_member:
            raise WrongMoment("Only a member of the table can propose; this peer is none (yet).")
        return self._leadership.proposer.add(body)

    def note_digest(self, number: int, digest: bytes) -> None:
        """Note the hash of the application's state after an entry; raise `WrongMoment` if over 32 bytes."""
        if len(digest) > 32:
            raise WrongMoment("A state's digest has 32 bytes at most.")
        self._leadership.digests.noted(number, digest)

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """Note the round trip of the session with `peer`, in seconds; slow links get longer timeouts."""
        self._leadership.elections.note_round_trip(peer, smoothed, variation)

    def compact(self, number: int, data: bytes) -> None:
        """Let the application's state after entry `number` stand for all entries up to there, which go.

        It is done with one of the next `messages_to_send`, when the leader has signed what it has to sign up
        to there. Peers that lack those entries get the snapshot. Raise `WrongMoment` if that entry isn't
        final or no longer stored, or `data` is too long.
        """
        replica, journal = self._replica, self._replica.journal
        is_kept = number > 0 and journal.base.number <= number <= journal.last_number
        if not is_kept or not replica.rules.may_compact(number, journal.commit_index):
            raise WrongMoment("A snapshot stands for a final entry that is kept here.")
        snapshot = journal.snapshot(data, number)
        blob = codec.encode(snapshot)
        try:
            read_snapshot(blob)
        except MalformedMessage as error:  # too long, or a leader took in entries of too many authors
            raise WrongMoment(f"A snapshot that nobody could read: {error}") from error
        self._compaction = snapshot, blob

    def _compact(self) -> None:
        if self._compaction is None or self._leadership.signed_commits.owes(self._compaction[0].number):
            return
        snapshot, blob = self._compaction
        self._compaction = None
        replica, journal = self._replica, self._replica.journal
        if replica.rules.may_compact(snapshot.number, journal.commit_index) and journal.holds(snapshot):
            replica.compact(snapshot, blob)

    def add_learner(self, peer: PeerId) -> None:
        """At the leader: admit a peer as a learner, before or after it asks (`JoinRequested`)."""
        self._changes().wish(peer, Role.LEARNER)

    def promote(self, peer: PeerId) -> None:
        """At the leader: make a learner a voter as soon as it has caught up."""
        self._changes().wish(peer, Role.VOTER)

    def remove(self, peer: PeerId) -> None:
        """At the leader: remove another peer; raise `WrongMoment` for itself, as it has `leave`."""
        if peer == self._replica.me:
            raise WrongMoment("A leader takes itself out by leaving.")
        self._changes().wish(peer, None)

    def leave(self, now: float) -> None:
        """Leave: hand over the leadership if needed, then be removed; `LeftTable` says when it is done."""
        self._timers.advance(now)
        self._leadership.leaving.begin()

    def may_take_over(self, now: float) -> bool:
        """Return True if the player may play on alone: no leader for 5 s, and this peer is a voter."""
        replica = self._replica
        silent = now - self._leadership.elections.heard >= replica.timing.takeover
        return silent and replica.is_voter and (replica.state, Trigger.TAKES_OVER) in TRANSITIONS

    def take_over(self, now: float, here: Collection[PeerId] = ()) -> None:
        """Go on alone by the player's decision: in a new lineage, with all entries of this copy.

        `here` are the peers with a living session. Raise `WrongMoment` if this peer may not take over, or not
        yet; see `may_take_over`. Raise `FurtherCopy` if another voter answers and its copy goes further,
        `UnheardCopy` if one that is here hasn't answered yet.
        """
        self._timers.advance(now)
        replica = self._replica
        if not self.may_take_over(replica.now):
            raise WrongMoment("Taking over is for a voter that has heard no leader for 5 seconds.")
        if (obstacle := self._leadership.elections.obstacle(here)) is not None:
            raise obstacle
        self._recollection.end()
        alone = replica.configuration
        for peer in alone.voters:
            if peer != replica.me:
                alone = alone.with_role(peer, Role.ABSENT)
        self._leadership.branch_off(alone)

    def _changes(self) -> ConfigurationChanges:
        if self._leadership.leading is None:
            raise WrongMoment("Only the leader changes who belongs to the table.")
        return self._leadership.leading.changes
