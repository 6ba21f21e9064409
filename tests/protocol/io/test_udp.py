"""The driver over real loopback sockets: connecting, carrying, surviving noise and faults, closing."""

from __future__ import annotations

import asyncio
import os
import random
import socket
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

import pytest

from tavolata_protocol import calls
from tavolata_protocol.addresses import Address
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.events import (
    CallFailure,
    Connected,
    ConnectFailed,
    Disconnected,
    EndpointEvent,
    Received,
)
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Identity
from tavolata_protocol.io import udp
from tavolata_protocol.io.sockets import resolve
from tavolata_protocol.io.udp import UdpDriver

TABLE = b"loopback"

E = TypeVar("E", Connected, ConnectFailed, Disconnected, Received)


def endpoint() -> Endpoint:
    identity = Identity(os.urandom(32))
    return Endpoint(
        identity, os.urandom, asyncio.get_running_loop().time(), psk=open_table_psk(TABLE), table=TABLE
    )


def run(main: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test with a time-out that only a hang reaches."""
    asyncio.run(asyncio.wait_for(main(), 50))


async def until(driver: UdpDriver, kind: type[E], count: int = 1) -> list[E]:
    """The next `count` events of a kind."""
    found: list[E] = []
    async for event in driver.events():
        if isinstance(event, kind):
            found.append(event)
        if len(found) == count:
            break
    return found


async def joined(host: UdpDriver, guest: UdpDriver, address: Address | None = None) -> None:
    guest.endpoint.connect(address or host.addresses[0], asyncio.get_running_loop().time())
    guest.wake()
    await asyncio.gather(until(guest, Connected), until(host, Connected))


def test_messages_travel_both_ways_and_goodbye_is_heard() -> None:
    """2,000 messages each way over real sockets arrive in order; closing one side tells the other."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host:
            async with UdpDriver(endpoint()) as guest:
                await joined(host, guest)
                messages = [b"%d" % number for number in range(2000)] + [bytes(65536)]
                for message in messages:
                    guest.endpoint.send(host.endpoint.peer, message)
                    host.endpoint.send(guest.endpoint.peer, message)
                guest.wake()
                host.wake()
                came = await asyncio.gather(*(until(side, Received, 2001) for side in (host, guest)))
                assert [[event.message for event in events] for events in came] == [messages, messages]
                assert await guest.flush(5)
                assert await host.flush(5)
            assert len(await until(host, Disconnected)) == 1

    run(main)


def test_closed_driver_ends_its_events() -> None:
    """Closing wakes the reader of events and frees the port; it may be repeated, and waking does nothing."""

    async def main() -> None:
        driver = UdpDriver(endpoint())
        await driver.start()
        port = driver.addresses[0][1]
        reader = asyncio.create_task(until(driver, Received))
        await asyncio.sleep(0)
        await driver.close()
        await driver.close()
        assert await reader == []
        assert [event async for event in driver.events()] == []
        driver.wake()
        async with UdpDriver(endpoint(), port=port):
            pass

    run(main)


def test_port_in_use_is_a_sentence() -> None:
    """A second driver on the same port raises a local error that names the port and what to do."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as first:
            port = first.addresses[0][1]
            with pytest.raises(AddressUnavailable, match=rf"port {port} already .* --port"):
                await UdpDriver(endpoint(), port=port).start()

    run(main)


@pytest.mark.parametrize("host", ["192.0.2.1", "not an address", "example.invalid"])
def test_foreign_addresses_are_a_sentence(host: str) -> None:
    """Addresses that are none, or none of this machine, raise a local error."""

    async def main() -> None:
        with pytest.raises(AddressUnavailable, match=r"no address of|can't listen at"):
            await UdpDriver(endpoint(), [host]).start()

    run(main)


def test_a_resolved_name_reaches_the_host() -> None:
    """`resolve` gives the addresses of a name; one of them answers."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            addresses = await resolve("127.0.0.1", host.addresses[0][1])
            assert addresses == host.addresses
            for address in addresses:
                guest.endpoint.connect(address, asyncio.get_running_loop().time())
            guest.wake()
            (event,) = await until(guest, Connected)
            assert event.peer == host.endpoint.peer

    run(main)


NO_NAMES = ("", "%", "a..b", "x" * 64, "\u00e8" * 64, "a\0b", "\udc80", " ", "fe80::1%no zone")


def test_a_text_that_names_no_host_has_no_address() -> None:
    """Anything may be typed, or stand in a file."""

    async def main() -> None:
        assert [await resolve(name, 8286) for name in NO_NAMES] == [[]] * len(NO_NAMES)
        assert await resolve("127.0.0.1%", 8286) == [("127.0.0.1", 8286)]

    run(main)


def test_ipv6_works() -> None:
    """Two drivers on the IPv6 loopback connect and speak."""

    async def main() -> None:
        async with UdpDriver(endpoint(), ["::1"]) as host, UdpDriver(endpoint(), ["::1"]) as guest:
            await joined(host, guest)
            guest.endpoint.send(host.endpoint.peer, b"six")
            guest.wake()
            assert (await until(host, Received))[0].message == b"six"

    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    run(main)


def test_each_local_address_answers_for_itself() -> None:
    """A host with two addresses is reached at both, and answers from the one that was called."""

    async def main() -> None:
        async with UdpDriver(endpoint(), ["127.0.0.1", "127.0.0.2"]) as host:
            assert len({address[1] for address in host.addresses}) == 1
            for address in host.addresses:
                async with UdpDriver(endpoint()) as guest:
                    await joined(host, guest, address)
                    assert guest.endpoint.path(host.endpoint.peer).address == address
            async with UdpDriver(endpoint()) as other:
                await joined(other, host)  # and it finds a socket to call others from

    run(main)


def test_failed_sends_do_not_disturb() -> None:
    """Oversized datagrams, which the system refuses, cost no message."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            await joined(host, guest)
            for number in range(50):
                guest._sockets.send(bytes(70_000), host.addresses[0])
                guest.endpoint.send(host.endpoint.peer, b"%d" % number)
                guest.wake()
                await asyncio.sleep(0)
            came = await until(host, Received, 50)
            assert [event.message for event in came] == [b"%d" % number for number in range(50)]

    run(main)


def test_no_socket_of_the_family_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Calling an IPv6 address from an IPv4 socket fails like an address where nobody is."""
    monkeypatch.setattr(calls, "TRIES", 2)

    async def main() -> None:
        async with UdpDriver(endpoint()) as driver:
            driver.endpoint.connect(("::1", 9, 0, 0), asyncio.get_running_loop().time())
            driver.wake()
            (event,) = await until(driver, ConnectFailed)
            assert event.reason is CallFailure.NO_ANSWER

    run(main)


def test_noise_does_not_stop_the_traffic() -> None:
    """While 20,000 datagrams of noise come in, 500 messages arrive, and memory of strangers stays empty."""

    async def main() -> None:
        chance = random.Random(1)
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            await joined(host, guest)
            noise = [chance.randbytes(chance.randrange(1, 1300)) for _ in range(200)]
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as stranger:
                stranger.setblocking(False)
                for number in range(500):
                    for _ in range(40):
                        try:
                            stranger.sendto(chance.choice(noise), host.addresses[0])
                        except OSError:
                            break
                    guest.endpoint.send(host.endpoint.peer, b"%d" % number)
                    guest.wake()
                    await asyncio.sleep(0)
                came = await until(host, Received, 500)
            assert [event.message for event in came] == [b"%d" % number for number in range(500)]
            assert host.endpoint.peers() == [guest.endpoint.peer]
            assert host.endpoint.discarded > 0

    run(main)


def test_slow_reader_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that starts late holds receiving up, and then gets everything in order."""
    monkeypatch.setattr(udp, "MAX_EVENTS", 20)

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            await joined(host, guest)
            for number in range(2000):
                guest.endpoint.send(host.endpoint.peer, b"%d" % number + bytes(900))
                guest.wake()
                await asyncio.sleep(0)
            await asyncio.sleep(0.05)
            assert host._events.qsize() < 500
            came = await until(host, Received, 2000)
            assert [event.message[:4].rstrip(b"\0") for event in came] == [b"%d" % n for n in range(2000)]

    run(main)


def test_fault_in_the_driver_reaches_the_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error of this program inside a task is raised where events are read, not swallowed."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as driver:
            monkeypatch.setattr(driver.endpoint, "datagrams_to_send", lambda now: 1 / 0)
            driver.wake()
            with pytest.raises(ZeroDivisionError):
                await until(driver, Received)
            monkeypatch.undo()

    run(main)


class Book:
    """A user that writes down what it is told, and says something back."""

    def __init__(self, driver: UdpDriver) -> None:
        self.driver = driver
        self.told: list[object] = []
        self.over = asyncio.Event()

    def take(self, event: EndpointEvent) -> None:
        self.told.append(event)

    def act(self) -> None:
        self.told.append("act")
        if self.driver.endpoint.peers():
            self.driver.endpoint.send(self.driver.endpoint.peers()[0], b"answer")

    def rest(self) -> bool:
        self.told.append("rest")
        return False

    def fail(self, fault: Exception) -> None:
        self.told.append(fault)
        self.over.set()


def test_a_user_acts_in_the_turn_of_what_it_is_told() -> None:
    """What nobody had read comes first; a turn's events come before one `act`; a fault ends all, told."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            host.endpoint.connect(guest.addresses[0], asyncio.get_running_loop().time())
            host.wake()
            await until(guest, Connected)
            await asyncio.sleep(0.05)
            book = Book(host)
            host.serve(book)
            for word in (b"one", b"two"):
                guest.endpoint.send(host.endpoint.peer, word)
            guest.wake()
            answers = await until(guest, Received, 2)
            assert [event.message for event in answers] == [b"answer", b"answer"]
            assert isinstance(book.told[0], Connected)
            assert book.told[1:3] == ["act", "rest"]
            heard = [event.message for event in book.told[3:5] if isinstance(event, Received)]
            assert heard == [b"one", b"two"]
            assert book.told[5] == "act"
            book.driver = cast("UdpDriver", None)
            guest.endpoint.send(host.endpoint.peer, b"three")
            guest.wake()
            await book.over.wait()
            assert isinstance(book.told[-1], AttributeError)
            assert host.is_closed

    run(main)


class Relay(asyncio.DatagramProtocol):
    """A bad wire between two addresses: loses 30 %, reorders 30 %, doubles 10 %, and delays up to 80 ms."""

    def __init__(self, host: Address, seed: int) -> None:
        self.host = host
        self.guest: Address | None = None
        self.chance = random.Random(seed)
        self.passed = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast("asyncio.DatagramTransport", transport)  # Python 3.11 does not derive it

    def datagram_received(self, data: bytes, addr: Address) -> None:
        if addr != self.host:
            self.guest = addr
        target = self.guest if addr == self.host else self.host
        self.passed += 1
        for _ in range(2 if self.chance.random() < 0.1 else 1):
            if self.chance.random() < 0.3:
                continue
            delay = 0.08 * self.chance.random() * (2 if self.chance.random() < 0.3 else 1)
            asyncio.get_running_loop().call_later(delay, self.transport.sendto, data, target)


@pytest.mark.battery
def test_bad_wire_with_real_sockets() -> None:
    """Through a relay with the worst weather, 1,500 messages each way arrive exactly, with bounded effort."""

    async def main() -> None:
        async with UdpDriver(endpoint()) as host, UdpDriver(endpoint()) as guest:
            transport, relay = await asyncio.get_running_loop().create_datagram_endpoint(
                lambda: Relay(host.addresses[0], 3), local_addr=("127.0.0.1", 0)
            )
            await joined(host, guest, transport.get_extra_info("sockname"))
            before = relay.passed
            messages = [b"%d" % number + bytes(100) for number in range(1500)]
            for message in messages:
                guest.endpoint.send(host.endpoint.peer, message)
                host.endpoint.send(guest.endpoint.peer, message)
            guest.wake()
            host.wake()
            came = await asyncio.gather(*(until(side, Received, 1500) for side in (host, guest)))
            assert [[event.message for event in events] for events in came] == [messages, messages]
            assert relay.passed - before <= 3 * 2 * 1500 / 10  # ten messages fit into a packet
            transport.close()

    run(main)
