"""No address that is none closes a socket; and if one goes all the same, another is opened."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable

import pytest
from tests.protocol.io.test_udp import endpoint, joined, run, until

from tavolata_protocol.addresses import Address
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.events import ConnectFailed, Received
from tavolata_protocol.io import sockets
from tavolata_protocol.io.udp import UdpDriver

NOWHERE: list[Address] = [("127.0.0.1", 99999), ("127.0.0.1", 0), ("127.0.0.1", -1), ("no such host", 8286)]


@pytest.mark.parametrize("hosts", [["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]])
def test_addresses_that_are_none_harm_no_session(hosts: list[str]) -> None:
    """Called or sent to, they fail like an address where nobody is; the others hear what is said next."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint(), hosts) as guest:
            await joined(host, guest)
            for nowhere in NOWHERE:
                guest.endpoint.connect(nowhere, asyncio.get_running_loop().time())
            guest.wake()
            failed = await until(guest, ConnectFailed, len(NOWHERE))
            assert [event.address for event in failed] == NOWHERE
            guest.endpoint.send(host.endpoint.peer, b"still here")
            guest.wake()
            assert [event.message for event in await until(host, Received)] == [b"still here"]

    run(main)


def _send_nowhere(driver: UdpDriver) -> None:
    driver._sockets._streams["127.0.0.1"].send(
        b"x", ("127.0.0.1", 99999)
    )  # asyncio takes the OverflowError for the socket's end


def _close_below(driver: UdpDriver) -> None:
    driver._sockets._streams["127.0.0.1"]._stream.close()


@pytest.mark.parametrize("lose", [_send_nowhere, _close_below])
def test_a_lost_socket_is_opened_anew(lose: Callable[[UdpDriver], None]) -> None:
    """At the same port, so that sessions go on in both directions."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            await joined(host, guest)
            before = guest.addresses
            lost = guest._sockets._sockets["127.0.0.1"]
            lose(guest)
            guest.endpoint.send(host.endpoint.peer, b"out")
            host.endpoint.send(guest.endpoint.peer, b"in")
            guest.wake()
            host.wake()
            heard = await asyncio.gather(until(host, Received), until(guest, Received))
            assert [[event.message for event in events] for events in heard] == [[b"out"], [b"in"]]
            assert guest.addresses == before
            assert guest._sockets._sockets["127.0.0.1"] is not lost

    run(main)


def test_a_datagram_to_an_address_whose_socket_has_gone_is_lost() -> None:
    """A machine that heard from somebody, and has closed since or lost that interface, raises nothing."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            await joined(host, guest)
            address = host.addresses[0]
            guest._sockets.send(b"x", address)
        guest._sockets.send(b"x", address)

    run(main)


def test_a_datagram_goes_by_the_socket_that_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """A route by an interface that has gone is forgotten with it."""
    monkeypatch.setattr(sockets, "LOOK_AGAIN", 0.01)

    async def main() -> None:
        moved, failures, address = asyncio.Event(), list[Exception](), ("127.0.0.1", 9)
        opened = sockets.Sockets(["0.0.0.0"], 0, lambda _: None, failures.append, moved.set)
        await opened.open()
        try:
            gone = opened._route(address)
            left = [host for host in opened._sockets if host != gone]
            if not left:
                pytest.skip("this machine has one address")
            monkeypatch.setattr(sockets, "own_hosts", lambda *_: left)
            await moved.wait()
            assert opened._route(address) in left
            assert not failures
        finally:
            await opened.close()

    run(main)


def test_a_choice_holds_only_as_long_as_there_is_no_better_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine whose new address comes after the old one has gone answers from the new one."""
    monkeypatch.setattr(sockets, "LOOK_AGAIN", 0.01)
    here = ["127.0.0.2"]
    monkeypatch.setattr(sockets, "own_hosts", lambda *_: here)

    async def main() -> None:
        moved, failures = asyncio.Event(), list[Exception]()
        heard = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        heard.bind(("127.0.0.1", 0))
        heard.settimeout(20)
        opened = sockets.Sockets(["0.0.0.0"], 0, lambda _: None, failures.append, moved.set)
        await opened.open()
        try:
            for host in ("127.0.0.2", "127.0.0.1"):
                opened.send(b"x", heard.getsockname())
                assert (await asyncio.to_thread(heard.recvfrom, 9))[1] == (host, opened.port)
                here.append("127.0.0.1")  # which is what the kernel chooses, to 127.0.0.1
                await asyncio.wait_for(moved.wait(), 20)
            assert not failures
        finally:
            await opened.close()
            heard.close()

    run(main)


def test_a_socket_that_is_lost_again_and_again_ends_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads the events is told in a sentence; nothing goes on in silence."""
    monkeypatch.setattr(sockets, "LOST_AGAIN", 60.0)

    async def main() -> None:
        async with UdpDriver(endpoint()) as guest:
            lost = guest._sockets._streams["127.0.0.1"]
            _close_below(guest)
            while guest._sockets._streams["127.0.0.1"] is lost:  # noqa: ASYNC110 - there is no event for it
                await asyncio.sleep(0.001)
            _close_below(guest)
            with pytest.raises(AddressUnavailable, match="start the program again"):
                await until(guest, Received)

    run(main)
