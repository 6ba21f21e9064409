"""Opening a table and joining one: sockets, identity, who is met, and why it may not be.

What is agreed at the table afterwards is `room`; what this peer says there is `peer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from random import SystemRandom
from typing import Any

from tavolata._engine.identities import OwnIdentity, keep_names, known_names
from tavolata._engine.log_files import FileStorage
from tavolata._engine.peer import TableRefused
from tavolata._engine.state import pack, unpack
from tavolata._engine.wire import Wire
from tavolata._text import SaidError, one_line
from tavolata.game import Game
from tavolata.messages import N_
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.events import CallFailure, Connected, ConnectFailed
from tavolata_protocol.grouplog import GroupLog, events
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint
from tavolata_protocol.io.udp import UdpDriver, resolve

PORT = 8286
"""The usual port of a table: TAVO on a telephone's keys."""


class Unreachable(SaidError):
    """No table answers at that address."""


class PortTaken(SaidError):
    """The port or address can't be used."""


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


def guest_profile(name: str, *, watch: bool) -> bytes:
    """What a guest says of itself when it calls."""
    return pack([name, watch])


def watches(profile: bytes) -> bool:
    """Whether a profile is that of a guest who only looks on."""
    try:
        parts = unpack(profile)
        return isinstance(parts, list) and len(parts) == 2 and parts[1] is True
    except (ValueError, TypeError):
        return False


@dataclass
class Seat:
    """A peer's way to a table: its wire and who it is."""

    wire: Wire
    own: OwnIdentity
    storage: FileStorage


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
    async with _wire(card.packed(), hosts, port, table) as seat:
        seat.wire.log.create(seat.wire.now())
        seat.wire.pump()
        yield seat


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
    found = await resolve(host, port)
    if not found:
        raise Unreachable(N_("There is no machine called {host}; check the address."), host=host)
    local = "::" if ":" in found[0][0] else "0.0.0.0"  # noqa: S104 - the way to the host is the system's choice
    async with _call(found[0], guest_profile(name, watch=watch), local, address, seconds) as (
        driver,
        own,
        met,
    ):
        card = TableCard.of(met.profile)
        if card is None:
            raise Unreachable(
                N_("What answers at {address} is no table that can be joined."), address=address
            )
        _check_key(card.name, met.peer, found[0][0], new_key=new_key)
        driver.endpoint.listen(open_table_psk(met.table), met.table)
        storage = FileStorage(own.folder / "tables" / f"{met.table.hex()}.log")
        log = GroupLog(own.identity, storage, table=met.table, chance=SystemRandom())
        wire = Wire(driver, log)
        if log.is_blank:
            log.join(met.peer, wire.now())
        else:
            log.resume(wire.now(), met.peer)
        wire.pump()
        try:
            yield Seat(wire, own, storage), card
        finally:
            await wire.close()
            storage.close()


def split_address(address: str) -> tuple[str, int]:
    """Host and port of ADDRESS[:PORT], also of [IPV6]:PORT and of a bare IPv6 address.

    Raises:
        Unreachable: the port is no number of a port.
    """
    host, port = address, ""
    if address.startswith("["):
        host, _, port = address[1:].partition("]")
        port = port.removeprefix(":")
    elif address.count(":") == 1:
        host, _, port = address.partition(":")
    if port and not (port.isdecimal() and 0 < int(port) < 65536):
        raise Unreachable(N_("{port} is no port; a port is a number up to 65535."), port=port)
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
async def _wire(profile: bytes, hosts: Sequence[str], port: int, table: bytes) -> AsyncIterator[Seat]:
    own = OwnIdentity()
    endpoint = Endpoint(
        own.identity,
        secrets.token_bytes,
        UdpDriver.clock(),
        psk=open_table_psk(table),
        table=table,
        profile=profile,
    )
    driver = UdpDriver(endpoint, hosts, port)
    storage = FileStorage(own.folder / "tables" / f"{table.hex()}.log")
    try:
        await _start(driver)
        wire = Wire(driver, GroupLog(own.identity, storage, table=table, chance=SystemRandom()))
        try:
            yield Seat(wire, own, storage)
        finally:
            await wire.close()
    finally:
        storage.close()
        own.close()


@contextlib.asynccontextmanager
async def _call(
    address: tuple[Any, ...], profile: bytes, local: str, spoken: str, seconds: float
) -> AsyncIterator[tuple[UdpDriver, OwnIdentity, Connected]]:
    own = OwnIdentity()
    endpoint = Endpoint(own.identity, secrets.token_bytes, UdpDriver.clock(), profile=profile)
    driver = UdpDriver(endpoint, [local])
    try:
        await _start(driver)
        endpoint.connect(address, driver.clock())
        driver.wake()
        yield driver, own, await _answered(driver, spoken, seconds)
    finally:
        await driver.close()
        own.close()


async def _start(driver: UdpDriver) -> None:
    try:
        await driver.start()
    except AddressUnavailable as error:
        raise PortTaken(str(error)) from error


async def _answered(driver: UdpDriver, spoken: str, seconds: float) -> Connected:
    nobody = Unreachable(
        N_("Nobody answers at {address}: check the address, and that `tt host` still runs there."),
        address=spoken,
    )
    try:
        async with asyncio.timeout(seconds):
            async for event in driver.events():
                if isinstance(event, Connected):
                    return event
                if isinstance(event, ConnectFailed):
                    if event.reason is CallFailure.NO_ANSWER:
                        raise nobody
                    raise TableRefused(event.reason.value)
    except TimeoutError:
        raise nobody from None
    raise nobody


__all__ = [
    "PORT",
    "PortTaken",
    "Seat",
    "TableCard",
    "Unreachable",
    "events",
    "join_table",
    "open_table",
    "split_address",
    "watches",
]
