"""Sealed choices: commitments that t parties can open by force (verifiable encryption to the joint key).

    r = HS(context, P, value, nonce)    R = r·G    box = (value, nonce) xor KDF(r·P, R, P, context)

with a Schnorr proof of r bound to (context, P, R, box), which prevents copies: `room` + 130 bytes. The author
opens a seal with value and nonce (`room` + 34 bytes). Without the author, t shares open it by force: they
give x·R = r·P. In both cases, r is computed again from the opened value, and R and the box from r. So both
ways give the same value, or both fail. If a seal can't be opened by force, its author forfeits.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE
from tavolata_protocol.fair.hashing import DIGEST_SIZE, HS, H
from tavolata_protocol.fair.keys import PublicKeys
from tavolata_protocol.fair.logs import (
    PROOF_SIZE,
    Proof,
    check_knowledge,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import Openable

ROOM = 94
"""The default maximum length of a value in bytes."""

NONCE_SIZE = 32
_LENGTH_SIZE = 2
OVERHEAD = _LENGTH_SIZE + NONCE_SIZE
"""The bytes of an opening beside the room for its value."""


def opening_of(value: bytes, nonce: bytes, room: int = ROOM) -> bytes:
    """Return an opening, `room` + 34 bytes: the length of the value, the value, zeros, the nonce."""
    return len(value).to_bytes(_LENGTH_SIZE, "little") + value.ljust(room, b"\0") + nonce


def value_in(opening: bytes) -> bytes:
    """Return the value in an opening; nothing is checked here."""
    return opening[_LENGTH_SIZE : _LENGTH_SIZE + int.from_bytes(opening[:_LENGTH_SIZE], "little")]


@dataclass(frozen=True, slots=True)
class Seal(Openable):
    """A sealed value with a checked proof that the author knows r; `point` is R.

    The `box` has the value and its nonce, encrypted.
    """

    box: bytes
    proof: Proof

    @property
    def encoded(self) -> bytes:
        """`room` + 130 bytes."""
        return self.point + self.box + self.proof.encoded


@dataclass(frozen=True, slots=True)
class OwnSeal:
    """This party's own sealed value: the seal to send now, and its opening.

    The opening, `room` + 34 bytes, is sent when all have sealed.
    """

    sealed: Seal
    opening: bytes = field(repr=False)


def seal(context: Context, keys: PublicKeys, value: bytes, secrets: Secrets, room: int = ROOM) -> OwnSeal:
    """Seal a value; the same seed, context and value give the same opening.

    `context` is that of the choice; `context.party` is this party, and the seat is part of `context.object`.
    `room` is the maximum length of a value, the same at every peer. Raise `ValueError` if the value is too
    long.
    """
    if len(value) > room:
        raise ValueError(f"A sealed value has room for {room} bytes, not {len(value)}.")
    nonce = secrets.derive(context, "seal", value)[:NONCE_SIZE]
    opening = opening_of(value, nonce, room)
    exponent = _exponent(context, keys, value, nonce)
    point = context.group.multiply_base(exponent)
    box = _masked(context, keys, point, context.group.multiply(exponent, keys.joint), opening)
    proof = prove_knowledge(context, Item.SEAL, exponent, secrets, *_statement(keys, box))
    return OwnSeal(Seal(point, box, proof), opening)


def _statement(keys: PublicKeys, box: bytes) -> tuple[bytes, bytes]:
    return (keys.joint, box)


def read_seal(context: Context, keys: PublicKeys, data: object, room: int = ROOM) -> Seal:
    """Read a received seal, and check its proof; raise `Cheat`, naming `context.party`, if it is wrong."""
    size = room + OVERHEAD
    reader = FieldReader(context, data, POINT_SIZE + size + PROOF_SIZE, Item.SEAL)
    sealed = Seal(reader.point(), reader.raw(size), Proof.read(reader))
    check_knowledge(context, Item.SEAL, sealed.point, sealed.proof, *_statement(keys, sealed.box))
    return sealed


def read_opening(context: Context, keys: PublicKeys, sealed: Seal, data: object) -> bytes:
    """Return the value of a seal that its author opened.

    Raise `Cheat`, which names the author, if the opening does not fit the seal.
    """
    opening = FieldReader(context, data, len(sealed.box), Item.OPENING).raw(len(sealed.box))
    value, nonce = value_in(opening), opening[-NONCE_SIZE:]
    exponent = _exponent(context, keys, value, nonce)
    honest = opening_of(value, nonce, len(opening) - OVERHEAD)
    shared = context.group.multiply(exponent, keys.joint)
    if (
        opening != honest
        or context.group.multiply_base(exponent) != sealed.point
        or _masked(context, keys, sealed.point, shared, honest) != sealed.box
    ):
        raise Cheat(context.party, Offence.WRONG_OPENING)
    return value


def force(context: Context, keys: PublicKeys, sealed: Seal, opened: bytes) -> bytes:
    """Return the value of a seal that t parties opened by force; `opened` is x·R, from `shares.combine`.

    Raise `Cheat`, which names the author, if nobody could open the seal; the author then forfeits.
    """
    return read_opening(context, keys, sealed, _masked(context, keys, sealed.point, opened, sealed.box))


def _exponent(context: Context, keys: PublicKeys, value: bytes, nonce: bytes) -> int:
    return HS(context.group, b"seal exponent", context.encoded, keys.joint, value, nonce)


def _masked(context: Context, keys: PublicKeys, point: bytes, shared: bytes, data: bytes) -> bytes:
    known = H(b"seal key", context.encoded, keys.joint, point, shared)
    blocks = range(-(-len(data) // DIGEST_SIZE))
    stream = b"".join(H(b"seal stream", known, number) for number in blocks)
    return bytes(one ^ other for one, other in zip(data, stream, strict=False))
