"""The records of an audit, in the order of the log: messages as bytes, and their outcomes.

`place` is the context of a record: the epoch, the object and its number.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class RecordPlace(NamedTuple):
    """The context of a message: the epoch of the keys, the context's object, and its number."""

    epoch: int
    about: str
    number: int


@dataclass(frozen=True, slots=True)
class KeysMade:
    """Keys were made for the epoch in `place`, by the parties with these ids, 1 to n.

    `threshold` is t, `origin` the chain hash of the entry that wanted the keys; of each party there are the
    commitment and the dealing.
    """

    place: RecordPlace
    ids: tuple[bytes, ...]
    threshold: int
    origin: bytes
    commitments: tuple[bytes, ...]
    dealings: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """A card that was face up before it was shuffled: its kind of deck, and the number of its face."""

    spec: bytes
    number: int


@dataclass(frozen=True, slots=True)
class PileLink:
    """One party's messages for a pile; `seed` is None if it opened none for the last draw."""

    party: int
    round: int
    deck: bytes
    proof: bytes
    seed: bytes | None


@dataclass(frozen=True, slots=True)
class PileMade:
    """A pile was made; `place` is its context of round 0.

    `start` has the cards before the first shuffle: known cards, or slots of this epoch (64 bytes each).
    `links` are all shuffles of the pile in order; a link has its party's seed if the pile was mixed with it.
    `round` and `draw` are the last ones. `slots` is the finished pile, 64 bytes a card;
    None to only compute it.
    """

    place: RecordPlace
    start: tuple[Known | bytes, ...]
    links: tuple[PileLink, ...]
    round: int
    draw: int = 0
    slots: tuple[bytes, ...] | None = None


@dataclass(frozen=True, slots=True)
class SharesGiven:
    """A party gave shares in public, in the message `data`.

    `points` are those of the shares, 32 bytes each: first halves of slots, points of dice or seals.
    """

    place: RecordPlace
    party: int
    points: tuple[bytes, ...]
    data: bytes


@dataclass(frozen=True, slots=True)
class Shown:
    """A card (`slot`, 64 bytes) was shown to everyone, with shares that were recorded before."""

    epoch: int
    slot: bytes
    card: Known


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die was thrown, with shares that were recorded before; values count from 0."""

    place: RecordPlace
    sides: int
    value: int


@dataclass(frozen=True, slots=True)
class Sealed:
    """A value of at most `room` bytes was sealed by its author, the party of the context."""

    place: RecordPlace
    party: int
    room: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Opened:
    """A seal that was recorded before was opened.

    `opening` is the author's; None if recorded shares opened it by force. `value` is None if the seal could
    not be opened, which is its author's fault.
    """

    sealed: Sealed
    opening: bytes | None
    value: bytes | None


@dataclass(frozen=True, slots=True)
class Boxed:
    """A box was sent to one party, the `receiver` by number; only the sender's proof can be checked.

    `mailbox` is the receiver's key. It is `keyless` if it was sent while the keys of its epoch were being
    made, as key shares are.
    """

    place: RecordPlace
    party: int
    receiver: int
    mailbox: bytes
    data: bytes
    keyless: bool = False


@dataclass(frozen=True, slots=True)
class HiddenSlot:
    """A hidden card, or a die, under the keys of `epoch`.

    A card has a place in the pile of this number, the `spec` of its deck and 64 bytes, `card`. A die has a
    place in the shake of this number and name, `shake`, and the number of the face on each of its `sides`.
    Where no face is shown, `spec` and `sides` are empty.
    """

    epoch: int
    pile: int
    place: int
    spec: bytes = b""
    sides: tuple[int, ...] = ()
    card: bytes = b""
    shake: str = ""

    @property
    def name(self) -> str:
        """The slot's name in contexts."""
        return f"card {self.place} of pile {self.pile}" if self.card else f"die {self.place} of {self.shake}"


@dataclass(frozen=True, slots=True)
class FacesSeen:
    """Faces that one party was shown in private, with its notes of the shares that showed them.

    `faces` has a place in `slots` and a face each; `batches` the party, the places of the slots in order, and
    the shares with their proof. These shares open nothing for others.
    """

    slots: tuple[HiddenSlot, ...]
    faces: tuple[tuple[int, int], ...]
    batches: tuple[tuple[int, tuple[int, ...], bytes], ...]


Record = KeysMade | PileMade | SharesGiven | Shown | Thrown | Sealed | Opened | Boxed | FacesSeen
