"""`GroupLog`: one peer's copy of the agreed log, as its application and its sessions see it.

It wires the parts together: which message goes to which part, and what a change of term or state means for
all of them. What a part does stands in its own module. No I/O, no clock: times are arguments, in seconds.
"""

from __future__ import annotations

from tavolata_protocol import identity
from tavolata_protocol.entries import (
    Entry,
    Kind,
    Signer,
    Verify,
    branch,
    configuration_of,
    first_lineage,
    read_entry,
)
from tavolata_protocol.errors import BrokenEntry, WrongMoment
from tavolata_protocol.grouplog import events, storage
from tavolata_protocol.grouplog.catchup import CatchUp, serve
from tavolata_protocol.grouplog.desk import Chance, Desk
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.elections import Elections
from tavolata_protocol.grouplog.farewell import Farewell
from tavolata_protocol.grouplog.following import Following
from tavolata_protocol.grouplog.ordering import Ordering
from tavolata_protocol.grouplog.proposing import Proposing
from tavolata_protocol.grouplog.reconfiguring import Reconfiguring
from tavolata_protocol.grouplog.roles import TRANSITIONS, State, Trigger
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.sequencing import Sequencing
from tavolata_protocol.grouplog.snapshots import read_snapshot, write_snapshot
from tavolata_protocol.grouplog.timing import Timing
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration, Member, Role
from tavolata_protocol.messages import log as wire

_ASLEEP = (State.OUTSIDE, State.LEFT, State.HALTED)
_ABSURD_TERM = 2**60
"""A term from here on is nonsense, and isn't entered."""
_STRANGERS = 64
"""How many other lineages are reported, so that nobody can fill the memory with them."""


