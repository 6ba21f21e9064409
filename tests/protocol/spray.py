"""A process that throws garbage and forged packets at a port of this machine.

    python -m tests.protocol.spray PORT ID...    for sessions with these connection ids

It says `begun`, goes on until it is told something, and then says how many datagrams a second it sent.
"""

from __future__ import annotations

import random
import socket
import sys
import threading
import time

from tavolata_protocol import codec
from tavolata_protocol.messages import handshake
from tavolata_protocol.messages.packets import MAX_DATAGRAM, PacketKind, pack_header

A_SECOND = 30_000
"""Datagrams: two thirds of them garbage, one third forged."""


def spray(port: int, ids: list[int]) -> None:
    """Throw as many datagrams as are said to come, until there is a line to read."""
    chance = random.Random(4)
    forgeries = [forged(chance, ids) for _ in range(200)]
    garbage = [chance.randbytes(chance.choice((0, 1, 14, 30, 200, MAX_DATAGRAM))) for _ in range(200)]
    told = threading.Thread(target=sys.stdin.readline, daemon=True)
    told.start()
    sent, began = 0, time.monotonic()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as source:
        print("begun", flush=True)
        while told.is_alive():
            while sent < (time.monotonic() - began) * A_SECOND:
                source.sendto((forgeries if sent % 3 == 0 else garbage)[sent % 200], ("127.0.0.1", port))
                sent += 1
            time.sleep(0.001)
    print(sent / (time.monotonic() - began), flush=True)


def forged(chance: random.Random, ids: list[int]) -> bytes:
    """A packet of any kind that looks right from outside, for a session that there is; the bare header, too.

    A right HELLO is not among them: that is no forgery, and is answered.
    """
    kind, connection, counter = chance.choice(list(PacketKind)), chance.choice(ids), chance.getrandbits(32)
    noise = chance.randbytes(200)
    bodies = {
        PacketKind.HELLO: codec.encode(handshake.Hello(noise[:8], noise)),
        PacketKind.RETRY: codec.encode(handshake.Retry(noise[:8], noise[:16], b"\1")),
        PacketKind.INIT: codec.encode(
            handshake.Init(noise[:8], noise[:16], connection, b"\1", 1, noise[:48])
        ),
        PacketKind.RESP: codec.encode(handshake.Resp(noise)),
        PacketKind.FIN: codec.encode(handshake.Fin(noise)),
        PacketKind.REFUSE: codec.encode(handshake.Refuse(handshake.Refusal.PROOF, noise[:16])),
        PacketKind.SEALED: noise[:60],
    }
    body = bodies[kind] if chance.random() < 0.9 else b""
    return pack_header(kind, 0 if kind is PacketKind.INIT else connection, counter) + body


if __name__ == "__main__":
    spray(int(sys.argv[1]), [int(word) for word in sys.argv[2:]])
