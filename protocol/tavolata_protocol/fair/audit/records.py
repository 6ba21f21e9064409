"""What an auditor is told, in the order of the log: bytes as they were said, and what came of them.

`place` is where a record belongs: the epoch, and the object and position of the context it was said in.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class RecordPlace(NamedTuple):
    """Where something was said.

    Attributes:
        epoch: which keys it was under.
        about: the context's object.
        position: the context's position.
    """

    epoch: int
    about: str
    position: int


@dataclass(frozen=True, slots=True)
class KeysMade:
    """Keys were made.

    Attributes:
        place: their context; the epoch is the one that they are for.
        ids: the identities of party 1 to n.
        threshold: t.
        commitments: what each party committed to.
        dealings: what each party dealt.
    """

    place: RecordPlace
    ids: tuple[bytes, ...]
    threshold: int
    commitments: tuple[bytes, ...]
    dealings: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A card that all knew before it was shuffled.

    Attributes:
        spec: the kind of deck that it is of.
        number: the number of its face.
    """

    spec: bytes
    number: int


@dataclass(frozen=True, slots=True)
class PileLink:
    """What one party did for a pile.

    Attributes:
        party: who.
        round: in which round.
        deck: the message with its deck.
        proof: the message with its proof.
        seed: its seed; None if it was gone by then.
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
        place: its context, without the round.
        start: the cards before: known ones, or the 64 bytes of slots of this epoch.
        links: all shuffles that the pile consists of, in their order; those of a party whose seed the pile
            was mixed with have it.
        round: the last round.
        slots: what came out, 64 bytes a card; None to have it computed only.
    """

    place: RecordPlace
    start: tuple[Known | bytes, ...]
    links: tuple[PileLink, ...]
    round: int
    slots: tuple[bytes, ...] | None = None


@dataclass(frozen=True, slots=True)
class Remasked:
    """The holder of a hand masked it anew.

    Attributes:
        place: its context.
        party: the holder.
        before: the slots before, 64 bytes each.
        deck: the message with the new slots.
        proof: the message with the proof.
    """

    place: RecordPlace
    party: int
    before: tuple[bytes, ...]
    deck: bytes
    proof: bytes


@dataclass(frozen=True, slots=True)
class SharesGiven:
    """A party gave shares in public.

    Attributes:
        place: their context.
        party: who.
        points: what they are of, 32 bytes each: first halves of slots, points of dice or seals.
        data: the message.
    """

    place: RecordPlace
    party: int
    points: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """A card was opened to all, by shares that were recorded before.

    Attributes:
        epoch: whose keys.
        slot: the card, 64 bytes.
        card: what it turned out to be.
    """

    epoch: int
    slot: bytes
    card: Known


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die was thrown, by shares that were recorded before.

    Attributes:
        place: its context.
        sides: how many it has.
        value: what it showed, from 0.
    """

    place: RecordPlace
    sides: int
    value: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value was sealed.

    Attributes:
        place: its context.
        party: the context's party.
        room: how long a value may be.
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
        opening: what its author showed; None if it was forced open by shares that were recorded before.
        value: what it held; None if it could not be opened, which is its author's fault.
    """

    sealed: Sealed
    opening: bytes | None
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Boxed:
    """Bytes were sent to one party; of these only the sender's proof can be checked.

    Attributes:
        place: their context.
        party: the sender.
        receiver: the receiver's number in the box.
        mailbox: the receiver's key.
        data: the message.
        keyless: whether it was sent while the keys of its epoch were made, as key shares are.
    """

    place: RecordPlace
    party: int
    receiver: int
    mailbox: bytes
    data: bytes
    keyless: bool = False


Record = KeysMade | PileMade | Remasked | SharesGiven | Shown | Thrown | Sealed | Opened | Boxed
