"""Pledges in use: the sequencer signs what it made final, and its followers compare what each was told.

Every eighth number is vouched for, and the last one when the log rests. A follower passes what it was told
on to the next two voters: were two stories about, two neighbours somewhere would hold different ones. Whoever
sees the pair shows it to all. What follows from a proof stands in `deposing.py`.
"""

from __future__ import annotations

from typing import Final

from tavolata_protocol.entries import Entry
from tavolata_protocol.errors import BrokenEntry
from tavolata_protocol.grouplog.desk import Desk
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Role
from tavolata_protocol.messages import log as wire
from tavolata_protocol.pledges import Pledge, TwoStories, is_genuine, read_pledge, vouch

EVERY: Final = 8
"""The numbers that are always vouched for are its multiples: all are told the same numbers."""
KEPT: Final = 16
"""Pledges that the sequencer keeps for those who missed some; the last covers all before it."""
REMEMBERED: Final = 256
"""Pledges that a follower remembers, to compare others with."""
NEAR: Final = 4096
"""How far from the own log's end a pledge may be to be looked at."""
LISTENERS: Final = 2
"""How many other voters a pledge is passed on to."""


class Vouching:
    """The pledges that this peer gives, and those that it was given.

    Attributes:
        covered: the highest final number here that a pledge of this term's sequencer fits; 0 for none.
    """

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._given: dict[int, Pledge] = {}
        self._resting = (0, 0.0)
        self._known: dict[tuple[PeerId, bytes, int], Pledge] = {}
        self._uncovered: float | None = None
        self.covered = 0

    def reset(self) -> None:
        """Another term: its sequencer has vouched for nothing yet."""
        self._given.clear()
        self._uncovered, self.covered = None, 0

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
        while len(self._given) > KEPT:
            self._given.pop(next(iter(self._given)))
        for peer in desk.configuration.peers:
            if peer not in desk.away:
                self._say(peer, pledge)

    def remind(self, peer: PeerId, message: wire.Appended) -> None:
        """As the sequencer: a peer answered a heartbeat; give it again what it lacks of what it can use."""
        for number, pledge in self._given.items():
            if message.beat and message.matches and message.vouched < number <= message.number:
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
        if (
            pledge.lineage != desk.lineage
            or pledge.sequencer not in desk.configuration
            or pledge.sequencer == desk.me
            or pledge.sequencer in desk.convicted
            or abs(pledge.number - desk.journal.final) > NEAR
        ):
            return
        key = (pledge.sequencer, pledge.lineage, pledge.number)
        known = self._known.get(key)
        if known is not None and known.chain == pledge.chain:
            return
        if not is_genuine(pledge, desk.verify):
            raise BrokenEntry("A pledge isn't signed by the one whose it is said to be.")
        if known is not None:
            self._tell_all(known, pledge)
            desk.when_lied(TwoStories(known, pledge))
            return
        self._known[key] = pledge
        while len(self._known) > REMEMBERED:
            self._known.pop(next(iter(self._known)))
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
        desk = self._desk
        if pledge.term == desk.term and self.covered < pledge.number <= desk.journal.final:
            if desk.journal.chain_at(pledge.number) != pledge.chain:
                return  # it vouches for another log than it sent here: that covers nothing
            self.covered = pledge.number
            waits = _multiples(self.covered, desk.journal.final)
            self._uncovered = desk.now if waits else None

    def final(self, entry: Entry) -> None:
        """An entry became final here: its sequencer has to vouch for it soon."""
        desk = self._desk
        if desk.sequencer is None or desk.sequencer == desk.me or entry.term != desk.term:
            return
        known = self._known.get((desk.sequencer, desk.lineage or b"", entry.number))
        if known is not None:
            self._cover(known)
        elif entry.number % EVERY == 0 and self._uncovered is None:
            self._uncovered = desk.now

    @property
    def overdue(self) -> bool:
        """Whether the sequencer has not vouched for too long: whoever doesn't sign counts as silent."""
        patience = self._desk.timing.vouch
        return self._uncovered is not None and self._desk.now - self._uncovered > patience


def _multiples(after: int, up_to: int) -> range:
    """The numbers that are vouched for, behind `after`."""
    return range((after // EVERY + 1) * EVERY, up_to + 1, EVERY)
