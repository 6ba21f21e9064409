"""Votes and leadership transfers, signed by who gives them.

A vote says "this copy of the log votes for that candidate in this term". A majority of them proves to anybody
who was elected. One copy votes once in a term, so two votes of one copy for two candidates prove that it
voted twice. A transfer is the one way to elect another leader while the present one is heard, and only that
leader can sign it. This module has pure values and checks; `grouplog/elections.py` and `grouplog/mandates.py`
say when they are made and compared.
"""

from __future__ import annotations

from typing import Final

from tavolata_protocol import codec
from tavolata_protocol.entries import Signer, Verify
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import votes as shapes
from tavolata_protocol.messages.votes import Statement

VOTE_CONTEXT: Final = b"tavolata vote 1"
TRANSFER_CONTEXT: Final = b"tavolata transfer 1"


class SignedVote(shapes.VoteHead, frozen=True):
    """One copy's vote in one term.

    `birth` marks its copy of the log; a peer that lost its copy has another one. A candidate's request is its
    vote for itself. `last_term` and `last_number` are the end of the candidate's log. `statement` has the
    bytes under the signature, as made or as received, and the signature.
    """

    statement: Statement

    def is_genuine(self, verify: Verify) -> bool:
        """Return True if the voter signed exactly these bytes."""
        return verify(self.voter, VOTE_CONTEXT, self.statement.signed, self.statement.signature)


class SignedTransfer(shapes.TransferHead, frozen=True):
    """A leader's word that one voter may stand in the next term although the leader is heard.

    It leads in `term`, and `heir` may stand for election. `statement` has the signed bytes, as made or as
    received, and the signature.
    """

    statement: Statement

    def is_genuine(self, verify: Verify) -> bool:
        """Return True if that leader signed exactly these bytes."""
        return verify(self.leader, TRANSFER_CONTEXT, self.statement.signed, self.statement.signature)


def sign_vote(
    signer: Signer, lineage: bytes, birth: bytes, term: int, candidate: PeerId, last: tuple[int, int]
) -> SignedVote:
    """Vote for a candidate whose log ends with `last`, as (term, number)."""
    signed = codec.encode(shapes.VoteHead(lineage, signer.peer, birth, term, candidate, *last))
    return read_vote(Statement(signed, signer.sign(VOTE_CONTEXT, signed)))


def read_vote(statement: Statement) -> SignedVote:
    """Decode a vote, whose signature is not checked yet; raise `MalformedMessage` if it isn't one."""
    head = codec.decode(statement.signed, shapes.VoteHead)
    return SignedVote(
        head.lineage, head.voter, head.birth, head.term, head.candidate, head.last_term, head.last_number,
        statement,
    )  # fmt: skip


def sign_transfer(signer: Signer, lineage: bytes, term: int, heir: PeerId) -> SignedTransfer:
    """Hand the leadership of a term over."""
    signed = codec.encode(shapes.TransferHead(lineage, signer.peer, term, heir))
    return read_transfer(Statement(signed, signer.sign(TRANSFER_CONTEXT, signed)))


def read_transfer(statement: Statement) -> SignedTransfer:
    """Decode a transfer, whose signature is not checked yet; raise `MalformedMessage` if it isn't one."""
    head = codec.decode(statement.signed, shapes.TransferHead)
    return SignedTransfer(head.lineage, head.leader, head.term, head.heir, statement)
