"""Public-key encryption to one party in a public log, with a proof of the plaintext for disputes.

Party j has the mailbox key E_j = e_j·G from its dealing. A box for j is K = k·G, a Schnorr proof of k, and
the bytes, encrypted under a key from k·E_j = e_j·K; it has 112 bytes more than the plaintext. All parties
check the proof. Without it, a box could contain somebody else's K and trick j into showing e_j·K in a
dispute.

If j says that the content of a box is invalid, it shows e_j·K with a proof of correctness (96 bytes).
Everybody opens the box with it, and sees whether the sender or j lied. No other box for j is revealed by
this.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata_protocol import aead
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.errors import Cheat
from tavolata_protocol.fair.group import POINT_SIZE
from tavolata_protocol.fair.hashing import H
from tavolata_protocol.fair.logs import (
    PROOF_SIZE,
    Proof,
    check_equality,
    check_knowledge,
    prove_equality,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

OVERHEAD = POINT_SIZE + PROOF_SIZE + aead.TAG_SIZE
HASH_SIZE = 32
_NONCE = bytes(12)  # each key is used only once


@dataclass(frozen=True, slots=True)
class Box:
    """A box for party j, the `receiver`; the proof of its sender is checked.

    `point` is K, `mailbox` E_j. A complaint names the box by the hash of the whole of it, 32 bytes.
    """

    point: bytes
    sealed: bytes
    receiver: int
    mailbox: bytes
    hash: bytes


def seal(context: Context, receiver: int, mailbox: bytes, plain: bytes, secrets: Secrets) -> bytes:
    """Encrypt bytes to one party; return the box as it is sent. `context.party` is this party."""
    group = context.group
    (exponent,) = secrets.nonces(context, 1, "box", receiver, mailbox, plain)
    point = group.multiply_base(exponent)
    key = _key(context, receiver, mailbox, point, group.multiply(exponent, mailbox))
    sealed = aead.seal(key, _NONCE, plain, b"")
    proof = prove_knowledge(context, Item.BOX, exponent, secrets, *_statement(receiver, mailbox, sealed))
    return point + proof.encoded + sealed


def _statement(receiver: int, mailbox: bytes, sealed: bytes) -> tuple[int, bytes, bytes]:
    return (receiver, mailbox, sealed)


def read_box(context: Context, receiver: int, mailbox: bytes, data: object, size: int) -> Box:
    """Read a received box, and check everything that any party can check; `Cheat` names the sender.

    `context` is the sender's; `size` is that of the plaintext in bytes.
    """
    reader = FieldReader(context, data, OVERHEAD + size, Item.BOX)
    point, proof = reader.point(), Proof.read(reader)
    sealed = reader.raw(size + aead.TAG_SIZE)
    check_knowledge(context, Item.BOX, point, proof, *_statement(receiver, mailbox, sealed))
    assert isinstance(data, bytes)
    return Box(point, sealed, receiver, mailbox, H(b"box", data)[:HASH_SIZE])


def open_box(context: Context, box: Box, mailbox_secret: int) -> bytes:
    """Decrypt a box from `read_box` for this party, with e_j; `context` is the sender's.

    Raise `Cheat`, which names the sender, if the box can't be opened; `reveal` shows that to everybody.
    """
    return _opened(context, box, context.group.multiply(mailbox_secret, box.point))


def reveal(context: Context, box: Box, mailbox_secret: int, secrets: Secrets) -> bytes:
    """Show the content of a box for this party to everybody: e_j·K and a proof of correctness, 96 bytes.

    `context` is that of the dispute; `context.party` is this party, the receiver.
    """
    shared = context.group.multiply(mailbox_secret, box.point)
    proof = prove_equality(
        context, Item.OPENED_BOX, mailbox_secret, box.mailbox, [box.point], [shared], secrets
    )
    return shared + proof.encoded


def judge(context: Context, accuser: Context, box: Box, data: object) -> bytes:
    """Return the content of a box that its receiver showed to all; judge it as if it was sent in clear.

    `context` is that of the box's sender, `accuser` that of the dispute; `data` is from `reveal`. `Cheat`
    names the receiver if it did not open this box, or the sender if the box can't be opened.
    """
    reader = FieldReader(accuser, data, POINT_SIZE + PROOF_SIZE, Item.OPENED_BOX)
    shared, proof = reader.point(), Proof.read(reader)
    check_equality(accuser, Item.OPENED_BOX, box.mailbox, [box.point], [shared], proof)
    return _opened(context, box, shared)


def _key(context: Context, receiver: int, mailbox: bytes, point: bytes, shared: bytes) -> bytes:
    return H(b"box key", context.encoded, receiver, mailbox, point, shared)[:32]


def _opened(context: Context, box: Box, shared: bytes) -> bytes:
    plain = aead.unseal(_key(context, box.receiver, box.mailbox, box.point, shared), _NONCE, box.sealed, b"")
    if plain is None:
        raise Cheat(context.party, Offence.UNOPENABLE_BOX)
    return plain
