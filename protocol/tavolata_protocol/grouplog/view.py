"""What can be looked at in an agreed log at any time; nothing here changes anything."""

from __future__ import annotations

from tavolata_protocol.entries import Entry
from tavolata_protocol.equivocation import TwoStories
from tavolata_protocol.grouplog.leadership import Office
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration


class View:
    """The read-only half of `GroupLog`."""

    _desk: Desk
    _office: Office

    @property
    def is_blank(self) -> bool:
        """Whether the store held nothing: `create` or `join`; else `resume`."""
        return not self._desk.birth

    @property
    def table(self) -> bytes:
        """The table's id."""
        return self._desk.table

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
    def convicted(self) -> tuple[TwoStories, ...]:
        """The proofs against peers that told two stories."""
        return tuple(self._desk.convicted.values())

    @property
    def pending(self) -> tuple[int, ...]:
        """Counts of the own proposals that aren't final yet."""
        return self._office.proposing.pending

    def entry(self, number: int) -> Entry | None:
        """The entry of that number, if it is kept here."""
        return self._desk.journal.entry(number)

    def chain_at(self, number: int) -> bytes | None:
        """The chain hash behind that entry, if it is known here."""
        return self._desk.journal.chain_at(number)