class GroupLog:
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
        delivered: the last entry the application has acted on already; `Final` begins behind it.

    Raises:
        MalformedMessage: when the store is damaged.
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
        self._digests = DigestWatch(self._desk)
        self._proposing = Proposing(self._desk)
        self._following = Following(self._desk, self._digests)
        self._catchup = CatchUp(self._desk, self._following)
        self._elections = Elections(self._desk, self._win, self._enter_term)
        self._farewell = Farewell(self._desk)
        self._sequencing: Sequencing | None = None
        self._ordering: Ordering | None = None
        self._reconfiguring: Reconfiguring | None = None
        self._via: PeerId | None = None
        self._join_at = 0.0
        self._strangers: set[tuple[PeerId, bytes]] = set()
        self._unlisted = False
        self._was_member = False
        self._desk.when_final = self._final
        self._recover(store)

    def _recover(self, store: storage.Storage) -> None:
        desk, found = self._desk, storage.recover(store)
        if found.born is None:
            return
        if found.born.table != desk.table:
            raise WrongMoment("This stored log belongs to another table.")
        desk.birth, desk.term = found.born.birth, found.term
        desk.voted_for, desk.lineage = found.voted_for, found.lineage
        if found.installed is not None:
            desk.journal.install(read_snapshot(found.installed))
        if found.offered is not None:
            desk.snapshot = (read_snapshot(found.offered).number, found.offered)
        for data in found.entries:
            desk.journal.append(read_entry(data, desk.journal.chain))
        last = desk.journal.entry(desk.journal.last_number)
        if last is not None and last.author == desk.me and last.lineage != desk.lineage:
            desk.lineage = last.lineage  # it crashed in the middle of taking over
        desk.redeliver(min(found.final, desk.journal.last_number))
        self._proposing.recover(found.promised)

    # Beginning

    @property
    def is_blank(self) -> bool:
        """Whether the store held nothing: `create` or `join`; else `resume`."""
        return not self._desk.birth

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
        self._take_office().append_control(Configuration((Member(desk.me, desk.birth, Role.VOTER),)))

    def join(self, via: PeerId, now: float) -> None:
        """Ask `via`, and whoever it names, to be let in; the log comes from the sequencer.

        Raises:
            WrongMoment: when there is a log already.
        """
        self._begin(now, blank=True)
        self._desk.be_born()
        self._desk.turn(Trigger.ASKED)
        self._via, self._join_at = via, now

    def resume(self, now: float, via: PeerId | None = None) -> None:
        """Go on with the log that the store held; `via` is asked to be let in again if need be.

        Raises:
            WrongMoment: when the store was empty, or this was called before.
        """
        if self._desk.state is State.LEFT:
            return
        self._begin(now, blank=False)
        self._via = via
        if self._desk.lineage is None:
            self._desk.turn(Trigger.ASKED)
            self._join_at = now
        else:
            self._desk.turn(Trigger.RESUMED)

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
        self._elections.heard = now
        self._elections.wait()

    # The seam: bytes and times in, bytes, timers and events out

    def receive(self, peer: PeerId, message: bytes, now: float) -> None:
        """Take a message that an authenticated session brought from `peer`.

        Raises:
            RemoteError: when the peer sent something it may not send; the log is unharmed, and goes on.
        """
        self._advance(now)
        if self._desk.state not in _ASLEEP:
            decoded = wire.decode(message)
            if self._is_ours(peer, decoded):
                self._dispatch(peer, decoded)

    def messages_to_send(self, now: float) -> list[tuple[PeerId, bytes, bool]]:
        """What is to be sent now: (to whom, bytes, whether reliably); everything it rests on is on disk."""
        self._advance(now)
        desk = self._desk
        if desk.state is State.SEQUENCING:
            self._order()
        elif desk.state not in _ASLEEP:
            self._farewell.ask()
            self._proposing.flush()
            self._following.flush()
        desk.disk.settle()
        out, desk.outbox = desk.outbox, []
        return out

    def next_timer(self) -> float | None:
        """When `handle_timer` is to be called next, in seconds; None for never."""
        desk = self._desk
        if desk.state in _ASLEEP:
            return None
        times: list[float | None] = [self._farewell.due()]
        if self._sequencing is not None:
            times.append(self._sequencing.due())
        else:
            times += [self._proposing.due(), self._catchup.due()]
            if desk.state is State.JOINING or self._is_stranger:
                times.append(self._join_at)
            if desk.state is not State.JOINING:
                times.append(self._elections.due())
        return min((at for at in times if at is not None), default=None)

    def handle_timer(self, now: float) -> None:
        """Do what is due; calling it too early or late is harmless."""
        self._advance(now)
        desk = self._desk
        if desk.state in _ASLEEP:
            return
        if self._sequencing is not None:
            self._sequencing.tick()
            enough = desk.rules.enough_to_stay(len(desk.configuration.voters))
            if self._sequencing.heard_within(desk.timing.step_down) < enough:
                self._leave_office(Trigger.LOST_TOUCH)
            return
        self._catchup.tick()
        if (desk.state is State.JOINING or self._is_stranger) and desk.now >= self._join_at:
            self._join_at = desk.now + desk.timing.repeat
            whom = desk.sequencer or self._via
            if whom is not None:
                desk.send(whom, wire.Join(desk.birth), reliable=False)
        if desk.state is not State.JOINING:
            self._elections.tick()

    def next_event(self) -> events.Event | None:
        """The next thing that happened, oldest first; None when there is no more."""
        return self._desk.events.popleft() if self._desk.events else None

    def _advance(self, now: float) -> None:
        desk = self._desk
        due = self.next_timer()
        desk.now = max(desk.now, now)
        if due is not None and desk.now - due > desk.timing.late:
            # This process slept. Silence that it didn't listen to accuses nobody.
            if desk.sequencer is not None:
                self._elections.heard = desk.now
            self._elections.wait()
            if self._sequencing is not None:
                self._sequencing.forgive()

    # Asking for something

    def propose(self, body: bytes) -> int:
        """Propose an entry; returns the own count, under which it is delivered at most once.

        It is kept on disk until it is final, and proposed again as often as needed.

        Raises:
            WrongMoment: when this peer is no member (yet, or any more).
            ProposalTooLarge: for more than 32 KiB.
        """
        if self._desk.state in _ASLEEP or not self._is_member:
            raise WrongMoment("Only a member of the table can propose; this peer is none (yet).")
        return self._proposing.add(body)

    def note_digest(self, number: int, digest: bytes) -> None:
        """Say what the application's state is behind entry `number`: a hash of at most 32 bytes."""
        if len(digest) > 32:
            raise WrongMoment("A state's digest has 32 bytes at most.")
        self._digests.noted(number, digest)

    def note_round_trip(self, peer: PeerId, smoothed: float, variation: float) -> None:
        """Say what the session with `peer` measures, in seconds; slow links get more patience."""
        self._elections.note_round_trip(peer, smoothed, variation)

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
        self._advance(now)
        self._farewell.begin()

    def take_over(self, now: float) -> None:
        """The player's decision to go on alone, in a new lineage, with everything this copy holds.

        Raises:
            WrongMoment: unless nobody has ordered for 5 s, and this copy counts.
        """
        self._advance(now)
        desk = self._desk
        silent = desk.now - self._elections.heard >= desk.timing.takeover
        if not (silent and desk.is_voter and (desk.state, Trigger.TAKES_OVER) in TRANSITIONS):
            raise WrongMoment("Taking over is for a voter that has heard no sequencer for 5 seconds.")
        alone = Configuration(
            tuple(
                member
                if member.peer == desk.me or member.role is not Role.VOTER
                else Member(member.peer, member.birth, Role.ABSENT)
                for member in desk.configuration.members
            )
        )
        lineage = branch(desk.lineage or b"", desk.journal.chain, desk.me)
        self._enter_term(desk.term + 1, desk.me)
        desk.turn(Trigger.TAKES_OVER)
        desk.lineage = lineage
        self._take_office().append_control(alone)
        desk.enter_lineage(lineage)
        self._proposing.sign_again()

    # Looking

    @property
    def state(self) -> State:
        """What this peer does at present."""
        return self._desk.state

    @property
    def sequencer(self) -> PeerId | None:
        """Who orders, as far as known."""
        return self._desk.sequencer

    @property
    def is_sequencer(self) -> bool:
        """Whether this peer orders."""
        return self._desk.state is State.SEQUENCING

    @property
    def term(self) -> int:
        """The present term, from 1."""
        return self._desk.term

    @property
    def lineage(self) -> bytes | None:
        """The lineage that is followed, 16 bytes; None before it is known."""
        return self._desk.lineage

    @property
    def configuration(self) -> Configuration:
        """The members in force."""
        return self._desk.configuration

    @property
    def away(self) -> frozenset[PeerId]:
        """The members that aren't heard at present."""
        return frozenset(self._desk.away)

    @property
    def final_number(self) -> int:
        """Up to where the log is final."""
        return self._desk.journal.final

    @property
    def last_number(self) -> int:
        """The last entry, final or not."""
        return self._desk.journal.last_number

    @property
    def first_number(self) -> int:
        """The first entry that is kept here; the ones before are in a snapshot."""
        return self._desk.journal.base.number + 1

    @property
    def seen_by_all(self) -> int:
        """Up to where every voter is known to hold the log; for the screen only."""
        return min(self._desk.seen, self._desk.journal.last_number)

    @property
    def pending(self) -> tuple[int, ...]:
        """Counts of the own proposals that aren't final yet."""
        return self._proposing.pending

    def entry(self, number: int) -> Entry | None:
        """The entry of that number, if it is kept here."""
        return self._desk.journal.entry(number)

    def chain_at(self, number: int) -> bytes | None:
        """The chain hash behind that entry, if it is known here."""
        return self._desk.journal.chain_at(number)

    # Office

    @property
    def _is_member(self) -> bool:
        member = self._desk.configuration.member(self._desk.me)
        return member is not None and member.birth == self._desk.birth

    @property
    def _is_stranger(self) -> bool:
        """Whether it has to ask to be let in (again)."""
        journal = self._desk.journal
        listed = self._is_member or journal.configuration_number > journal.final  # its removal may be dropped
        return not self._farewell.leaving and (self._unlisted or not listed)

    def _in_office(self) -> Reconfiguring:
        if self._reconfiguring is None:
            raise WrongMoment("Only the sequencer changes who belongs to the table.")
        return self._reconfiguring

    def _take_office(self) -> Sequencing:
        desk = self._desk
        self._sequencing = Sequencing(desk, self._digests)
        self._ordering = Ordering(desk)
        self._reconfiguring = Reconfiguring(desk, self._sequencing)
        desk.follow(desk.me)
        return self._sequencing

    def _leave_office(self, trigger: Trigger) -> None:
        self._sequencing = self._ordering = self._reconfiguring = None
        self._desk.turn(trigger)
        self._desk.away = set()
        self._desk.follow(None)
        self._elections.heard = self._desk.now
        self._elections.wait()

    def _win(self) -> None:
        self._take_office().open_term()

    def _order(self) -> None:
        """What the sequencer does before anything is sent: append, count, reconfigure, hand over."""
        assert self._sequencing is not None
        assert self._ordering is not None
        assert self._reconfiguring is not None
        if self._farewell.leaving:
            if self._farewell.hand_over(self._sequencing):
                self._go()
                return
        else:
            while waiting := self._proposing.waiting():
                before = self._desk.journal.last_number
                for proposal in waiting:
                    self._ordering.offer(proposal)
                if self._desk.journal.last_number == before:
                    break
        self._sequencing.count()
        if not self._farewell.leaving:
            before = self._desk.journal.last_number
            self._reconfiguring.pursue()
            if self._desk.journal.last_number > before:
                self._sequencing.count()
        self._sequencing.flush()

    def _enter_term(self, term: int, voted_for: PeerId | None = None) -> None:
        changed = term != self._desk.term
        self._desk.enter_term(term, voted_for)
        if changed:
            self._following.reset()
            self._catchup.reset()
            self._proposing.forget_sending()
            if self._sequencing is None:
                self._desk.follow(None)

    def _observe(self, term: int) -> None:
        """A message carries a term: a higher one is entered at once."""
        if self._desk.term < term < _ABSURD_TERM:
            self._enter_term(term)
            if self._sequencing is not None:
                self._leave_office(Trigger.HIGHER_TERM)
            else:
                self._desk.turn(Trigger.HIGHER_TERM)

    def _final(self, entry: Entry) -> None:
        self._proposing.final(entry)
        if entry.kind is Kind.CONFIGURATION and self._was_member and not self._is_in(entry):
            self._go()
        elif entry.kind is Kind.CONFIGURATION:
            self._was_member = self._is_in(entry)

    def _is_in(self, entry: Entry) -> bool:
        configuration = configuration_of(entry)
        member = configuration.member(self._desk.me) if configuration else None
        return member is not None and member.birth == self._desk.birth

    def _go(self) -> None:
        """This peer is a member no more."""
        desk = self._desk
        self._sequencing = self._ordering = self._reconfiguring = None
        self._following.flush()  # the last answer: the others count on it
        desk.turn(Trigger.REMOVED)
        for count in self._proposing.pending:
            self._proposing.refused(count, events.Reason.NOT_A_MEMBER)
        desk.tell(events.LeftTable())

    # Messages

    def _is_ours(self, peer: PeerId, message: wire.LogMessage) -> bool:
        desk = self._desk
        if isinstance(message, wire.Join):
            return True
        if desk.lineage is None:
            if isinstance(message, wire.Append | wire.Offer):
                desk.enter_lineage(message.lineage)
            return isinstance(message, wire.Append | wire.Offer | wire.Redirect)
        if message.lineage == desk.lineage:
            return True
        if (peer, message.lineage) not in self._strangers and len(self._strangers) < _STRANGERS:
            self._strangers.add((peer, message.lineage))
            desk.tell(events.OtherLineage(peer, message.lineage))
        return False

    def _dispatch(self, peer: PeerId, message: wire.LogMessage) -> None:
        match message:
            case wire.Append() | wire.Offer():
                self._from_sequencer(peer, message)
            case wire.Propose() | wire.Appended() | wire.Leave() | wire.Join():
                self._to_sequencer(peer, message)
            case wire.Ask():
                serve(self._desk, peer, message)
            case wire.Chunk():
                try:
                    self._catchup.on_chunk(peer, message)
                finally:
                    self._after_drop()
            case wire.PlacedAt(count=count, term=term):
                self._proposing.placed(count, term)
            case wire.Redirect(sequencer=sequencer):
                if self._desk.state is State.JOINING or self._is_stranger:
                    self._via, self._join_at = PeerId(sequencer), self._desk.now
            case wire.Refused():
                self._unlisted = True
            case _:
                self._about_office(peer, message)

    def _from_sequencer(self, peer: PeerId, message: wire.Append | wire.Offer) -> None:
        desk = self._desk
        if message.term < desk.term:
            answer = wire.Appended(message.lineage, desk.term, desk.birth, False, 0, 0, 0, b"")
            desk.send(peer, answer, reliable=False)
            return
        self._observe(message.term)
        if desk.state is State.SEQUENCING or desk.sequencer not in (None, peer) or message.term != desk.term:
            raise BrokenEntry("Two peers claim to order in the same term.")
        if desk.state is not State.FOLLOWING:
            desk.turn(Trigger.HEARD_SEQUENCER)
        desk.follow(peer)
        self._unlisted = False
        self._elections.hear()
        try:
            if isinstance(message, wire.Append):
                self._following.on_append(peer, message)
            else:
                self._catchup.on_offer(peer, message)
        finally:
            self._after_drop()

    def _after_drop(self) -> None:
        if self._desk.dropped:
            self._desk.dropped = False
            self._proposing.forget_sending()
            if self._desk.journal.final == self._desk.journal.base.number:
                self._was_member = self._is_member  # the log begins anew behind a snapshot
                self._proposing.prune()

    def _to_sequencer(
        self, peer: PeerId, message: wire.Propose | wire.Appended | wire.Leave | wire.Join
    ) -> None:
        desk = self._desk
        if isinstance(message, wire.Appended):
            self._observe(message.term)
        if self._sequencing is None or self._ordering is None or self._reconfiguring is None:
            if isinstance(message, wire.Join) and desk.sequencer is not None and desk.lineage is not None:
                desk.send(peer, wire.Redirect(desk.lineage, desk.sequencer), reliable=False)
            return
        match message:
            case wire.Appended():
                self._sequencing.on_appended(peer, message)
            case wire.Propose():
                self._sequencing.heard(peer)
                if not self._farewell.leaving:
                    self._ordering.on_propose(peer, message)
            case wire.Leave():
                self._reconfiguring.wish(peer, None)
            case wire.Join(birth=birth):
                self._reconfiguring.on_join(peer, birth)

    def _about_office(self, peer: PeerId, message: wire.LogMessage) -> None:
        desk, elections = self._desk, self._elections
        match message:
            case wire.Probe():
                elections.on_probe(peer, message)
            case wire.Probed():
                elections.on_probed(message)
            case wire.PreVote():
                if self._sequencing is not None and peer not in desk.configuration:
                    desk.send(
                        peer, wire.Refused(message.lineage, 0, events.Reason.NOT_A_MEMBER), reliable=False
                    )
                else:
                    elections.on_pre_vote(peer, message)
            case wire.PreVoted(granted=granted, term=term):
                if not granted:
                    self._observe(term)
                elections.on_pre_voted(peer, message)
            case wire.Vote(term=term):
                if not elections.ignores(peer, message):
                    self._observe(term)
                    elections.on_vote(peer, message)
            case wire.Voted(term=term):
                self._observe(term)
                elections.on_voted(peer, message)
            case wire.HandOver(term=term):
                if term == desk.term and peer == desk.sequencer and desk.is_voter:
                    desk.turn(Trigger.HANDED_OVER)
                    elections.stand(handover=True)
