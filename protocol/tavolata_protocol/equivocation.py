"""Equivocation of a leader, and the signed commits that prove it.

A signed commit says "entry `number` of this lineage is final, and the chain hash behind it is this one". A
final entry never changes. So two signed commits of one leader with the same number and different hashes prove
to anybody, for ever, that it showed two histories. Nobody else can make such a pair. This module has pure
values and checks. `grouplog/signed_commits.py` decides when commits are signed and compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tavolata_protocol import codec
from tavolata_protocol.entries import Signer, Verify
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import equivocation as shapes

CONTEXT: Final = b"tavolata pledge 1"
_MAX_PROOF = 2 * (shapes.MAX_SIGNED + 80)


class SignedCommit(shapes.Head, frozen=True):
    """One leader's signed statement that an entry is final: the head that it signed, and the signature.

    Attributes:
        lineage: the lineage, 16 bytes.
        leader: the peer that signs, which led then.
        term: the term in which it led.
        number: the number of an entry that is final.
        chain: the chain hash behind that entry, 32 bytes.
        signed: the bytes under the signature, as made or as received.
        signature: 64 bytes.
    """

    signed: bytes
    signature: bytes


def sign_commit(signer: Signer, lineage: bytes, term: int, number: int, chain: bytes) -> SignedCommit:
    """Sign that an entry is final."""
    signed = codec.encode(shapes.Head(lineage, signer.peer, term, number, chain))
    return read_signed_commit(signed, signer.sign(CONTEXT, signed))


def read_signed_commit(signed: bytes, signature: bytes) -> SignedCommit:
    """Decode a signed commit; its signature is not checked yet (see `is_genuine`).

    Raises:
        MalformedMessage: if the bytes are no signed commit.
    """
    head = codec.decode(signed, shapes.Head)
    return SignedCommit(head.lineage, head.leader, head.term, head.number, head.chain, signed, signature)


def is_genuine(commit: SignedCommit, verify: Verify) -> bool:
    """Whether the peer that it names signed exactly these bytes."""
    return verify(commit.leader, CONTEXT, commit.signed, commit.signature)


@dataclass(frozen=True, slots=True)
class Equivocation:
    """Two signed commits of one peer that can't both be true.

    Raises:
        MalformedMessage: both can be true, or they are of two peers or lineages.
    """

    first: SignedCommit
    second: SignedCommit

    def __post_init__(self) -> None:
        one, other = self.first, self.second
        alike = (one.lineage, one.leader, one.number) == (other.lineage, other.leader, other.number)
        if not alike or one.chain == other.chain:
            raise MalformedMessage("These two signed commits don't contradict each other.")

    @property
    def equivocator(self) -> PeerId:
        """The peer that signed both."""
        return self.first.leader

    def is_genuine(self, verify: Verify) -> bool:
        """Whether the equivocator signed both."""
        return is_genuine(self.first, verify) and is_genuine(self.second, verify)

    def pack(self) -> bytes:
        """The proof as bytes, about 350; checking them takes nothing else."""
        one, other = self.first, self.second
        return codec.encode(
            shapes.EquivocationProof(one.signed, one.signature, other.signed, other.signature)
        )


def read_equivocation(data: bytes) -> Equivocation:
    """Decode a proof; its signatures are not checked yet.

    Raises:
        MalformedMessage: if the bytes are no proof.
    """
    shape = codec.decode(data, shapes.EquivocationProof, _MAX_PROOF)
    return Equivocation(
        read_signed_commit(shape.first, shape.first_signature),
        read_signed_commit(shape.second, shape.second_signature),
    )
