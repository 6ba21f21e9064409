"""Who orders, and what follows for all parts when that changes: terms, office, being removed.

It holds the parts together. What each part does stands in its own module; which message reaches it, in
`switchboard.py`.
"""

from __future__ import annotations

from tavolata_protocol.entries import Entry, Kind, configuration_of
from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.catchup import CatchUp
from tavolata_protocol.grouplog.digests import DigestWatch
from tavolata_protocol.grouplog.elections import Elections
from tavolata_protocol.grouplog.farewell import Farewell
from tavolata_protocol.grouplog.follower import Following
from tavolata_protocol.grouplog.leader import Sequencing
from tavolata_protocol.grouplog.ordering import Ordering
from tavolata_protocol.grouplog.proposing import Proposing
from tavolata_protocol.grouplog.reconfiguring import Reconfiguring
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.roles import Trigger
from tavolata_protocol.grouplog.signed_commits import Vouching
from tavolata_protocol.identity import PeerId

_ABSURD_TERM = 2**60
"""A term from here on is nonsense, and isn't entered."""
_LEAP = 1024
"""How far one message takes the term: who lags behind goes step by step, and nobody can use all terms up."""


class Office:
    """All parts of one log; the last three exist while this peer orders."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.digests = DigestWatch(desk)
        self.proposing = Proposing(desk)
        self.vouching = Vouching(desk)
        self.following = Following(desk, self.digests, self.vouching)
        self.catchup = CatchUp(desk, self.following)
        self.elections = Elections(desk, self._win, self.enter_term)
        self.farewell = Farewell(desk)
        self.sequencing: Sequencing | None = None
        self.ordering: Ordering | None = None
        self.reconfiguring: Reconfiguring | None = None
        self.unlisted = False
        self._was_member = False
        desk.when_final = self._final

    @property
    def is_member(self) -> bool:
        """Whether this very copy of the log belongs to the configuration in force."""
        member = self.desk.configuration.member(self.desk.me)
        return member is not None and member.birth == self.desk.birth

    @property
    def is_stranger(self) -> bool:
        """Whether it has to ask to be let in (again)."""
        journal = self.desk.journal
        listed = self.is_member or journal.configuration_number > journal.final  # its removal may be dropped
        return not self.farewell.leaving and (self.unlisted or not listed)

    def take(self) -> Sequencing:
        """Begin to order; the state and the term say so already."""
        desk = self.desk
        self.sequencing = Sequencing(desk, self.digests)
        self.ordering = Ordering(desk)
        self.reconfiguring = Reconfiguring(desk, self.sequencing)
        desk.follow(desk.me)
        return self.sequencing

    def leave(self, trigger: Trigger) -> None:
        """Order no more."""
        self.sequencing = self.ordering = self.reconfiguring = None
        self.desk.turn(trigger)
        self.desk.follow(None)
        self.elections.heard = self.desk.now
        self.elections.wait()

    def _win(self) -> None:
        self.take().open_term()

    def order(self) -> None:
        """What the sequencer does before anything is sent: append, count, reconfigure, hand over."""
        assert self.sequencing is not None
        assert self.ordering is not None
        assert self.reconfiguring is not None
        if self.farewell.leaving:
            if self.farewell.hand_over(self.sequencing):
                self._go()
                return
        else:
            while waiting := self.proposing.waiting():
                before = self.desk.journal.last_number
                for proposal in waiting:
                    self.ordering.offer(proposal)
                if self.desk.journal.last_number == before:
                    break
        self.sequencing.count()
        if not self.farewell.leaving:
            before = self.desk.journal.last_number
            self.reconfiguring.pursue()
            if self.desk.journal.last_number > before:
                self.sequencing.count()
        self.sequencing.flush()
        self.vouching.give()

    def enter_term(self, term: int, voted_for: PeerId | None = None) -> None:
        """Go on to a term, or vote in the present one."""
        changed = term != self.desk.term
        self.desk.enter_term(term, voted_for)
        if changed:
            self.following.reset()
            self.catchup.reset()
            self.vouching.reset()
            self.proposing.forget_sending()
            if self.sequencing is None:
                self.desk.follow(None)

    def observe(self, term: int) -> None:
        """A message carries a term: a higher one is entered at once, one that is far away step by step."""
        term = min(term, self.desk.term + _LEAP)
        if self.desk.term < term < _ABSURD_TERM:
            self.enter_term(term)
            if self.sequencing is not None:
                self.leave(Trigger.HIGHER_TERM)
            else:
                self.desk.turn(Trigger.HIGHER_TERM)

    def _final(self, entry: Entry) -> None:
        self.proposing.final(entry)
        self.vouching.final(entry)
        if entry.kind is Kind.CONFIGURATION and self._was_member and not self._is_in(entry):
            self._go()
        elif entry.kind is Kind.CONFIGURATION:
            self._was_member = self._is_in(entry)

    def _is_in(self, entry: Entry) -> bool:
        configuration = configuration_of(entry)
        member = configuration.member(self.desk.me) if configuration else None
        return member is not None and member.birth == self.desk.birth

    def _go(self) -> None:
        """This peer is a member no more."""
        desk = self.desk
        self.sequencing = self.ordering = self.reconfiguring = None
        self.following.flush()  # the last answer: the others count on it
        desk.turn(Trigger.REMOVED)
        for count in self.proposing.pending:
            self.proposing.refused(count, events.Reason.NOT_A_MEMBER)
        desk.tell(events.LeftTable())

    def after_drop(self) -> None:
        """Entries may have been dropped: own ones among them are proposed again."""
        if self.desk.dropped:
            self.desk.dropped = False
            self.proposing.forget_sending()
            if self.desk.journal.final == self.desk.journal.base.number:
                self._was_member = self.is_member  # the log begins anew behind a snapshot
                self.proposing.prune()
