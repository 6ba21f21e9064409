"""Test vectors of fair dealing: every tag of a hash, and every message, from fixed inputs.

`docs/fair-dealing-wire.md` says how each is made; `tools/second-opinion` makes them anew from that page.
"""

from __future__ import annotations

from dataclasses import replace
from hashlib import blake2b
from itertools import islice
from typing import Any

import msgpack

from tavolata_protocol.fair import beginning, boxes, dice, hashing, keys, mixing, seals, shares
from tavolata_protocol.fair.context import Context
from tavolata_protocol.fair.deck import Faces, deck_bytes
from tavolata_protocol.fair.group import ED25519, TORSION
from tavolata_protocol.fair.seeds import Secrets
from tavolata_protocol.fair.shuffle import prove, shuffle

MATCH, LINEAGE, TABLE = b"a match, 16 byte", b"its own lineage.", b"a table"
CHAIN = b"the chain after the START entry."
IDS = (b"A" * 32, b"B" * 32, b"C" * 32)
HEADER = b"\x80"


def _steady(party: int) -> Secrets:
    return Secrets(bytes([party]) * 32, bytes)


def fair() -> dict[str, Any]:
    """Hashes, the beginning of a match, keys, boxes, shares, a die, a seal and a shuffle."""
    roster = keys.Roster(IDS, 2, CHAIN)
    contexts = [Context(MATCH, LINEAGE, 1, "keys", 0, party) for party in (1, 2, 3)]
    own = [keys.deal(context, roster, _steady(context.party)) for context in contexts]
    dealings = [
        keys.read_dealing(context, roster, one.commitment, one.data)
        for context, one in zip(contexts, own, strict=True)
    ]
    public = keys.assemble(contexts[0], roster, dealings)
    got = [[int.from_bytes(one.share(party), "little") for one in own] for party in (1, 2, 3)]
    rings = [keys.complete(public, party, got[party - 1], own[party - 1]) for party in (1, 2, 3)]
    return {
        "hashing": _hashing(contexts[1]),
        "beginning": _beginning(),
        "keys": {
            "match": MATCH.hex(), "lineage": LINEAGE.hex(), "epoch": 1, "ids": [one.hex() for one in IDS],
            "threshold": 2, "origin": CHAIN.hex(), "roster": roster.encoded.hex(),
            "commitments": [one.commitment.hex() for one in own], "dealings": [one.data.hex() for one in own],
            "joint": public.joint.hex(), "shares": [one.hex() for one in public.shares],
            "transcript": public.transcript.hex(), "secret_shares": [hex(ring.share) for ring in rings],
        },
        "box": _box(own),
        "sealed": _sealed(),
        "die": _die(public, rings),
        "shaken": _shaken(public, rings),
        "judged": _judged(public, rings),
        "seal": _seal(public, rings),
        "shuffle": _shuffle(public),
        "task": _task(),
        "refused": _refused(own, dealings),
    }  # fmt: skip


def _hashing(context: Context) -> dict[str, Any]:
    stream = hashing.numbers(b"tag", b"field")
    return {
        "frame": hashing.frame(b"bytes", 258, (b"a", b"", b"list")).hex(),
        "H": hashing.H(b"tag", b"bytes", 258, (b"a", b"", b"list")).hex(),
        "HS": hex(hashing.HS(ED25519, b"tag", b"bytes")),
        "HG": hashing.HG(ED25519, b"tag", b"bytes").hex(),
        "scalars": [hex(one) for one in hashing.scalars(ED25519, 3, b"tag", b"field")],
        "numbers": [hex(one) for one in islice(stream, 10)],
        "below 6": [hashing.below(6, stream) for _ in range(10)],
        "permutation of 9": hashing.permutation(9, hashing.numbers(b"tag", b"order")),
        "generators": [one.hex() for one in hashing.generators(ED25519, 2)],
        "context": context.encoded.hex(),
        "faces": [one.hex() for one in Faces(b"deck", 3).points],
    }


