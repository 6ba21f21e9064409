"""One honest message of every kind, how it is read, and where in it points and scalars are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from tavolata_protocol.fair import boxes, keys, mixing, seals, shares, shuffle
from tavolata_protocol.fair.chain import Chain
from tavolata_protocol.fair.deck import deck_bytes, read_deck
from tavolata_protocol.fair.shares import Openable

from .parties import parties, proven


@dataclass(frozen=True)
class Message:
    """A message of party 1.

    Attributes:
        data: its bytes.
        read: what its receivers do with it.
        layout: its parts in order: `p` a point, `s` a scalar, `.` 32 other bytes, `-` a rest.
        proven: whether any other bytes in it are refused too.
    """

    data: bytes
    read: Callable[[object], object]
    layout: str
    proven: bool = True

    def places(self, kind: str) -> list[int]:
        """Where the parts of a kind begin."""
        return [32 * at for at, part in enumerate(self.layout) if part == kind]


def sealed_box(sender: int, receiver: int) -> tuple[bytes, boxes.Box]:
    """A box of one party for another."""
    three = parties(3)
    context, mailbox = three.context("box", party=sender), three.public.mailboxes[receiver - 1]
    data = boxes.seal(context, receiver, mailbox, b"five!", three.secrets[sender - 1])
    return data, boxes.read_box(context, receiver, mailbox, data, 5)


@lru_cache(maxsize=1)
def messages() -> dict[str, Message]:
    """All of them, by name."""
    three = parties(3)
    public, context = three.public, three.context("anything")
    own, contexts = three.own[0], three.contexts
    dealt = Message(
        own.data,
        lambda data: keys.read_dealing(contexts[0], three.roster, own.commitment, data),
        "ppp" + "ss",
    )
    key_share = Message(
        own.share(2), lambda data: keys.read_share(contexts[0], three.dealings[0], 2, data), "s"
    )
    shuffling, joint, deck, shuffled, _, proof = proven(3)

    def read_proof(data: object) -> None:
        shuffle.verify(shuffling, joint, deck, shuffled, shuffle.read_proof(shuffling, data, 3))

    things = [Openable(card.a) for card in shuffled]
    opened = shares.make_shares(context, three.rings[0], things, three.secrets[0])
    choice = seals.seal(context, public, b"rock", three.secrets[0], room=30)
    seed = mixing.own_seed(context, 1, three.secrets[0])
    promised = mixing.own_commitment(context, three.secrets[0])
    box, _ = sealed_box(1, 2)
    _, got = sealed_box(2, 1)
    revealed = boxes.reveal(context, got, three.rings[0].mailbox_secret, three.secrets[0])
    chain = Chain(public, deck, "deck 9", [1, 2], own=1)
    own_deck, _ = chain.make_deck(three.secrets[0])
    return {
        "commitment of keys": Message(
            own.commitment, lambda data: keys.read_commitment(contexts[0], data), ".", proven=False
        ),
        "dealing": dealt,
        "share of a key": key_share,
        "deck": Message(
            deck_bytes(shuffled), lambda data: read_deck(context, data, 3), "p" * 6, proven=False
        ),
        "deck of a chain": Message(
            own_deck,
            lambda data: Chain(public, deck, "deck 9", [1, 2]).take_deck(1, 0, data),
            "." + "p" * 6,
            proven=False,
        ),
        "proof of a shuffle": Message(proof.encoded, read_proof, "p" * 6 + "s" * 11),
        "seed": Message(seed, lambda data: mixing.read_seed(context, promised, 1, data), "."),
        "shares": Message(
            opened.encoded, lambda data: shares.read_shares(context, public, things, data), "pppss"
        ),
        "seal": Message(
            choice.sealed.encoded, lambda data: seals.read_seal(context, public, data, room=30), "p..ss"
        ),
        "opening": Message(
            choice.opening,
            lambda data: seals.read_opening(context, public, choice.sealed, data),
            "..",
        ),
        "box": Message(
            box, lambda data: boxes.read_box(three.context("box"), 2, public.mailboxes[1], data, 5), "pss-"
        ),
        "opened box": Message(
            revealed,
            lambda data: boxes.judge(three.context("box", party=2), context, got, data),
            "pss",
        ),
    }
