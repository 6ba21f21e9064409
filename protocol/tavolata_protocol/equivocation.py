"""Pledges: whoever orders a log signs what it made final, so that two stories of one orderer convict it.

A pledge says "entry `number` of this lineage is final, and the chain hash behind it is this one". What is
final never changes, so two pledges of one peer for one number that name two hashes prove that it lied, to
anybody and for ever; nobody else can make such a pair. Pure values and checks; when pledges are given and
compared stands in `grouplog/signed_commits.py`.
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
_MAX_STORIES = 2 * (shapes.MAX_SIGNED + 80)


@dataclass(frozen=True, slots=True)
class Pledge:
    """What one peer vouched for.

    Attributes:
        lineage: the lineage, 16 bytes.
        sequencer: who vouches, and ordered then.
        term: the term in which it ordered.
        number: the number of an entry that is final.
        chain: the chain hash behind that entry, 32 bytes.
        signed: the bytes under the signature, as made or as received.
        signature: 64 bytes.
    """

    lineage: bytes
    sequencer: PeerId
    term: int
    number: int
    chain: bytes
    signed: bytes
    signature: bytes


def vouch(signer: Signer, lineage: bytes, term: int, number: int, chain: bytes) -> Pledge:
    """Sign what is final."""
    signed = codec.encode(shapes.Head(lineage, signer.peer, term, number, chain))
    return Pledge(lineage, signer.peer, term, number, chain, signed, signer.sign(CONTEXT, signed))


def read_pledge(signed: bytes, signature: bytes) -> Pledge:
    """Decode a pledge; its signature is not looked at yet (see `is_genuine`).

    Raises:
        MalformedMessage: when the bytes are none.
    """
    head = codec.decode(signed, shapes.Head)
    return Pledge(head.lineage, PeerId(head.sequencer), head.term, head.number, head.chain, signed, signature)


def is_genuine(pledge: Pledge, verify: Verify) -> bool:
    """Whether the peer that it names signed exactly these bytes."""
    return verify(pledge.sequencer, CONTEXT, pledge.signed, pledge.signature)


@dataclass(frozen=True, slots=True)
class TwoStories:
    """Two pledges of one peer that can't both be true.

    Raises:
        MalformedMessage: they can, or are of two peers or lineages.
    """

    first: Pledge
    second: Pledge

    def __post_init__(self) -> None:
        one, other = self.first, self.second
        alike = (one.lineage, one.sequencer, one.number) == (other.lineage, other.sequencer, other.number)
        if not alike or one.chain == other.chain:
            raise MalformedMessage("These two pledges don't contradict each other.")

    @property
    def liar(self) -> PeerId:
        """Who told them."""
        return self.first.sequencer

    def is_genuine(self, verify: Verify) -> bool:
        """Whether the liar signed both."""
        return is_genuine(self.first, verify) and is_genuine(self.second, verify)

    def pack(self) -> bytes:
        """The proof as bytes: about 350, which need nothing else to be checked."""
        one, other = self.first, self.second
        return codec.encode(shapes.Stories(one.signed, one.signature, other.signed, other.signature))


def read_stories(data: bytes) -> TwoStories:
    """Decode a proof; its signatures are not looked at yet.

    Raises:
        MalformedMessage: when it is none.
    """
    shape = codec.decode(data, shapes.Stories, _MAX_STORIES)
    return TwoStories(
        read_pledge(shape.first, shape.first_signature), read_pledge(shape.second, shape.second_signature)
    )