def _beginning() -> dict[str, Any]:
    named = beginning.header_hash(HEADER)
    context = beginning.mailbox_context(LINEAGE, 2)
    mailbox = beginning.prove_mailbox(context, 77, named, b"n" * 32, _steady(2))
    nonces = [(IDS[0], b"m" * 32), (IDS[1], b"n" * 32)]
    return {
        "table": TABLE.hex(), "chain": CHAIN.hex(), "header": HEADER.hex(), "header_hash": named.hex(),
        "lineage": LINEAGE.hex(), "party": 2, "nonce": (b"n" * 32).hex(), "mailbox": mailbox.hex(),
        "nonces": [[peer.hex(), nonce.hex()] for peer, nonce in nonces],
        "id": beginning.match_id(TABLE, CHAIN, HEADER, nonces).hex(),
    }  # fmt: skip


def _box(own: list[keys.OwnDealing]) -> dict[str, Any]:
    """The key share of party 1 for party 2, and what party 2 shows in a dispute."""
    context = Context(MATCH, LINEAGE, 1, "key shares", 0, 1)
    mailbox = ED25519.multiply_base(own[1].mailbox_secret)
    data = boxes.seal(context, 2, mailbox, own[0].share(2), _steady(1))
    box = boxes.read_box(context, 2, mailbox, data, keys.SHARE_SIZE)
    accuser = Context(MATCH, LINEAGE, 1, "keys", 0, 2)
    return {
        "sender": 1, "receiver": 2, "mailbox": mailbox.hex(), "mailbox_secret": hex(own[1].mailbox_secret),
        "box": data.hex(), "hash": box.hash.hex(), "plain": own[0].share(2).hex(),
        "evidence": boxes.reveal(accuser, box, own[1].mailbox_secret, _steady(2)).hex(),
    }  # fmt: skip


def _sealed() -> dict[str, Any]:
    """What party 1 seals to the mailbox of party 2: a face, the copy of an answer, and words."""
    mailbox, words = ED25519.multiply_base(77), b"psst"
    opening = seals.opening_of(b"\x05", b"n" * 32, 222)
    contents = {
        "face": (9, b"".join(number.to_bytes(8, "little") for number in (9, 1, 17, 5))),
        "answer": (7, b"\1" + (1).to_bytes(2, "little") + (7).to_bytes(8, "little") + opening),
        "words": (1, (len(words).to_bytes(2, "little") + words).ljust(64, b"\0")),
    }
    return {
        "sender": 1, "receiver": 2, "mailbox_secret": hex(77),
        "boxes": {
            what: {
                "number": number, "plain": data.hex(),
                "box": boxes.seal(
                    Context(MATCH, LINEAGE, 0, what, number, 1), 2, mailbox, data, _steady(1)
                ).hex(),
            }
            for what, (number, data) in contents.items()
        },
    }  # fmt: skip


def _die(public: keys.PublicKeys, rings: list[keys.KeyRing]) -> dict[str, Any]:
    contexts = [public.context("lot", 4, party) for party in (1, 2, 3)]
    die = dice.point(contexts[0])
    given = [
        shares.make_shares(context, ring, [die], _steady(ring.party))
        for context, ring in zip(contexts, rings, strict=True)
    ]
    (opened,) = shares.combine(public, {1: given[0], 3: given[2]})
    return {
        "number": 4, "point": die.point.hex(), "shares": [one.encoded.hex() for one in given],
        "opened": opened.hex(), "of 20": dice.value(contexts[0], opened, 20),
    }  # fmt: skip


def _shaken(public: keys.PublicKeys, rings: list[keys.KeyRing]) -> dict[str, Any]:
    """A hidden die, the third of the fourth shake, which two parties open for all."""
    context = public.context("shake 3", 2, 0)
    die = dice.point(context)
    given = {
        ring.party: shares.make_shares(
            public.context("all see die 2 of shake 3", 0, ring.party), ring, [die], _steady(ring.party)
        )
        for ring in rings[:2]
    }
    (opened,) = shares.combine(public, given)
    return {
        "shake": 3, "place": 2, "point": die.point.hex(),
        "shares": [one.encoded.hex() for one in given.values()],
        "opened": opened.hex(), "of 6": dice.value(context, opened, 6),
    }  # fmt: skip


