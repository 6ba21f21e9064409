"""Opening a table and joining one: sockets, identity, who is met, and why it may not be.

What is agreed at the table afterwards is `room`; what this peer says there is `peer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from tavolata._engine.identities import OwnIdentity, keep_names, known_names
from tavolata._engine.log_files import FileStorage
from tavolata._engine.neighbours import guest_profile
from tavolata._engine.state import pack, unpack
from tavolata._engine.table_errors import PortTaken, TableRefused, Unreachable
from tavolata._engine.wire import Wire
from tavolata._text import one_line
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.events import CallFailure, Connected, ConnectFailed
from tavolata_protocol.grouplog import GroupLog
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint
from tavolata_protocol.io.udp import UdpDriver, resolve

PORT = 8286
"""The usual port of a table: TAVO on a telephone's keys."""


_FAILED = {
    CallFailure.REFUSED: N_("The host refused the keys: another table, or a wrong code."),
    CallFailure.VERSION: N_("The host runs another version of the program: update the older one."),
    CallFailure.NOT_OPEN: N_("This table is private: joining it takes a code."),
    CallFailure.SELF: N_("This address is this very program, or one with the same identity."),
}


@dataclass(frozen=True)
class TableCard:
    """What a host says of its table to whoever calls.

    Attributes:
        name: the host's name.
        game, rules_id, version: what is played.
        distribution: the package that brings it.
    """

    name: str
    game: str
    rules_id: int
    version: str
    distribution: str

    def packed(self) -> bytes:
        """As the profile of an endpoint."""
        return pack([self.name, self.game, self.rules_id, self.version, self.distribution])

    @classmethod
    def of(cls, profile: bytes) -> TableCard | None:
        """The card in a profile, None if there is none."""
        try:
            name, game, rules_id, version, distribution = unpack(profile)
            return cls(
                one_line(name, 24),
                one_line(game, 40),
                int(rules_id),
                one_line(version, 20),
                one_line(distribution, 60),
            )
        except (ValueError, TypeError):
            return None


@dataclass
class Seat:
    """A peer's way to a table: its id, wire, who it is and, for a guest, who the host is and where."""

    table: bytes
    wire: Wire
    own: OwnIdentity
    host: tuple[PeerId, tuple[Any, ...]] | None = None


@contextlib.asynccontextmanager
async def open_table(
    name: str, rules: type[Game[Any]], distribution: str, hosts: Sequence[str], port: int
) -> AsyncIterator[Seat]:
    """Open a table that answers calls at these addresses.

    Raises:
        PortTaken: another program has the port, or the address is none of this machine.
    """
    table = secrets.token_bytes(16)
    card = TableCard(name, rules.name, rules.rules_id, rules.version, distribution)
    with contextlib.closing(OwnIdentity()) as own:
        endpoint = Endpoint(
            own.identity,
            secrets.token_bytes,
            UdpDriver.clock(),
            psk=open_table_psk(table),
            table=table,
            profile=card.packed(),
        )
        async with _driver(endpoint, hosts, port) as driver, _log(driver, own, table) as wire:
            wire.log.create(wire.now())
            wire.pump()
            yield Seat(table, wire, own)


@contextlib.asynccontextmanager
async def join_table(
    address: str, name: str, *, watch: bool = False, new_key: bool = False, seconds: float = 10.0
) -> AsyncIterator[tuple[Seat, TableCard]]:
    """Call the table at an address, check who answers, and ask to be let in.

    Yields when the host is known; being let in shows in the wire's events.

    Raises:
        Unreachable: nobody answers there.
        TableRefused: what answers is not what is remembered by that name.
    """
    host, port = split_address(address)
    found = await _found(host, port)
    async with _call(found, guest_profile(name, watch=watch), address, seconds) as (driver, own, met):
        card = TableCard.of(met.profile)
        if card is None:
            raise Unreachable(
                N_("What answers at {address} is no table that can be joined."), address=address
            )
        _check_key(card.name, met.peer, met.address[0], new_key=new_key)
        driver.endpoint.listen(open_table_psk(met.table), met.table)
        async with _log(driver, own, met.table) as wire:
            if wire.log.is_blank:
                wire.log.join(met.peer, wire.now())
            else:
                wire.log.resume(wire.now(), met.peer)
            wire.pump()
            yield Seat(met.table, wire, own, (met.peer, met.address)), card


async def _found(host: str, port: int) -> list[Any]:
    try:
        found = await resolve(host, port) if host else []
    except (UnicodeError, ValueError):  # no name can look like that
        found = []
    if not found:
        raise Unreachable(
            N_("There is no machine called {host}; check the address."), host=one_line(host, 60)
        )
    return found


