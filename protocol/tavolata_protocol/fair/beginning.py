"""The beginning of a match: each party says IN with a nonce and a mailbox, and the match's id follows.

No party chooses the id: it is hashed from the log up to START, the header, and the nonces of all parties. A
party that draws its nonce afresh never meets an id again, whatever all others do.

A mailbox is a key E = e·G, to which boxes for this party are sealed in this match and in no other. IN has
the point E and a Schnorr proof of e, 96 bytes, bound to (lineage, party, header hash, nonce).
"""

from __future__ import annotations

from collections.abc import Iterable

from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.encoding import FieldReader
from tavolata_protocol.fair.group import POINT_SIZE
from tavolata_protocol.fair.hashing import H
from tavolata_protocol.fair.logs import PROOF_SIZE, Proof, check_knowledge, prove_knowledge
from tavolata_protocol.fair.offences import Item
from tavolata_protocol.fair.seeds import Secrets

NONCE_SIZE = 32
ID_SIZE = 16
HEADER_HASH_SIZE = 32


def header_hash(header: bytes) -> bytes:
    """Return the hash of a header, 32 bytes, which IN names."""
    return H(b"header", header)[:HEADER_HASH_SIZE]


def match_id(table: bytes, chain: bytes, header: bytes, nonces: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the id of a match, 16 bytes, from the table's id and the chain hash of the log after START.

    `header` is as START has it; `nonces` has for each party, in the order of their numbers, its identity and
    its nonce.
    """
    said = tuple(party + nonce for party, nonce in nonces)
    return H(b"match", table, chain, header, said)[:ID_SIZE]


def mailbox_context(lineage: bytes, party: int) -> Context:
    """Return the context in which a party names its mailbox, before the match has an id."""
    return Context(b"", lineage, 0, "mailbox", 0, party)


def prove_mailbox(context: Context, secret: int, header: bytes, nonce: bytes, secrets: Secrets) -> bytes:
    """Return a party's mailbox with its proof, 96 bytes; `context` is `mailbox_context`'s, `secret` is e.

    `header` is the header's hash, `nonce` this party's.
    """
    proof = prove_knowledge(context, Item.MAILBOX, secret, secrets, header, nonce)
    return context.group.multiply_base(secret) + proof.encoded


def read_mailbox(context: Context, header: bytes, nonce: bytes, data: object) -> bytes:
    """Return the mailbox in a received IN.

    Raise `Cheat`, which names `context.party`, if it is no point of the group or the proof is wrong.
    """
    reader = FieldReader(context, data, POINT_SIZE + PROOF_SIZE, Item.MAILBOX)
    mailbox, proof = reader.point(), Proof.read(reader)
    check_knowledge(context, Item.MAILBOX, mailbox, proof, header, nonce)
    return mailbox
