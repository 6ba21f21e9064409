"""Events of the agreed log for its application, as small frozen values.

An application changes its state only on `Final`. All other events are for the screen, or ask for a decision.
"""

from __future__ import annotations

from enum import IntEnum

from msgspec import Struct

from tavolata_protocol.entries import Entry
from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.identity import PeerId


class Reason(IntEnum):
    """Why a proposal was refused."""

    NOT_A_MEMBER = 1
    """The author doesn't belong to the configuration."""
    TOO_MUCH = 3
    """The author has used up its quota; the proposal is taken when it is sent again later."""


class LogEvent(Struct, frozen=True):
    """Base of every event."""


class Final(LogEvent, frozen=True):
    """An entry is agreed for good. Entries of all kinds come in order of number, each exactly once."""

    entry: Entry


class LeaderChanged(LogEvent, frozen=True):
    """The leader changed; None while no leader is known."""

    peer: PeerId | None
    term: int


class PeerAway(LogEvent, frozen=True):
    """A member has not been heard for 3 s."""

    peer: PeerId


class PeerBack(LogEvent, frozen=True):
    """A member that was away is heard again."""

    peer: PeerId


class ProposalsDelayed(LogEvent, frozen=True):
    """The leader takes no more proposals of this peer for a while; they are stored, and sent again."""


class JoinRequested(LogEvent, frozen=True):
    """At the leader: a peer asks to join; `add_learner` admits it."""

    peer: PeerId


class JoinMisdirected(LogEvent, frozen=True):
    """At a follower: a peer asked to join and was told the leader; it may not know the leader's address."""

    peer: PeerId
    leader: PeerId


class SnapshotInstalled(LogEvent, frozen=True):
    """The application must replace its state by `data`, that of entry `number`; `Final` goes on after it."""

    number: int
    data: bytes


class Desynchronised(LogEvent, frozen=True):
    """A peer's application state differs from its own one at entry `number`; one of the two is faulty."""

    peer: PeerId
    number: int
    mine: bytes
    theirs: bytes


class OtherLineage(LogEvent, frozen=True):
    """A peer follows another lineage. Keep this copy, and join again or continue without that peer."""

    peer: PeerId
    lineage: bytes


class EquivocationProved(LogEvent, frozen=True):
    """A leader signed two histories of the log, or a voter two votes; it is ignored, and taken out."""

    proof: Equivocation


class RolledBack(LogEvent, frozen=True):
    """The entries after `number` were one liar's history; the application begins again from its log."""

    number: int


class Forgotten(LogEvent, frozen=True):
    """This copy lacks entries that it has acknowledged. Keep it aside, and join again with a new one."""


class TakeoverPossible(LogEvent, frozen=True):
    """There has been no leader and no majority for 5 s; the player may decide to `take_over`."""


class LeftTable(LogEvent, frozen=True):
    """This peer no longer belongs to the configuration: it left, or the leader removed it."""


class Halted(LogEvent, frozen=True):
    """The log contradicts itself and has stopped; `sentence` says why."""

    sentence: str
