"""`GroupLog`: one peer's copy of the agreed log, as its application and its sessions see it.

The whole seam stands here, and nothing behind it: every method checks whether it may be called now, and hands
on to a part. No I/O, no clock: times are arguments, in seconds.
"""

from __future__ import annotations

from tavolata_protocol import identity
from tavolata_protocol.entries import Signer, Verify, first_lineage
from tavolata_protocol.errors import WrongMoment
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.clockwork import Clockwork
from tavolata_protocol.grouplog.deposing import Deposing, branch_off
from tavolata_protocol.grouplog.dispatch import Switchboard
from tavolata_protocol.grouplog.joining import Joining
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.reconfiguring import Reconfiguring
from tavolata_protocol.grouplog.recovery import recover
from tavolata_protocol.grouplog.replica import Chance, Desk
from tavolata_protocol.grouplog.roles import ASLEEP, TRANSITIONS, State, Trigger
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.snapshots import write_snapshot
from tavolata_protocol.grouplog.timing import Timing
from tavolata_protocol.grouplog.view import View
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration, Member, Role
from tavolata_protocol.messages import log as wire


class GroupLog(View):
    """One peer's copy of the agreed log.

    After any call, send what `messages_to_send` returns, act on `next_event` until it returns None, and call
    `handle_timer` at the time that `next_timer` names.

    Args:
        me: who signs the own proposals (`identity.Identity`).
        store: where records go and come from (`storage.Storage`).
        table: the table's id, up to 64 bytes; the same at every peer.
        chance: a source of randomness, such as `random.Random`; births come from it, so use a real one.
        timing: durations.
        rules: what is safe; only tests give other rules.
        verify: checks signatures; only tests give another check.
        delivered: the last entry the application has acted on already; `Final` begins behind it, after
            `SnapshotInstalled` where the log begins later.

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
        chance: Chance,
        timing: Timing | None = None,
        rules: Rules | None = None,
        verify: Verify = identity.verify,
        delivered: int = 0,
    ) -> None:
        self._desk = Desk(
            me,
            store,
            table=table,
            chance=chance,
            timing=timing or Timing(),
            rules=rules or Rules(),
            verify=verify,
            delivered=delivered,
        )
        self._office = Office(self._desk)
        self._joining = Joining(self._office)
        self._deposing = Deposing(self._office)
        self._switchboard = Switchboard(self._office, self._joining, self._deposing)
        self._clockwork = Clockwork(self._office, self._joining, self._deposing)
        recover(store, self._desk, self._office.proposing)

    # Beginning

    def create(self, now: float) -> None:
        """Found the table: this peer alone is the first configuration, and orders.

        Raises:
            WrongMoment: when there is a log already.
        """
        self._begin(now, blank=True)
        desk = self._desk
        desk.be_born()
        desk.enter_lineage(first_lineage(desk.table))
        desk.enter_term(1, desk.me)
        desk.turn(Trigger.FOUNDED)
        self._office.take().append_control(Configuration((Member(desk.me, desk.birth, Role.VOTER),)))

    def join(self, via: PeerId, now: float) -> None:
        """Ask `via`, and whoever it names, to be let in; the log comes from the sequencer.

        Raises:
            WrongMoment: when there is a log already.
        """
        self._begin(now, blank=True)
        self._desk.be_born()
        self._desk.turn(Trigger.ASKED)
        self._joining.ask(via)

    def ask(self, via: PeerId) -> None:
        """Ask another peer to be let in, as long as that has to be asked for."""
        self._joining.ask(via)

    def resume(self, now: float, via: PeerId | None = None) -> None:
        """Go on with the log that the store held; `via` is asked to be let in again if need be.

        Raises:
            WrongMoment: when the store was empty, or this was called before.
        """
        if self._desk.state is State.LEFT:
            return
        self._begin(now, blank=False)
        self._joining.ask(via)
        self._desk.turn(Trigger.RESUMED if self._desk.lineage else Trigger.ASKED)
        self._deposing.part()

    def _begin(self, now: float, *, blank: bool) -> None:
        if self._desk.state is not State.OUTSIDE:
            raise WrongMoment("This log has begun already.")
        if self.is_blank is not blank:
            raise WrongMoment(
                "The store holds a log: resume it."
                if blank
                else "The store is empty: create a table or join one."
            )
        self._desk.now = now
        self._office.elections.heard = now
        self._office.elections.wait()

    # The seam: bytes and times in, bytes, timers and events out

    def receive(self, peer: PeerId, message: bytes, now: float) -> None:
        """Take a message that an authenticated session brought from `peer`.

        Raises:
            RemoteError: when the peer sent something it may not send; the log is unharmed, and goes on.
        """
        self._clockwork.advance(now)
        if self._desk.state not in ASLEEP:
            self._switchboard.receive(peer, wire.decode(message))

    def messages_to_send(self, now: float) -> list[tuple[PeerId, bytes, bool]]:
        """What is to be sent now: (to whom, bytes, whether reliably); everything it rests on is on disk."""
        self._clockwork.advance(now)
        desk = self._desk
        if desk.state is State.SEQUENCING:
            self._office.order()
        elif desk.state not in ASLEEP:
            self._office.farewell.ask()
            self._office.proposing.flush()
            self._office.following.flush()
        desk.disk.settle()
        out, desk.outbox = desk.outbox, []
        return out

    def next_timer(self) -> float | None:
        """When `handle_timer` is to be called next, in seconds; None for never."""
        return self._clockwork.due()

    def handle_timer(self, now: float) -> None:
        """Do what is due; calling it too early or late is harmless."""
        self._clockwork.advance(now)
        self._clockwork.tick()

    def next_event(self) -> events.Event | None:
        """The next thing that happened, oldest first; None when there is no more."""
        return self._desk.events.popleft() if self._desk.events else None

    # Asking for something

    def propose(self, body: bytes) -> int:
        """Propose an entry; returns the own count, under which it is delivered at most once.

        It is kept on disk until it is final, and proposed again as often as needed.

        Raises:
            WrongMoment: when this peer is no member (yet, or any more).
            ProposalTooLarge: for more than 32 KiB.
        """
        if self._desk.state in ASLEEP or not self._office.is_member:
            raise WrongMoment("Only a member of the table can propose; this peer is none (yet).")
        return self._office.proposing.add(body)

    def note_digest(self, number: int, digest: bytes) -> None:
        """Say what the application's state is behind entry `number`: a hash of at most 32 bytes."""
        if len(digest) > 32:
            raise WrongMoment("A state's digest has 32 bytes at most.")
        self._office.digests.noted(number, digest)

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """Say what the session with `peer` measures, in seconds; slow links get more patience."""
        self._office.elections.note_round_trip(peer, smoothed, variation)

    def offer_snapshot(self, number: int, data: bytes) -> None:
        """Offer the application's state behind the final entry `number` to those who join later.

        Raises:
            WrongMoment: when that entry isn't final, is before what is kept, or `data` is too long.
        """
        journal = self._desk.journal
        if not journal.base.number <= number <= journal.final or number == 0:
            raise WrongMoment("A snapshot stands for a final entry that is kept here.")
        blob = write_snapshot(journal.snapshot(data, number))
        if len(blob) > wire.MAX_SNAPSHOT:
            raise WrongMoment(f"A snapshot has {wire.MAX_SNAPSHOT} bytes at most.")
        self._desk.snapshot = (number, blob)
        self._desk.disk.write(storage.Snapped(installed=False, blob=blob))

    def add_learner(self, peer: PeerId) -> None:
        """At the sequencer: let a peer in that has asked to (`JoinRequested`), or will."""
        self._in_office().wish(peer, Role.LEARNER)

    def promote(self, peer: PeerId) -> None:
        """At the sequencer: make a learner a voter as soon as it has caught up."""
        self._in_office().wish(peer, Role.VOTER)

    def remove(self, peer: PeerId) -> None:
        """At the sequencer: take a peer out; to go itself, it has to `leave`."""
        if peer == self._desk.me:
            raise WrongMoment("A sequencer takes itself out by leaving.")
        self._in_office().wish(peer, None)

    def leave(self, now: float) -> None:
        """Leave politely: hand over if need be, then be taken out; `LeftTable` says when it is done."""
        self._clockwork.advance(now)
        self._office.farewell.begin()

    def may_take_over(self, now: float) -> bool:
        """Whether the player may go on alone: nobody has ordered for 5 s, and this copy counts."""
        desk = self._desk
        silent = now - self._office.elections.heard >= desk.timing.takeover
        return silent and desk.is_voter and (desk.state, Trigger.TAKES_OVER) in TRANSITIONS

    def take_over(self, now: float) -> None:
        """The player's decision to go on alone, in a new lineage, with everything this copy holds.

        Raises:
            WrongMoment: it is not for this copy, or not yet; see `may_take_over`.
        """
        self._clockwork.advance(now)
        desk = self._desk
        if not self.may_take_over(desk.now):
            raise WrongMoment("Taking over is for a voter that has heard no sequencer for 5 seconds.")
        alone = Configuration(
            tuple(
                member
                if member.peer == desk.me or member.role is not Role.VOTER
                else Member(member.peer, member.birth, Role.ABSENT)
                for member in desk.configuration.members
            )
        )
        branch_off(self._office, alone)

    def _in_office(self) -> Reconfiguring:
        if self._office.reconfiguring is None:
            raise WrongMoment("Only the sequencer changes who belongs to the table.")
        return self._office.reconfiguring
