"""Messages of the agreed log.

Shapes and their encoding only; `grouplog/` defines what they do. Every message but `Join` names the lineage
that it belongs to. Lineages are never mixed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, TypeAlias

from msgspec import Meta

from tavolata_protocol import codec
from tavolata_protocol.messages.base import U32, U62, Bytes8, Bytes16, Bytes32, Bytes64, Peer32, WireMessage
from tavolata_protocol.messages.entries import MAX_ENTRY, MAX_MEMBERS, MAX_SIGNED
from tavolata_protocol.messages.equivocation import MAX_SIGNED as MAX_COMMIT
from tavolata_protocol.messages.votes import Statement

CHUNK_SIZE = 1024
CHUNKS_AT_ONCE = 16
MAX_ENTRIES = 256
MAX_MARKS = 256
MAX_SNAPSHOT = 16 * 1024 * 1024

Digest = Annotated[bytes, Meta(max_length=32)]
Away = Annotated[int, Meta(ge=0, lt=2**MAX_MEMBERS)]


class OfLineage(WireMessage, frozen=True):
    """Base of the messages that belong to a lineage of the log."""

    lineage: Bytes16


class OfTerm(OfLineage, frozen=True):
    """Base of the messages that belong to a term of a lineage, or tell the sender's term."""

    term: U62


class Join(WireMessage, frozen=True, tag=1):
    """A newcomer's request to join, sent to any peer it knows; `birth` identifies its copy of the log."""

    birth: Bytes8


class Redirect(OfLineage, frozen=True, tag=2):
    """From a peer that isn't leading: the leader to ask instead."""

    leader: Peer32


class Propose(OfLineage, frozen=True, tag=3):
    """A signed proposal for the leader."""

    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class PlacedAt(OfTerm, frozen=True, tag=4):
    """The answer to a proposal that's already in the leader's log; `number` is 0 if it's no longer kept."""

    count: U62
    number: U62


class Rejected(OfLineage, frozen=True, tag=5):
    """The answer to a proposal that can't be appended; `reason` is an `events.Reason`."""

    count: U62
    reason: Annotated[int, Meta(ge=0, le=255)]


class Append(OfTerm, frozen=True, tag=6):
    """From the leader: entries after a known one, the last final number, or a heartbeat.

    Attributes:
        previous_number, previous_term, previous_hash: the entry before `entries`, with its chain hash.
        entries: encoded entries.
        final: number of the last final entry.
        seen: number of the last entry that every voter is known to hold.
        beat: heartbeat number, returned in the answer; 0 if this isn't a heartbeat.
        configuration: number of the configuration that `away` refers to.
        away: bit set; bit i is 1 if member i is away.
        digest_number: entry after which `digest` (of the leader's state) was taken; 0 for none.
    """

    previous_number: U62
    previous_term: U62
    previous_hash: Bytes32
    entries: Annotated[tuple[Annotated[bytes, Meta(max_length=MAX_ENTRY)], ...], Meta(max_length=MAX_ENTRIES)]
    final: U62
    seen: U62
    beat: U32
    configuration: U62
    away: Away
    digest_number: U62
    digest: Digest


class Appended(OfTerm, frozen=True, tag=7):
    """The answer to `Append`.

    Attributes:
        term: the answering peer's term.
        birth: id of the answering peer's copy of the log.
        matches: True if the log matches the leader's up to `number`; otherwise, the leader continues from it.
        beat: number of the heartbeat that this answers; 0 for none.
        covered: highest number up to which the leader's own signed commits cover this copy; 0 for none.
        digest_number: latest entry whose state digest is known; 0 for none.
    """

    birth: Bytes8
    matches: bool
    number: U62
    beat: U32
    covered: U62
    digest_number: U62
    digest: Digest


class Offer(OfTerm, frozen=True, tag=8):
    """From the leader, to a peer far behind: the log, and perhaps a snapshot, to fetch.

    `number` is the final entry to reach, `chain` the chain hash there, and `end` the position, in bytes of
    the whole log, behind that entry. `snapshot_number` is that of a snapshot to begin with, 0 for none; its
    size is in bytes, its hash BLAKE2b.
    """

    number: U62
    chain: Bytes32
    end: U62
    snapshot_number: U62
    snapshot_size: Annotated[int, Meta(ge=0, le=MAX_SNAPSHOT)]
    snapshot_hash: Bytes32


