"""Somebody listens on the network, and plays the recording again: it reads nothing, and changes nothing."""

from __future__ import annotations

import re
import socket
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .lan import Lan
from .table import Hall, agree
from .test_people import play

LISTEN = """
import signal, socket, struct, sys
tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
tap.bind((sys.argv[1], 0))
signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
print("listening", flush=True)
with open(sys.argv[2], "wb") as file:
    while True:
        frame, (_, _, kind, _, _) = tap.recvfrom(65536)
        file.write(struct.pack("!?I", kind == 4, len(frame)) + frame)
        file.flush()
"""
"""Writes every frame of an interface to a file, behind whether it went out and its length."""
REPLAY = """
import socket, sys, time
tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
tap.bind((sys.argv[1], 0))
data = open(sys.argv[2], "rb").read()
while data:
    size = int.from_bytes(data[:4], "big")
    tap.send(data[4:4 + size])
    time.sleep(0.003)  # a busy machine reads them, too
    data = data[4 + size:]
"""
UDP = 17


@contextmanager
def listening(lan: Lan, machine: int, path: Path) -> Iterator[None]:
    """Everything that a machine's cable carries goes to a file."""
    words = ["ip", "netns", "exec", lan.hub, sys.executable, "-c", LISTEN, f"p{machine}", str(path)]
    one = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert one.stdout is not None
    try:
        assert one.stdout.readline() == "listening\n"
        yield
    finally:
        one.terminate()
        one.wait(20)
        one.stdout.close()


def frames(path: Path) -> list[tuple[bool, bytes]]:
    """What was recorded: whether it went to the machine, and the frame."""
    data, found = path.read_bytes(), []
    while data:
        out, size = struct.unpack("!?I", data[:5])
        found.append((out, data[5 : 5 + size]))
        data = data[5 + size :]
    return found


def of_the_table(frame: bytes) -> bool:
    """Whether it is IPv4, UDP, and from or to the table's port."""
    if len(frame) < 42 or frame[12:14] != b"\x08\x00" or frame[23] != UDP:
        return False
    return 8286 in struct.unpack("!HH", frame[34:38])


def datagrams(lan: Lan, machine: int) -> int:
    """How many datagrams the programs of a machine were given so far."""
    words = [*lan.inside(machine), "cat", "/proc/net/snmp"]
    told = subprocess.run(words, check=True, capture_output=True, text=True, timeout=20).stdout
    return int(next(line for line in told.splitlines() if re.match(r"Udp: \d", line)).split()[1])


def test_a_listener_reads_nothing_and_a_recording_changes_nothing(
    hall: Hall, lan: Lan, tmp_path: Path
) -> None:
    """Names, talk, cards, code and game are in no packet of a private table; all again moves nothing."""
    recorded = tmp_path / "frames"
    with listening(lan, 1, recorded):
        words = ("tricks", "--seats", "2", "--code", "--option", "hands=2", "--as", "Zacharias")
        host = hall.run("-v", "host", *words, home="host", typed=True, before=lan.inside(1))
        code = host.note(r"its code is (\S{7})\.")[1]
        guest = hall.run("-v", "join", "10.86.0.1", "--as", "Yolanda", home="guest", typed=True,
                         before=lan.inside(2))  # fmt: skip
        guest.type(code)
        host.expect("2 of 2 seats taken")
        guest.type("say abracadabra")
        host.expect("abracadabra")
        host.type("start")
        for one in (host, guest):
            one.expect("How many do you take")
        play(host, guest)
        host.expect("How many do you take")  # the second hand
        guest.expect("How many do you take")
        time.sleep(1)
    everything = frames(recorded)
    table = [(out, frame) for out, frame in everything if of_the_table(frame)]
    assert len(table) > 50
    assert any(b"Zacharias" in frame for _, frame in everything if not of_the_table(frame))  # it is announced
    secrets = [b"Zacharias", b"Yolanda", b"abracadabra", b"denari", b"spade", b"tricks", b"hands"]
    secrets += [code.encode(), code.replace("-", "").encode(), socket.inet_aton("10.86.0.2") * 2]
    for _, frame in table:
        assert not [secret for secret in secrets if secret.lower() in frame[42:].lower()]

    before, had = [len(host.lines), len(host.errors)], datagrams(lan, 1)
    again = tmp_path / "again"
    # the sums of a virtual cable are left to be filled in by hardware that it has not: 0 is for none
    inwards = [frame[:40] + b"\0\0" + frame[42:] for out, frame in table if out]
    again.write_bytes(b"".join(len(frame).to_bytes(4, "big") + frame for frame in inwards * 3))
    subprocess.run(
        ["ip", "netns", "exec", lan.hub, sys.executable, "-c", REPLAY, "p1", str(again)],
        check=True,
        timeout=60,
    )
    time.sleep(1.0)
    assert [len(host.lines), len(host.errors)] == before
    assert datagrams(lan, 1) - had > 2 * len(inwards)  # they did arrive
    play(host, guest)
    for one in (host, guest):
        one.expect("won")
        assert not one.has("is away|Lost contact")
    guest.hang_up()
    host.hang_up()
    agree(host, guest)
