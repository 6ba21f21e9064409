"""Anything as bytes to every decoder: what comes out is a message or a typed error, and nothing else."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgpack

from tavolata_protocol import beacons, codec
from tavolata_protocol.entries import read_entry, read_proposal
from tavolata_protocol.equivocation import read_equivocation
from tavolata_protocol.errors import RemoteError
from tavolata_protocol.grouplog.snapshots import read_snapshot
from tavolata_protocol.handshake import answered_hello
from tavolata_protocol.messages import handshake, log, session
from tavolata_protocol.messages.packets import parse_header
from tavolata_protocol.messages.votes import Statement
from tavolata_protocol.votes import read_transfer, read_vote

DECODERS: tuple[Callable[[bytes], object], ...] = (
    parse_header,
    log.decode,
    read_snapshot,
    answered_hello,
    lambda data: read_entry(data, bytes(32)),
    lambda data: read_proposal(data, bytes(64)),
    lambda data: read_vote(Statement(data, bytes(64))),
    lambda data: read_transfer(Statement(data, bytes(64))),
    read_equivocation,
    lambda data: beacons.read_answer(b"tavolata/1 " + data, bytes(8)),
    codec.reader(session.Packet),
    *(
        (lambda data, kind=kind: codec.decode(data, kind))
        for kind in (
            handshake.Hello,
            handshake.Retry,
            handshake.Init,
            handshake.Resp,
            handshake.Fin,
            handshake.Refuse,
            handshake.InitiatorProof,
            handshake.Welcome,
        )
    ),
)


def decode_all(data: bytes) -> None:
    """Every decoder gets these bytes; anything but a message or a `RemoteError` comes out."""
    for decode in DECODERS:
        try:
            decode(data)
        except RemoteError:
            continue


def decode_anything(cases: int, seed: int = 0) -> None:
    """So many cases from a seed: noise, nests, and messages that were spoilt in one place."""
    chance = random.Random(seed)
    for number in range(cases):
        decode_all(_case(chance, number))


def _case(chance: random.Random, number: int) -> bytes:
    kind = number % 4
    if kind == 0:
        return chance.randbytes(chance.choice((0, 1, 2, 5, 14, 40, 200, 1200, 1300)))
    if kind == 1:
        depth = chance.choice((1, 8, 64, 600, 1100))
        return chance.choice((b"\x91", b"\x81", b"\xdc\x00\x01")) * depth
    made = bytearray(msgpack.packb(_value(chance, 4)))
    if kind == 3 and made:
        made[chance.randrange(len(made))] = chance.randrange(256)
        made = made[: chance.randrange(len(made) + 1)] if chance.random() < 0.3 else made
    return bytes(made)


def _value(chance: random.Random, depth: int) -> object:
    kind = chance.randrange(9 if depth else 6)
    simple: tuple[object, ...] = (
        None,
        chance.random() < 0.5,
        chance.choice((0, 1, -1, 255, 2**32, 2**62, 2**63, 2**64 - 1, -(2**63))),
        chance.choice((0.0, -1.5, float("nan"), float("inf"))),
        chance.randbytes(chance.choice((0, 8, 16, 32, 64, 65, 300))),
        chance.choice(("", "word", "\ud7ff" * 9, "x" * 300)),
    )
    if kind < len(simple):
        return simple[kind]
    size = chance.choice((0, 1, 3, 7, 13, 70))
    if kind == 6:
        return {str(number): _value(chance, depth - 1) for number in range(min(size, 5))}
    tag = [chance.randrange(23)] if kind == 7 else []
    return tag + [_value(chance, depth - 1) for _ in range(size)]
