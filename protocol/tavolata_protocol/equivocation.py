"""Equivocation: two signed statements of one peer that can't both be true, as a proof for anybody.

A signed commit says "entry `number` of this lineage is final, and the chain hash behind it is this one". A
final entry never changes. So two signed commits of one leader with the same number and different hashes prove
to anybody, for ever, that it showed two histories. Likewise two signed votes (`votes.py`) of one copy of the
log in one term prove that it voted twice. Nobody else can make such a pair. This module has pure values and
checks. `grouplog/signed_commits.py` and `grouplog/mandates.py` decide what is signed and compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from tavolata_protocol import codec
from tavolata_protocol.entries import Signer, Verify
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import equivocation as shapes
from tavolata_protocol.messages import votes
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import SignedVote, read_vote

CONTEXT: Final = b"tavolata pledge 1"
_MAX_PROOF = 2 * (votes.MAX_SIGNED + 80)


class SignedCommit(shapes.Head, frozen=True):
    """One leader's signed statement that an entry is final: the head that it signed, and the signature.

    The `leader` signs, and led in `term`; `number` is that of the final entry, `chain` the chain hash behind
    it, 32 bytes. `statement` has the bytes under the signature, as made or as received, and the signature.
    """

    statement: Statement

    def is_genuine(self, verify: Verify) -> bool:
        """Return True if the peer that it names signed exactly these bytes."""
        return verify(self.leader, CONTEXT, self.statement.signed, self.statement.signature)


def sign_commit(signer: Signer, lineage: bytes, term: int, number: int, chain: bytes) -> SignedCommit:
    """Sign that an entry is final."""
    signed = codec.encode(shapes.Head(lineage, signer.peer, term, number, chain))
    return read_signed_commit(Statement(signed, signer.sign(CONTEXT, signed)))


def read_signed_commit(statement: Statement) -> SignedCommit:
    """Decode a signed commit; its signature is not checked yet (see `is_genuine`).

    Raise `MalformedMessage` if the bytes aren't a signed commit.
    """
    head = codec.decode(statement.signed, shapes.Head)
    return SignedCommit(head.lineage, head.leader, head.term, head.number, head.chain, statement)


Testimony: TypeAlias = SignedCommit | SignedVote


@dataclass(frozen=True, slots=True)
class Equivocation:
    """Two signed commits, or two signed votes, of one peer that can't both be true.

    Raise `MalformedMessage` if both can be true, or they are of two peers or lineages.
    """

    first: Testimony
    second: Testimony

    def __post_init__(self) -> None:
        match self.first, self.second:
            case SignedCommit() as one, SignedCommit() as other:
                alike = (one.leader, one.number) == (other.leader, other.number)
                differ = one.chain != other.chain
            case SignedVote() as one, SignedVote() as other:
                alike = (one.voter, one.birth, one.term) == (other.voter, other.birth, other.term)
                differ = one.candidate != other.candidate
            case _:
                alike = differ = False
        if not (alike and differ and self.first.lineage == self.second.lineage):
            raise MalformedMessage("These two signed statements don't contradict each other.")

    @property
    def equivocator(self) -> PeerId:
        """The peer that signed both."""
        return self.first.voter if isinstance(self.first, SignedVote) else self.first.leader

    @property
    def is_of_votes(self) -> bool:
        """True if the peer voted twice; otherwise it signed two histories."""
        return isinstance(self.first, SignedVote)

    def is_genuine(self, verify: Verify) -> bool:
        """Return True if the equivocator signed both."""
        return self.first.is_genuine(verify) and self.second.is_genuine(verify)

    def pack(self) -> bytes:
        """Return the proof as bytes, about 400 at most; checking them takes nothing else."""
        one, other = self.first.statement, self.second.statement
        proof = shapes.EquivocationProof(one.signed, one.signature, other.signed, other.signature)
        return codec.encode(proof)


def read_equivocation(data: bytes) -> Equivocation:
    """Decode a proof, whose signatures are not checked yet; raise `MalformedMessage` if it isn't one."""
    shape = codec.decode(data, shapes.EquivocationProof, _MAX_PROOF)
    first = Statement(shape.first, shape.first_signature)
    second = Statement(shape.second, shape.second_signature)
    return Equivocation(_read(first), _read(second))


def _read(statement: Statement) -> Testimony:
    """Decode a signed commit, or else a vote; the two have different numbers of fields."""
    try:
        return read_signed_commit(statement)
    except MalformedMessage:
        return read_vote(statement)
