"""Events of the agreed log for its application, as small frozen values.

An application changes its state only on `Final`. All other events are for the screen, or ask for a decision.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeAlias

from tavolata_protocol.entries import Entry
from tavolata_protocol.equivocation import Equivocation
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration


class Reason(IntEnum):
    """Why a proposal was refused."""

    NOT_A_MEMBER = 1
    """The author doesn't belong to the configuration."""
    COUNT_TAKEN = 2
    """Another body with the same author and count is final; a lost copy proposed it."""


@dataclass(frozen=True, slots=True)
class Final:
    """An entry is agreed for good. Entries of all kinds come in order of number, each exactly once."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Dropped:
    """The entries from `number` on were dropped; none was final, and their authors propose them again."""

    number: int


@dataclass(frozen=True, slots=True)
class LeaderChanged:
    """The leader changed; None while no leader is known."""

    peer: PeerId | None
    term: int


@dataclass(frozen=True, slots=True)
class PeerAway:
    """A member has not been heard for 3 s."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class PeerBack:
    """A member that was away is heard again."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class ProposalRefused:
    """The own proposal with that count will not be delivered, and is no longer stored."""

    count: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class ConfigurationChanged:
    """Entry `number` brought a new configuration into force; it may be dropped until that entry is final."""

    configuration: Configuration
    number: int


@dataclass(frozen=True, slots=True)
class JoinRequested:
    """At the leader: a peer asks to join; `add_learner` admits it."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class JoinMisdirected:
    """At a follower: a peer asked to join and was told the leader; it may not know the leader's address."""

    peer: PeerId
    leader: PeerId


@dataclass(frozen=True, slots=True)
class SnapshotWanted:
    """At the leader: a recent snapshot (`offer_snapshot`) would spare a peer the whole log."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class SnapshotInstalled:
    """The application must replace its state by `data`, that of entry `number`; `Final` goes on after it."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """A peer's application state differs from the own one at entry `number`; one of the two is faulty."""

    peer: PeerId
    number: int
    mine: bytes
    theirs: bytes


@dataclass(frozen=True, slots=True)
class OtherLineage:
    """A peer follows another lineage. Keep this copy, and join again or go on without that peer."""

    peer: PeerId
    lineage: bytes


@dataclass(frozen=True, slots=True)
class EquivocationProved:
    """A leader signed two histories of the log; its messages are ignored from now on."""

    proof: Equivocation


@dataclass(frozen=True, slots=True)
class LineageBegun:
    """A peer leads a new lineage without the equivocator. Keep this copy, and join again there."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class TakeoverPossible:
    """There has been no leader and no majority for 5 s; the player may decide to `take_over`."""


@dataclass(frozen=True, slots=True)
class LeftTable:
    """This peer no longer belongs to the configuration: it left, or the leader removed it."""


@dataclass(frozen=True, slots=True)
class Halted:
    """The log contradicts itself and has stopped; `sentence` says why."""

    sentence: str


Event: TypeAlias = (
    Final
    | Dropped
    | LeaderChanged
    | PeerAway
    | PeerBack
    | ProposalRefused
    | ConfigurationChanged
    | JoinRequested
    | JoinMisdirected
    | SnapshotWanted
    | SnapshotInstalled
    | Desynchronised
    | OtherLineage
    | EquivocationProved
    | LineageBegun
    | TakeoverPossible
    | LeftTable
    | Halted
)