def _judged(public: keys.PublicKeys, rings: list[keys.KeyRing]) -> dict[str, Any]:
    """Two dice of earlier shakes, which two parties open together to judge what was said of them."""
    thrown = [(1, 0), (2, 3)]
    points = [dice.point(public.context(f"shake {shake}", place, 0)) for shake, place in thrown]
    names = ", ".join(f"die {place} of shake {shake}" for shake, place in thrown)
    given = {
        ring.party: shares.make_shares(
            public.context(f"to judge {names}", 0, ring.party), ring, points, _steady(ring.party)
        )
        for ring in rings[:2]
    }
    return {
        "dice": [list(one) for one in thrown],
        "shares": [one.encoded.hex() for one in given.values()],
        "opened": [one.hex() for one in shares.combine(public, given)],
    }


def _seal(public: keys.PublicKeys, rings: list[keys.KeyRing]) -> dict[str, Any]:
    context = public.context("seal of seat 1", 12, 2)
    own = seals.seal(context, public, b"\x05", _steady(2), 222)
    forced = [shares.own_shares(ring, [own.sealed]) for ring in rings]
    (opened,) = shares.combine(public, {1: forced[0], 2: forced[1]})
    return {
        "object": context.object, "number": 12, "party": 2, "room": 222, "value": "05",
        "seal": own.sealed.encoded.hex(), "opening": own.opening.hex(), "opened": opened.hex(),
    }  # fmt: skip


def _shuffle(public: keys.PublicKeys) -> dict[str, Any]:
    context = public.context("pile 1", 0, 2)
    faces = Faces(b"deck", 3)
    deck = tuple(faces.known(number, public.joint) for number in range(3))
    shuffled, witness = shuffle(context, public.joint, deck, _steady(2))
    proof = prove(context, public.joint, deck, shuffled, witness, _steady(2))
    seeds = [mixing.own_seed(context, draw, _steady(2)) for draw in range(2)]
    return {
        "object": "pile 1", "round": 0, "party": 2, "deck": deck_bytes(deck).hex(),
        "shuffled": deck_bytes(shuffled).hex(), "proof": proof.encoded.hex(),
        "seeds": [seed.hex() for seed in seeds],
        "commitment": mixing.own_commitment(context, _steady(2)).hex(),
        "orders": [mixing.order(context, draw, {2: seed}, 3) for draw, seed in enumerate(seeds)],
    }  # fmt: skip


def _task() -> dict[str, Any]:
    """The number by which a vote names a task: a share of lot 7 under keys 2."""
    packed = msgpack.packb([10, 2, [7]])
    digest = blake2b(packed, digest_size=7, person=b"tavolata task").digest()
    return {"step": 10, "of": 2, "rest": [7], "number": hex(int.from_bytes(digest, "little"))}


def _refused(own: list[keys.OwnDealing], dealings: list[keys.KeyDealing]) -> dict[str, Any]:
    """What every reader refuses: points and scalars in any slot, and a dealing bound to something else."""
    order = ED25519.order
    other = replace(keys.Roster(IDS, 2, CHAIN), origin=b"another entry of the log, 32 byt")
    context = Context(MATCH, LINEAGE, 1, "keys", 0, 1)
    return {
        "points": [
            ED25519.identity.hex(), bytes(32).hex(), (b"\xff" * 32).hex(),
            *[one.hex() for one in TORSION.values()],
            ED25519.add(dealings[0].mailbox, TORSION[2]).hex(),
            (2**255 - 19 + 3).to_bytes(32, "little").hex(),
        ],
        "scalars": [number.to_bytes(32, "little").hex() for number in (0, order, order + 1, 2**256 - 1)],
        "dealing of another origin": {
            "origin": other.origin.hex(), "commitment": keys.commit(context, other, own[0].data).hex(),
            "dealing": own[0].data.hex(),
        },
        "share of another party": {"number": 4, "party": 2, "made by": 1},
        "in another context": {
            "mailbox": {"party": 1}, "mailbox of another nonce": {"nonce": (b"m" * 32).hex()},
            "box": {"receiver": 3}, "evidence": {"party": 3}, "die": {"number": 5}, "seal": {"party": 1},
            "opening": {"party": 1}, "shuffle": {"round": 1}, "seed": {"round": 1},
        },
    }  # fmt: skip
