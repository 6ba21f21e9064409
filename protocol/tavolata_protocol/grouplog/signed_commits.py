"""Pledges in use: the sequencer signs what it made final, and its followers compare what each was told.

Every eighth number is vouched for, and the last one when the log rests. A follower passes what it was told
on to the next two voters: were two stories about, two neighbours somewhere would hold different ones. Whoever
sees the pair shows it to all. Each of those eighth numbers has to be vouched for itself: pledges for other
numbers, a different one in each story, would never contradict each other. What a follower keeps to compare
with stands in `testimony.py`, what follows from a proof in `deposing.py`.
"""

from __future__ import annotations

from typing import Final

from tavolata_protocol.entries import Entry
from tavolata_protocol.equivocation import Pledge, TwoStories, is_genuine, read_pledge, vouch
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.evidence import EVERY, Testimony, is_comparable
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Role
from tavolata_protocol.messages import log as wire

DUE: Final = 16
"""On how many of the latest of them a follower insists."""
KEPT: Final = 4 * DUE
"""How many of them a sequencer keeps, for those who are behind and missed some."""
LISTENERS: Final = 2
"""How many other voters a pledge is passed on to."""


class Vouching:
    """The pledges that this peer gives, and those that it was given."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._given: dict[int, Pledge] = {}
        self._resting = (0, 0.0)
        self._testimony = Testimony()
        self._fits = 0
        self._owed: dict[int, float] = {}

    def reset(self) -> None:
        """Another term: its sequencer has vouched for nothing yet."""
        self._given.clear()
        self._fits = 0
        self._owed.clear()

    @property
    def covered(self) -> int:
        """Up to which final number here this term's sequencer vouched for all that it has to; 0 for none."""
        return min(self._fits, min(self._owed, default=self._fits + 1) - 1)

    # The sequencer

    def give(self) -> None:
        """As the sequencer: vouch for what became final in this term, to everybody who is there."""
        desk, journal = self._desk, self._desk.journal
        last = max(self._given, default=0)
        due = [number for number in _multiples(last, journal.final) if self._is_of_this_term(number)]
        if journal.final != self._resting[0]:
            self._resting = (journal.final, desk.now)
        elif desk.now - self._resting[1] >= desk.timing.beat and self._is_of_this_term(journal.final):
            due.append(journal.final)
        for number in due:
            if number > last:
                self._give(number)

    def _give(self, number: int) -> None:
        desk = self._desk
        chain = desk.journal.chain_at(number)
        if chain is None or desk.lineage is None:
            return  # before what is kept
        pledge = self._given[number] = vouch(desk.signer, desk.lineage, desk.term, number, chain)
        oldest = number // EVERY - KEPT
        self._given = {
            one: given
            for one, given in self._given.items()
            if one == number or (one % EVERY == 0 and one // EVERY > oldest)
        }
        for peer in desk.configuration.peers:
            if peer not in desk.away:
                self._say(peer, pledge)

    def remind(self, peer: PeerId, message: wire.Appended) -> None:
        """As the sequencer: a peer answered a heartbeat; give it again what it lacks of what it can use."""
        known = min(message.number, self._desk.journal.final)
        first = max(message.vouched, known - DUE * EVERY)
        for number, pledge in self._given.items():
            if message.beat and message.matches and first < number <= known:
                self._say(peer, pledge)

    def _say(self, peer: PeerId, pledge: Pledge) -> None:
        self._desk.send(peer, wire.Pledged(pledge.lineage, pledge.signed, pledge.signature), reliable=False)

    def _is_of_this_term(self, number: int) -> bool:
        return self._desk.journal.term_at(number) == self._desk.term

    # The followers

    def on_pledge(self, peer: PeerId, message: wire.Pledged) -> None:
        """Compare a pledge with what is known here.

        Raises:
            MalformedMessage: when it is none.
            BrokenEntry: when it is forged.
        """
        desk = self._desk
        pledge = read_pledge(message.signed, message.signature)
        orders = pledge.sequencer == desk.sequencer or pledge.sequencer in desk.configuration
        if (
            not orders
            or pledge.lineage != desk.lineage
            or pledge.sequencer == desk.me
            or pledge.sequencer in desk.convicted
            or not is_comparable(pledge.number, desk.journal.final)
        ):
            return
        known = self._testimony.of(pledge)
        if known is not None and known.chain == pledge.chain:
            return
        if not is_genuine(pledge, desk.verify):
            raise BrokenEntry("A pledge isn't signed by the one whose it is said to be.")
        if known is not None:
            self._tell_all(known, pledge)
            desk.when_lied(TwoStories(known, pledge))
            return
        self._testimony.keep(pledge)
        self._cover(pledge)
        if peer == pledge.sequencer:
            for listener in self._listeners(peer):
                self._say(listener, pledge)

    def _listeners(self, sequencer: PeerId) -> list[PeerId]:
        """The next behind this one, until enough of them are said to be there.

        Who is away is told as well: that somebody is away is what its sequencer says, and may be the lie.
        """
        desk = self._desk
        counted = [one.peer for one in desk.configuration.members if one.role is not Role.LEARNER]
        at = counted.index(desk.me) + 1 if desk.me in counted else 0
        told: list[PeerId] = []
        for one in (*counted[at:], *counted[:at]):
            if one not in (sequencer, desk.me):
                told.append(one)
            if sum(peer not in desk.away for peer in told) == LISTENERS:
                break
        return told

    def _tell_all(self, *pledges: Pledge) -> None:
        for peer in self._desk.configuration.peers:
            if peer != pledges[0].sequencer:
                for pledge in pledges:
                    message = wire.Pledged(pledge.lineage, pledge.signed, pledge.signature)
                    self._desk.send(peer, message)

    def _cover(self, pledge: Pledge) -> None:
        """A pledge and what it is about are both here: if they fit, that much is vouched for."""
        desk = self._desk
        if (
            pledge.sequencer == desk.sequencer
            and pledge.term == desk.term
            and pledge.number <= desk.journal.final
            and desk.journal.chain_at(pledge.number) == pledge.chain
        ):  # else it may vouch for another log than it sent here: that covers nothing
            self._fits = max(self._fits, pledge.number)
            self._owed.pop(pledge.number, None)

    def final(self, entry: Entry) -> None:
        """An entry became final here: its sequencer has to vouch for it soon."""
        desk = self._desk
        self._testimony.thin_out(entry.number)
        if desk.sequencer is None or desk.sequencer == desk.me or entry.term != desk.term:
            return
        if entry.number % EVERY == 0:
            self._owed[entry.number] = desk.now
            self._owed.pop(entry.number - DUE * EVERY, None)
        for pledge in self._testimony.about(entry.number):
            self._cover(pledge)

    @property
    def overdue(self) -> bool:
        """Whether the sequencer has not vouched for too long: whoever doesn't sign counts as silent."""
        oldest = min(self._owed.values(), default=self._desk.now)
        return self._desk.now - oldest > self._desk.timing.vouch


def _multiples(after: int, up_to: int) -> range:
    """The numbers that are vouched for, behind `after`."""
    return range((after // EVERY + 1) * EVERY, up_to + 1, EVERY)