@contextlib.asynccontextmanager
async def _log(driver: UdpDriver, own: OwnIdentity, table: bytes) -> AsyncIterator[Wire]:
    """The copy of a table's log, in a file that goes when this peer has left the table for good."""
    path = own.folder / "tables" / f"{table.hex()}.log"
    storage = FileStorage(path)
    log = GroupLog(own.identity, storage, table=table, chance=SystemRandom())
    wire = Wire(driver, log)
    try:
        yield wire
    finally:
        await wire.close()
        storage.close()
        if wire.left:
            path.unlink(missing_ok=True)  # whoever comes back comes as new, and learns all from the others


def split_address(address: str) -> tuple[str, int]:
    """Host and port of ADDRESS[:PORT], also of [IPV6]:PORT and of a bare IPv6 address.

    Raises:
        Unreachable: the port is no number of a port.
    """
    address = address.strip()
    host, port = address, ""
    if address.startswith("["):
        host, _, port = address[1:].partition("]")
        if port and not port.startswith(":"):
            raise Unreachable(
                N_("{address} is no address; one looks like 192.168.1.5 or [fe80::1%eth0]:8286."),
                address=one_line(address, 60),
            )
        port = port.removeprefix(":")
    elif address.count(":") == 1:
        host, _, port = address.partition(":")
    if port and not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise Unreachable(N_("{port} is no port; a port is a number up to 65535."), port=one_line(port, 20))
    return host, int(port or PORT)


def _check_key(name: str, peer: PeerId, host: str, *, new_key: bool) -> None:
    if ipaddress.ip_address(host.partition("%")[0]).is_loopback:
        return  # another `tt` of this very machine, each of which has a key of its own
    names = known_names()
    judgement = names.judge(name.casefold(), peer)
    if judgement.verdict is Acquaintance.CHANGED_KEY and not new_key:
        raise TableRefused(
            N_("{name} has another key than last time ({key} now): it may be somebody else. If {name} "
               "confirms the new key, `tt join --new-key` takes it."),
            name=name, key=fingerprint(peer),
        )  # fmt: skip
    if judgement.verdict is not Acquaintance.KNOWN:
        names.remember(name.casefold(), peer)
        keep_names(names)


@contextlib.asynccontextmanager
async def _driver(endpoint: Endpoint, hosts: Sequence[str], port: int) -> AsyncIterator[UdpDriver]:
    driver = UdpDriver(endpoint, hosts, port)
    try:
        await driver.start()
    except AddressUnavailable as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE:
            raise PortTaken(
                N_("Another program uses port {port} already: close it, or take another with --port."),
                port=port,
            ) from error
        problem = cause.strerror if isinstance(cause, OSError) else str(error)
        raise PortTaken(
            N_("This machine can't listen at {address}: {problem}."),
            address=one_line(", ".join(hosts), 60), problem=str(problem).rstrip("."),
        ) from error  # fmt: skip
    try:
        yield driver
    finally:
        await driver.close()


@contextlib.asynccontextmanager
async def _call(
    addresses: list[Any], profile: bytes, spoken: str, seconds: float
) -> AsyncIterator[tuple[UdpDriver, OwnIdentity, Connected]]:
    """Call all addresses of a machine; the first that answers is the host."""
    everywhere = {"::" if ":" in address[0] else "0.0.0.0" for address in addresses}  # noqa: S104 - the way to the host is the system's choice
    with contextlib.closing(OwnIdentity()) as own:
        endpoint = Endpoint(own.identity, secrets.token_bytes, UdpDriver.clock(), profile=profile)
        async with _driver(endpoint, sorted(everywhere), 0) as driver:
            for address in addresses:
                endpoint.connect(address, driver.clock())
            driver.wake()
            yield driver, own, await _answered(driver, len(addresses), spoken, seconds)


async def _answered(driver: UdpDriver, calls: int, spoken: str, seconds: float) -> Connected:
    nobody = Unreachable(
        N_("Nobody answers at {address}: check the address, and that `tt host` still runs there."),
        address=one_line(spoken, 60),
    )
    try:
        async with asyncio.timeout(seconds):
            async for event in driver.events():
                if isinstance(event, Connected):
                    return event
                if isinstance(event, ConnectFailed):
                    if event.reason in _FAILED:
                        raise TableRefused(_FAILED[event.reason])
                    calls -= 1
                    if calls == 0:
                        raise nobody
    except TimeoutError:
        raise nobody from None
    raise nobody