class FetchChunks(OfLineage, frozen=True, tag=9):
    """A request for the chunks at these positions of the log (source 0) or of a snapshot (its number)."""

    source: U62
    positions: Annotated[tuple[U62, ...], Meta(min_length=1, max_length=CHUNKS_AT_ONCE)]


class Chunk(OfLineage, frozen=True, tag=10):
    """Bytes of the log or of a snapshot, from `position` on."""

    source: U62
    position: U62
    data: Annotated[bytes, Meta(min_length=1, max_length=CHUNK_SIZE)]


class Probe(OfTerm, frozen=True, tag=11):
    """Asks another voter if it hears the leader of `term`."""

    leader: Peer32


class Probed(OfTerm, frozen=True, tag=12):
    """The answer to `Probe`."""

    heard: bool


class PreVote(OfTerm, frozen=True, tag=13):
    """Asks if a voter would vote for the sender in `term`, given the end of the sender's log."""

    last_term: U62
    last_number: U62


class PreVoted(OfTerm, frozen=True, tag=14):
    """The answer to `PreVote`; `term` is the requested one if granted, otherwise the answering peer's.

    `last_term` and `last_number` are the end of the answering peer's log.
    """

    birth: Bytes8
    granted: bool
    last_term: U62
    last_number: U62


class Vote(OfLineage, frozen=True, tag=15):
    """A vote request: the sender's vote for itself and, after a handover, the leader's transfer."""

    own: Statement
    transfer: Statement | None


class Voted(OfTerm, frozen=True, tag=16):
    """The answer to `Vote`: the answering peer's term, and its signed vote if granted."""

    vote: Statement | None


class HandOver(OfLineage, frozen=True, tag=17):
    """From a departing leader to its heir: start an election now, with this transfer."""

    transfer: Statement


class Leave(OfLineage, frozen=True, tag=18):
    """A member's request to be removed from the configuration."""


class CommitNotice(OfLineage, frozen=True, tag=19):
    """A leader's signed commit, from the leader itself or forwarded; see `equivocation`."""

    signed: Annotated[bytes, Meta(max_length=MAX_COMMIT)]
    signature: Bytes64


class Relay(OfLineage, frozen=True, tag=20):
    """A proposal missing from the log: from its author to the other voters, and from each to the leader."""

    signed: Annotated[bytes, Meta(max_length=MAX_SIGNED)]
    signature: Bytes64


class ShowVotes(OfTerm, frozen=True, tag=21):
    """Asks a peer that claims to lead in `term` for the votes that elected it."""


class Elected(OfLineage, frozen=True, tag=22):
    """Signed votes: those that elected the sender, or two that prove that a voter voted twice."""

    votes: Annotated[tuple[Statement, ...], Meta(min_length=1, max_length=MAX_MEMBERS)]


class Tip(OfLineage, frozen=True, tag=23):
    """Final entries of the sender's log: their numbers, highest first, and the chain hash after each."""

    numbers: Annotated[tuple[U62, ...], Meta(min_length=1, max_length=MAX_MARKS)]
    chains: Annotated[tuple[Bytes32, ...], Meta(min_length=1, max_length=MAX_MARKS)]


class Recall(OfLineage, frozen=True, tag=24):
    """Asks a peer what it remembers of the sender's copy, which may come from a backup."""

    birth: Bytes8


class Remembered(OfLineage, frozen=True, tag=25):
    """The answer to `Recall`: the last vote by that copy that this peer has seen, if any.

    `last_term` and `last_number` are the end of the sender's log.
    """

    birth: Bytes8
    vote: Statement | None
    last_term: U62
    last_number: U62


class Forgot(OfLineage, frozen=True, tag=26):
    """From the leader: this copy lacks entry `number`, which it had acknowledged, and will get it again."""

    birth: Bytes8
    number: U62


LogMessage: TypeAlias = (
    Join | Redirect | Propose | PlacedAt | Rejected | Append | Appended | Offer | FetchChunks | Chunk
    | Probe | Probed | PreVote | PreVoted | Vote | Voted | HandOver | Leave | CommitNotice
    | Relay | ShowVotes | Elected | Tip | Recall | Remembered | Forgot
)  # fmt: skip


decode: Callable[[bytes], LogMessage] = codec.reader(LogMessage, codec.MESSAGE)
"""Decode one message of the log; raise `MalformedMessage` for anything else."""


def encode(message: LogMessage) -> bytes:
    """Encode one message of the log."""
    return codec.encode(message)
