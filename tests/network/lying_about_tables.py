"""A machine that answers every search for tables with lies, until its stdin ends.

python -m tests.network.lying_about_tables HOW_MANY ADDRESS...

Each question is answered from its addresses in turn, each time for another table that doesn't exist.
"""

from __future__ import annotations

import os
import socket
import sys
from threading import Thread

from tavolata_protocol import beacons
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.errors import MalformedMessage


def leave() -> None:
    sys.stdin.read()
    os._exit(0)


def main() -> None:
    many, addresses = int(sys.argv[1]), sys.argv[2:]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hearing:
        hearing.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hearing.bind(("0.0.0.0", beacons.PORT))
        mouths = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in addresses]
        for mouth, address in zip(mouths, addresses, strict=True):
            mouth.bind((address, 0))
        Thread(target=leave, daemon=True).start()
        print("listening", flush=True)
        told = 0
        while True:
            question, source = hearing.recvfrom(2048)
            for number in range(many):
                lie = Announcement(os.urandom(16), f"Liar {number}", "zompa", 8286, free=1)
                try:
                    answer = beacons.answer(question, lie)
                except MalformedMessage:
                    break
                mouths[number % len(mouths)].sendto(answer, source)
                told += 1
            print(told, flush=True)


if __name__ == "__main__":
    main()
