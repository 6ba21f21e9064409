"""Asking for tables and whether they live: nothing amplifies, nothing is remembered, junk is passed over."""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket

import ifaddr
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata_protocol import beacons
from tavolata_protocol.announcements import Announcement
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import MalformedMessage
from tavolata_protocol.handshake import answered_hello, hello, open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io.beacon import BeaconSearch
from tavolata_protocol.io.interfaces import interfaces, spoken
from tavolata_protocol.io.opening import open_plain
from tavolata_protocol.io.probing import Prober
from tavolata_protocol.io.streams import Stream
from tavolata_protocol.io.udp import UdpDriver

TABLE = b"T" * 16
NONCE = b"12345678"
BIG = Announcement(b"T" * 32, "ä" * 24, "ö" * 40, 65535, private=True, free=255)
HOME = ("192.0.2.5", 4711)


def host() -> Endpoint:
    """The endpoint of an open table."""
    return Endpoint(
        Identity(secrets.token_bytes(32)), secrets.token_bytes, 0.0, psk=open_table_psk(TABLE), table=TABLE
    )


def test_a_question_is_answered_with_no_more_bytes_than_it_brought() -> None:
    """The longest announcement there can be is shorter than the question, and comes back whole."""
    asked = beacons.question(NONCE)
    said = beacons.answer(asked, BIG)
    assert len(said) <= len(asked) == beacons.SIZE
    assert beacons.read_answer(said, NONCE) == BIG


@pytest.mark.parametrize("cut", [0, 1, 100, 511])
def test_a_short_question_gets_no_answer(cut: int) -> None:
    """Who sends less than an answer may have gets none."""
    with pytest.raises(MalformedMessage):
        beacons.answer(beacons.question(NONCE)[:cut], BIG)


@given(st.binary(max_size=600) | st.binary(max_size=500).map(lambda tail: b"tavolata/1 " + tail))
def test_junk_is_neither_question_nor_answer(data: bytes) -> None:
    """Whatever comes to the port of discovery, a typed error is all that happens."""
    for reads in (lambda: beacons.answer(data, BIG), lambda: beacons.read_answer(data, NONCE)):
        with pytest.raises(MalformedMessage):
            reads()


def test_an_answer_to_another_question_does_not_count() -> None:
    """Nobody can put a table into a list without having heard the question."""
    with pytest.raises(MalformedMessage):
        beacons.read_answer(beacons.answer(beacons.question(b"87654321"), BIG), NONCE)


def test_a_host_answers_a_probe_with_less_and_keeps_nothing() -> None:
    """A thousand probes: each answer is shorter, has the right nonce, and no timer is left."""
    table = host()
    for number in range(1000):
        nonce = number.to_bytes(8, "big")
        now = 1.0 + number / 100
        table.receive_datagram(hello(nonce), HOME, now)
        [(said, where)] = table.datagrams_to_send(now)
        assert (answered_hello(said), where) == (nonce, HOME)
        assert len(said) * 10 < len(hello(nonce))
    assert table.next_timer() is None


@given(st.binary(max_size=1300))
def test_no_junk_passes_for_a_sign_of_life(data: bytes) -> None:
    """Whatever a stranger sends that does not know the nonce, nobody lives."""
    assert answered_hello(data) != NONCE


async def _ask() -> tuple[bool, bool, bool]:
    async with UdpDriver(host(), ["127.0.0.1"]) as driver, Prober(secrets.token_bytes) as prober:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
            deaf.bind(("127.0.0.1", 0))
            nobody = deaf.getsockname()
            asked = prober.is_alive(driver.addresses[0]), prober.is_alive(nobody)
            lives, quiet = await asyncio.gather(*asked)
        closed = await prober.is_alive(nobody)
        return lives, quiet, closed


@pytest.mark.battery
def test_only_a_table_that_answers_lives() -> None:
    """Over real sockets: an open table, a port where nobody speaks, and one that is closed."""
    assert asyncio.run(_ask()) == (True, False, False)


NOWHERE = [("127.0.0.1", 99999), ("127.0.0.1", 0), ("no such host", 8286)]


def test_addresses_that_are_none_close_no_socket() -> None:
    """Asked or remembered, they are where nobody lives; who is asked behind them answers all the same."""

    async def asked() -> tuple[list[bool], bool]:
        async with UdpDriver(host(), ["127.0.0.1"]) as driver, Prober(secrets.token_bytes) as prober:
            search = await BeaconSearch(secrets.token_bytes, lambda _: None).start([], NOWHERE)
            nowhere = [await prober.is_alive(address) for address in NOWHERE]
            lives = await prober.is_alive(driver.addresses[0])
            await search.close()
            return nowhere, lives

    assert asyncio.run(asked()) == ([False] * len(NOWHERE), True)


def test_what_the_system_says_of_a_sending_is_kept() -> None:
    """A datagram longer than any can be is not sent, the stream says why, and the next one leaves."""

    async def main() -> tuple[list[OSError | None], bytes]:
        heard: asyncio.Queue[bytes] = asyncio.Queue()
        one = open_plain(socket.AF_INET, "127.0.0.1")
        other = open_plain(socket.AF_INET, "127.0.0.1")
        assert one is not None
        assert other is not None
        there = other.getsockname()
        sender = await Stream.of(one, lambda _data, _address: None)
        receiver = await Stream.of(other, lambda data, _address: heard.put_nowait(data))
        faults = [sender.fault]
        sender.send(bytes(70_000), there)
        faults.append(sender.fault)
        sender.send(b"short", there)
        came = await asyncio.wait_for(heard.get(), 5)
        for stream in (sender, receiver):
            stream.close()
        await asyncio.sleep(0)
        return faults, came

    (before, after), came = asyncio.run(main())
    assert before is None
    assert after is not None
    assert after.errno == errno.EMSGSIZE
    assert came == b"short"


def test_addresses_are_told_as_they_are_typed() -> None:
    """The usual port is left out, IPv6 with a port is bracketed, a link-local one keeps its scope."""
    assert spoken(("192.0.2.5", 8286), 8286) == "192.0.2.5"
    assert spoken(("192.0.2.5", 9), 8286) == "192.0.2.5:9"
    assert spoken(("2001:db8::1", 9, 0, 0), 8286) == "[2001:db8::1]:9"
    assert spoken(("fe80::1", 9, 0, 999999), 8286) == "[fe80::1%999999]:9"


def test_loopback_leads_to_nobody() -> None:
    """No announcement ever leaves through it, whatever the table is bound to."""
    here = [ip.ip for adapter in ifaddr.get_adapters() for ip in adapter.ips]
    assert "127.0.0.1" in here
    assert "127.0.0.1" not in [host for one in interfaces() for host in one.hosts]
    assert interfaces(["127.0.0.1"]) == []
