"""The frozen vectors: what this program puts on the wire is what it always put there."""

from __future__ import annotations

import json

import pytest

from tavolata_protocol import codec
from tavolata_protocol.entries import genesis, is_authentic, link, read_entry
from tavolata_protocol.fair.group import ED25519
from tavolata_protocol.handshake import VERSIONS
from tavolata_protocol.identity import verify
from tavolata_protocol.messages import log
from tavolata_protocol.messages.packets import parse_header
from tavolata_protocol.messages.session import Ack, Packet, Whole
from tavolata_protocol.packets import Opener

from .frozen import FOLDER, SETS, known, shapes


@pytest.mark.parametrize("name", SETS)
def test_the_wire_is_as_it_was(name: str) -> None:
    """From the same inputs the same bytes; `python -m tests.protocol.frozen` writes a change on purpose."""
    frozen = json.loads((FOLDER / f"{name}.json").read_text())
    assert json.loads(json.dumps(SETS[name]())) == frozen


def test_a_version_of_the_protocol_keeps_its_messages() -> None:
    """Two machines meet only if they have a version in common; so both know all messages of it."""
    new = "programs of one version wouldn't know each other's messages: add one to `handshake.VERSIONS`"
    assert known().get(str(max(VERSIONS))) == shapes(), new
    assert any("Recall" in shape for shape in shapes())


def test_a_reader_that_knows_only_the_vectors_follows_the_log() -> None:
    """Read back from the file: signatures are good, each entry follows the one before, messages decode."""
    told = json.loads((FOLDER / "entries.json").read_text())
    chain = genesis(bytes.fromhex(told["table"]))
    assert chain.hex() == told["genesis"]
    for number, one in enumerate(told["entries"], 1):
        wire = bytes.fromhex(one["entry"])
        entry = read_entry(wire, chain)
        chain = link(chain, wire)
        assert (entry.number, chain.hex()) == (number, one["chain"])
        assert is_authentic(entry.proposal, verify)
    kinds = {type(log.decode(bytes.fromhex(data))) for data in told["messages"].values()}
    assert len(kinds) == len(told["messages"]) == 22


def test_a_reader_that_knows_only_the_vectors_opens_the_packet() -> None:
    """The sealed packet of the file opens with its key, to its frames."""
    told = json.loads((FOLDER / "packets.json").read_text())["sealed"]
    datagram = bytes.fromhex(told["datagram"])
    header = parse_header(datagram)
    assert (header.connection, header.counter) == (told["connection"], told["counter"])
    plain = Opener(bytes.fromhex(told["key"])).open(header, datagram)
    assert plain.hex() == told["plain"]
    assert [type(frame) for frame in codec.reader(Packet)(plain)] == [Ack, Whole]


def test_a_reader_refuses_the_points_and_scalars_of_the_vectors() -> None:
    """Small order, outside the subgroup, not canonical, zero, beyond the order: none is taken for one."""
    told = json.loads((FOLDER / "fair.json").read_text())["refused"]
    assert len(told["points"]) > 5
    assert not [one for one in told["points"] if ED25519.is_point(bytes.fromhex(one))]
    numbers = [int.from_bytes(bytes.fromhex(one), "little") for one in told["scalars"]]
    assert len(numbers) == 4
    assert not any(map(ED25519.is_scalar, numbers))
