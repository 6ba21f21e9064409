"""The records of an audit, in the order of the log: messages as bytes, and their outcomes.

`place` is the context of a record: the epoch, the object and its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class RecordPlace(NamedTuple):
    """The context of a message.

    Attributes:
        epoch: the epoch of the keys.
        about: the context's object.
        number: the context's number.
    """

    epoch: int
    about: str
    number: int


@dataclass(frozen=True, slots=True)
class KeysMade:
    """Keys were made.

    Attributes:
        place: their context, with the epoch that they are for.
        ids: the identities of party 1 to n.
        threshold: t.
        origin: the chain hash of the entry that wanted the keys.
        commitments, dealings: each party's.
    """

    place: RecordPlace
    ids: tuple[bytes, ...]
    threshold: int
    origin: bytes
    commitments: tuple[bytes, ...]
    dealings: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A card that was face up before it was shuffled.

    Attributes:
        spec: the kind of deck that it belongs to.
        number: the number of its face.
    """

    spec: bytes
    number: int


@dataclass(frozen=True, slots=True)
class PileLink:
    """One party's messages for a pile.

    Attributes:
        deck: the message with its deck.
        proof: the message with its proof.
        seed: its seed; None if the party was gone by then.
    """

    party: int
    round: int
    deck: bytes
    proof: bytes
    seed: bytes | None


@dataclass(frozen=True, slots=True)
class PileMade:
    """A pile was made.

    Attributes:
        place: its context, of round 0.
        start: the cards before the first shuffle: known cards, or slots of this epoch (64 bytes each).
        links: all shuffles of the pile in order; a link has its party's seed if the pile was mixed with it.
        round: the last round.
        slots: the finished pile, 64 bytes a card; None to only compute it.
    """

    place: RecordPlace
    start: tuple[Known | bytes, ...]
    links: tuple[PileLink, ...]
    round: int
    slots: tuple[bytes, ...] | None = None


@dataclass(frozen=True, slots=True)
class SharesGiven:
    """A party gave shares in public.

    Attributes:
        points: the points of the shares, 32 bytes each: first halves of slots, points of dice or seals.
        data: the message.
    """

    place: RecordPlace
    party: int
    points: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """A card was shown to everyone, with shares that were recorded before.

    Attributes:
        slot: the card, 64 bytes.
    """

    epoch: int
    slot: bytes
    card: Known


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die was thrown, with shares that were recorded before.

    Attributes:
        value: the thrown value, from 0.
    """

    place: RecordPlace
    sides: int
    value: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value was sealed.

    Attributes:
        party: the author, the party of the context.
        room: the maximum length of a value.
        data: the message.
    """

    place: RecordPlace
    party: int
    room: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Opened:
    """A seal was opened.

    Attributes:
        sealed: the seal's record, which was recorded before.
        opening: the author's opening; None if recorded shares opened it by force.
        value: the value; None if the seal could not be opened, which is its author's fault.
    """

    sealed: Sealed
    opening: bytes | None
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Boxed:
    """A box was sent to one party; only the sender's proof can be checked.

    Attributes:
        place: their context.
        party: the sender.
        receiver: the receiver's number in the box.
        mailbox: the receiver's key.
        data: the message.
        keyless: whether it was sent while the keys of its epoch were being made, as key shares are.
    """

    place: RecordPlace
    party: int
    receiver: int
    mailbox: bytes
    data: bytes
    keyless: bool = False


Record = KeysMade | PileMade | SharesGiven | Shown | Thrown | Sealed | Opened | Boxed
