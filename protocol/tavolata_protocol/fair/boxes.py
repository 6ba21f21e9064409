"""Bytes for one party alone, in a log that all can read; and how to prove to all what was in them.

A box for party j, with mailbox key E_j = e_j·G from its dealing, is K = k·G, a Schnorr proof of k, and the
bytes encrypted under a key from k·E_j = e_j·K: 112 bytes more than they have. The proof, which all check,
stops boxes with somebody else's K, which would trick j into showing e_j·K in a dispute.

When j says that a box holds junk, it shows e_j·K with a proof that this is right (96 bytes). All open the box
with it, and see whether its sender or j is a liar. Nothing else that was ever sealed to j becomes known.
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
    knowledge_challenge,
    prove_equality,
    prove_knowledge,
)
from tavolata_protocol.fair.offences import Item, Offence
from tavolata_protocol.fair.seeds import Secrets

OVERHEAD = POINT_SIZE + PROOF_SIZE + aead.TAG_SIZE
_NONCE = bytes(12)  # each key serves once


@dataclass(frozen=True, slots=True)
class Box:
    """Bytes for one party, the proof of whose sender was checked.

    Attributes:
        point: K.
        sealed: the encrypted bytes.
        receiver: j.
        mailbox: E_j.
    """

    point: bytes
    sealed: bytes
    receiver: int
    mailbox: bytes


def seal(context: Context, receiver: int, mailbox: bytes, plain: bytes, secrets: Secrets) -> bytes:
    """A box as it is sent.

    Args:
        context: `context.party` being oneself.
        receiver: the party that it is for.
        mailbox: its E_j.
        plain: what to seal.
        secrets: one's own.
    """
    group = context.group
    (exponent,) = secrets.nonces(context, 1, "box", receiver, mailbox, plain)
    point = group.multiply_base(exponent)
    key = _key(context, receiver, mailbox, point, group.multiply(exponent, mailbox))
    sealed = aead.seal(key, _NONCE, plain, b"")
    proof = prove_knowledge(context, Item.BOX, exponent, secrets, *_statement(receiver, mailbox, sealed))
    return point + proof.encoded + sealed


def _statement(receiver: int, mailbox: bytes, sealed: bytes) -> tuple[int, bytes, bytes]:
    return (receiver, mailbox, sealed)


def box_challenge(
    context: Context, receiver: int, mailbox: bytes, point: bytes, sealed: bytes, announced: bytes
) -> int:
    """The transcript of the proof in a box."""
    return knowledge_challenge(
        context, Item.BOX.encode(), point, announced, *_statement(receiver, mailbox, sealed)
    )


def read_box(context: Context, receiver: int, mailbox: bytes, data: object, size: int) -> Box:
    """A box as it arrived, checked as far as all can check it.

    Args:
        context: of its sender.
        receiver: the party that it is for.
        mailbox: its E_j.
        data: what arrived.
        size: how many bytes are in it.

    Raises:
        Cheat: naming the sender.
    """
    reader = FieldReader(context, data, OVERHEAD + size, Item.BOX)
    point, proof = reader.point(), Proof.read(reader)
    sealed = reader.raw(size + aead.TAG_SIZE)
    check_knowledge(context, Item.BOX, point, proof, *_statement(receiver, mailbox, sealed))
    return Box(point, sealed, receiver, mailbox)


def open_box(context: Context, box: Box, mailbox_secret: int) -> bytes:
    """What is in a box for oneself.

    Args:
        context: of its sender.
        box: from `read_box`.
        mailbox_secret: e_j.

    Raises:
        Cheat: naming the sender, when it can't be opened: `reveal` shows that to all.
    """
    return _opened(context, box, context.group.multiply(mailbox_secret, box.point))


def reveal(context: Context, box: Box, mailbox_secret: int, secrets: Secrets) -> bytes:
    """Open a box for oneself to all, 96 bytes: e_j·K, and a proof that it is right.

    Args:
        context: of the dispute, `context.party` being oneself, the receiver.
        box: from `read_box`.
        mailbox_secret: e_j.
        secrets: one's own.
    """
    shared = context.group.multiply(mailbox_secret, box.point)
    proof = prove_equality(
        context, Item.OPENED_BOX, mailbox_secret, box.mailbox, [box.point], [shared], secrets
    )
    return shared + proof.encoded


def judge(context: Context, accuser: Context, box: Box, data: object) -> bytes:
    """What was in a box that its receiver opened to all; judge that as if it had been sent in clear.

    Args:
        context: of the box's sender.
        accuser: of the dispute, `accuser.party` being the receiver.
        box: the box in dispute.
        data: what `reveal` gave.

    Raises:
        Cheat: naming the receiver when it did not open this box; the sender when the box can't be opened.
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
