"""Sealed choices: nobody sees them before all are made, nobody changes them, nobody can refuse to open.

    r = HS(context, P, value, nonce)    R = r·G    box = (value, nonce) xor KDF(r·P, R, P, context)

with a Schnorr proof of r bound to (context, P, R, box), which stops copies: `room` + 130 bytes. A seal is
opened by showing value and nonce (`room` + 34 bytes), or by force: t shares give x·R = r·P. Either way r is
computed anew from what came out, and with it both R and the box, so that no seal opens in one way and not, or
otherwise, in the other. One that can't be opened by force is its author's forfeit.
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
    knowledge_challenge,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shares import Openable

ROOM = 94
"""How long a value may be, unless all agree on something else."""

_LENGTH_SIZE = 2
_NONCE_SIZE = 32


@dataclass(frozen=True, slots=True)
class Seal(Openable):
    """A sealed value, its proof checked; `point` is R.

    Attributes:
        box: the value and its nonce under R's key.
        proof: that the author knows r.
    """

    box: bytes
    proof: Proof

    @property
    def encoded(self) -> bytes:
        """`room` + 130 bytes."""
        return self.point + self.box + self.proof.encoded


@dataclass(frozen=True, slots=True)
class OwnSeal:
    """One's own sealed value.

    Attributes:
        sealed: to be sent.
        opening: to be sent when all have sealed; `room` + 34 bytes.
    """

    sealed: Seal
    opening: bytes = field(repr=False)


def seal(context: Context, keys: PublicKeys, value: bytes, secrets: Secrets, room: int = ROOM) -> OwnSeal:
    """Seal a value.

    Args:
        context: of the choice, `context.party` being oneself; the seat belongs into its object.
        keys: the epoch's.
        value: the choice as bytes.
        secrets: one's own; the same seed, context and value give the same opening.
        room: how long a value may be; the same for all.

    Raises:
        ValueError: when the value does not fit.
    """
    if len(value) > room:
        raise ValueError(f"A sealed value has room for {room} bytes, not {len(value)}.")
    nonce = secrets.derive(context, "seal", value)[:_NONCE_SIZE]
    opening = len(value).to_bytes(_LENGTH_SIZE, "little") + value.ljust(room, b"\0") + nonce
    exponent = _exponent(context, keys, value, nonce)
    point = context.group.multiply_base(exponent)
    box = _masked(context, keys, point, context.group.multiply(exponent, keys.joint), opening)
    proof = prove_knowledge(context, Item.SEAL, exponent, secrets, *_statement(keys, box))
    return OwnSeal(Seal(point, box, proof), opening)


def _statement(keys: PublicKeys, box: bytes) -> tuple[bytes, bytes]:
    return (keys.joint, box)


def seal_challenge(context: Context, keys: PublicKeys, point: bytes, box: bytes, announced: bytes) -> int:
    """The transcript of the proof in a seal."""
    return knowledge_challenge(context, Item.SEAL.encode(), point, announced, *_statement(keys, box))


def read_seal(context: Context, keys: PublicKeys, data: object, room: int = ROOM) -> Seal:
    """A seal as it arrived, its proof checked.

    Raises:
        Cheat: naming `context.party`.
    """
    size = _LENGTH_SIZE + room + _NONCE_SIZE
    reader = FieldReader(context, data, POINT_SIZE + size + PROOF_SIZE, Item.SEAL)
    sealed = Seal(reader.point(), reader.raw(size), Proof.read(reader))
    check_knowledge(context, Item.SEAL, sealed.point, sealed.proof, *_statement(keys, sealed.box))
    return sealed


def read_opening(context: Context, keys: PublicKeys, sealed: Seal, data: object) -> bytes:
    """The value of a seal that its author opens.

    Raises:
        Cheat: naming the author, when this is not what was sealed.
    """
    opening = FieldReader(context, data, len(sealed.box), Item.OPENING).raw(len(sealed.box))
    length = int.from_bytes(opening[:_LENGTH_SIZE], "little")
    value, nonce = opening[_LENGTH_SIZE : _LENGTH_SIZE + length], opening[-_NONCE_SIZE:]
    exponent = _exponent(context, keys, value, nonce)
    padded = value.ljust(len(opening) - _LENGTH_SIZE - _NONCE_SIZE, b"\0")
    honest = length.to_bytes(_LENGTH_SIZE, "little") + padded + nonce
    shared = context.group.multiply(exponent, keys.joint)
    if (
        opening != honest
        or context.group.multiply_base(exponent) != sealed.point
        or _masked(context, keys, sealed.point, shared, honest) != sealed.box
    ):
        raise Cheat(context.party, Offence.WRONG_OPENING)
    return value


def force(context: Context, keys: PublicKeys, sealed: Seal, opened: bytes) -> bytes:
    """The value of a seal that t parties open.

    Args:
        context: of its author.
        keys: the epoch's.
        sealed: what to open.
        opened: x·R, from `shares.combine`.

    Raises:
        Cheat: naming the author, when the seal could not be opened by anybody. It is the author's forfeit.
    """
    return read_opening(context, keys, sealed, _masked(context, keys, sealed.point, opened, sealed.box))


def _exponent(context: Context, keys: PublicKeys, value: bytes, nonce: bytes) -> int:
    return HS(context.group, b"seal exponent", context.encoded, keys.joint, value, nonce)


def _masked(context: Context, keys: PublicKeys, point: bytes, shared: bytes, data: bytes) -> bytes:
    known = H(b"seal key", context.encoded, keys.joint, point, shared)
    blocks = range(-(-len(data) // DIGEST_SIZE))
    stream = b"".join(H(b"seal stream", known, number) for number in blocks)
    return bytes(one ^ other for one, other in zip(data, stream, strict=False))
