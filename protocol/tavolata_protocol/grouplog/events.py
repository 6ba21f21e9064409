"""Events that the agreed log tells its application. Small frozen values; nothing that decides.

An application acts on `Final` alone; everything else is for the screen, or asks for a decision.
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
    """The author is in no configuration (any more)."""
    COUNT_TAKEN = 2
    """Another body of the same author and count became final: it was proposed by a copy that is lost."""


@dataclass(frozen=True, slots=True)
class Final:
    """This entry is agreed for good. In order of number, each exactly once, of all kinds."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Dropped:
    """The entries from `number` on, none of them final, are gone; their authors propose them again."""

    number: int


@dataclass(frozen=True, slots=True)
class LeaderChanged:
    """Who leads now; None while nobody is known to."""

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
    """The own proposal of that count will not be delivered, and is no longer kept."""

    count: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class ConfigurationChanged:
    """Another configuration is in force since entry `number`; it may be dropped until that is final."""

    configuration: Configuration
    number: int


@dataclass(frozen=True, slots=True)
class JoinRequested:
    """At the leader: a peer wants to be a member; `add_learner` lets it in."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class JoinMisdirected:
    """At a follower: a peer wants to be a member, and was told whom to ask; it may not know where that is."""

    peer: PeerId
    leader: PeerId


@dataclass(frozen=True, slots=True)
class SnapshotWanted:
    """At the leader: a recent snapshot (`offer_snapshot`) would spare that peer the whole log."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class SnapshotInstalled:
    """The application's state is to be replaced by `data`, that at entry `number`; `Final` goes on there."""

    number: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Desynchronised:
    """A peer's application state differs from the own one at entry `number`: one of the two has a fault."""

    peer: PeerId
    number: int
    mine: bytes
    theirs: bytes


@dataclass(frozen=True, slots=True)
class OtherLineage:
    """A peer goes on with another lineage: keep this copy, and join afresh or go on without that peer."""

    peer: PeerId
    lineage: bytes


@dataclass(frozen=True, slots=True)
class EquivocationProved:
    """A leader signed two histories of the log; nobody here listens to it any more."""

    proof: Equivocation


@dataclass(frozen=True, slots=True)
class LineageBegun:
    """That peer leads a lineage without an equivocator: keep this copy, and join afresh there."""

    peer: PeerId


@dataclass(frozen=True, slots=True)
class TakeoverPossible:
    """Nobody has led for 5 s and no majority was found; the player may decide to `take_over`."""


@dataclass(frozen=True, slots=True)
class LeftTable:
    """This peer is in the configuration no more, by its own wish or by that of the leader."""


@dataclass(frozen=True, slots=True)
class Halted:
    """The log contradicts itself and does nothing any more; `sentence` says why."""

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
