"""Opening and joining of tables: sockets, identity, the host's card, and the errors.

What the table agrees on afterwards is in `table_state`. What this peer does there is in `peer`.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tavolata import _dirs, _machine
from tavolata._engine.match.game_info import Edition
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.network.identities import OwnIdentity
from tavolata._engine.network.known_peers import KnownPeers, known_addresses
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.network.table_errors import (
    CodeRefused,
    CodeWanted,
    KeyChanged,
    NothingKept,
    PortTaken,
    TableRefused,
    Unreachable,
)
from tavolata._engine.plugins.package_names import is_distribution, is_version
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.log_witness import witness_path
from tavolata._engine.storage.ways_back import WayBack, WayFile, way_file
from tavolata._engine.table.invitations import Invitation
from tavolata._engine.table.table_keys import SecretFile, TableKeys
from tavolata._machine import disk
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata._version import API
from tavolata.messages import N_
from tavolata_protocol.addresses import Address
from tavolata_protocol.endpoint import Endpoint
from tavolata_protocol.errors import AddressUnavailable, DamagedStore
from tavolata_protocol.events import CallFailure, Connected, ConnectFailed
from tavolata_protocol.grouplog import GroupLog
from tavolata_protocol.handshake import open_table_psk
from tavolata_protocol.identity import Acquaintance, PeerId, fingerprint
from tavolata_protocol.io.interfaces import Nearby, interfaces
from tavolata_protocol.io.sockets import resolve
from tavolata_protocol.io.udp import UdpDriver

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import LoadedGame

PORT = 8286
"""The usual port of a table: TAVO on a telephone's keys."""
PATIENCE = 13.0
"""Seconds to wait for an answer from an address."""

NOBODY = N_(
    "No answer from {address}. Check the address, that `tt host` is running there, and that the "
    "firewall there allows UDP port {port}. `tt join` on its own looks for tables."
)
NOBODY_AFAR = N_(
    "No answer from {address}, which isn't on this computer's network. Check the address, and that the host "
    "is running `tt host --any`."
)
_FAILED = {
    CallFailure.NARROW: N_(
        "There's a table at {address}, but something along the way is dropping packets of more than a few "
        "hundred bytes: a VPN, tunnel or router whose MTU is too small."
    ),
    CallFailure.REFUSED: N_("That table is gone. The host has opened a new one."),
    CallFailure.WRONG_CODE: N_("Wrong code. Ask the host for the current one."),
    CallFailure.WAIT: N_("Too many wrong codes. Wait a minute, then ask the host for the code."),
    CallFailure.NO_CODE: N_(
        "The table at {address} doesn't ask for a code, so yours must be for another table."
    ),
    CallFailure.VERSION: N_("You and the host have different versions. Update the older one."),
    CallFailure.SELF: N_("That's the address of your own table, or of a program with the same identity."),
}


_NO_ENTRY = (CallFailure.NOT_OPEN, CallFailure.WRONG_CODE, CallFailure.WAIT)


@dataclass(frozen=True)
class TableCard:
    """The host's description of its table, which it sends to every caller.

    `game`, `rules_id` and `version` are as in `GameInfo`, `says_facts` as in `Edition`, `code` as
    `SourceCode.packed` writes it. Texts are empty if the host names nothing valid. `unlike` lets machines
    with other code play. Nobody announces a `quiet` table.
    """

    name: str
    game: str
    rules_id: int
    version: str
    distribution: str
    code: bytes = b""
    package_version: str = ""
    says_facts: bool = False
    unlike: bool = False
    quiet: bool = False
    api: int = API

    @property
    def edition(self) -> Edition:
        return Edition(self.version, self.code, self.says_facts)

    @classmethod
    def of_game(
        cls, name: str, loaded: LoadedGame, *, unlike: bool = False, quiet: bool = False
    ) -> TableCard:
        info = loaded.info
        return cls(
            name, info.name, info.rules_id, info.version, info.distribution, info.code,
            info.version if info.distribution else "", info.says_facts, unlike, quiet, loaded.game.api,
        )  # fmt: skip

    def packed(self) -> bytes:
        game = [self.game, self.rules_id, self.version]
        package = [self.distribution, self.code, self.package_version]
        return pack([self.name, *game, *package, self.says_facts, self.unlike, self.quiet, self.api])

    @classmethod
    def of(cls, profile: bytes) -> TableCard | None:
        """Return the card in a profile; None if there isn't one."""
        try:
            card = cls(*msgspec.msgpack.decode(profile, type=_Card))
        except ValueError:  # a DecodeError, or a text that isn't UTF-8
            return None
        return replace(
            card,
            name=one_line(card.name, 24),
            game=one_line(card.game, 40),
            version=one_line(card.version, 20),
            distribution=card.distribution if is_distribution(card.distribution) else "",
            package_version=card.package_version if is_version(card.package_version) else "",
        )


_Card = tuple[str, str, int, str, str, bytes, str, bool, bool, bool, int]


def guest_profile(name: str, *, watch: bool) -> bytes:
    """Return the profile of a guest, which it sends when it calls a table."""
    return pack([name, watch])


def watches(profile: bytes) -> bool:
    with contextlib.suppress(ValueError, TypeError):
        _, watching = unpack(profile)
        return watching is True
    return False


@dataclass
class TableAccess:
    """A peer's way to a table.

    `host` is, for a guest, the host and the address where it answered; `met` has the people that this machine
    knew before. `near` decides which sources are answered.
    """

    table: bytes
    log_driver: LogDriver
    own: OwnIdentity
    host: tuple[PeerId, tuple[Any, ...]] | None = None
    met: KnownPeers = field(default_factory=KnownPeers)
    near: Nearby = field(default_factory=Nearby)


@contextlib.asynccontextmanager
async def open_table(
    card: TableCard,
    hosts: Sequence[str],
    port: int,
    keys: TableKeys | None = None,
    near: Nearby | None = None,
) -> AsyncIterator[TableAccess]:
    """Open a table that answers calls at these addresses; with `keys` it is private.

    It answers the sources that `near` accepts: by default, those on this machine's own networks.
    Raise PortTaken if another program has the port, or the address does not belong to this machine.
    """
    table = _machine.token(16)
    with contextlib.closing(OwnIdentity()) as own:
        endpoint = Endpoint(
            own.identity,
            _machine.token,
            asyncio.get_running_loop().time(),
            psk=open_table_psk(table) if keys is None else keys.psk,
            table=table,
            code=None if keys is None else keys.code,
            profile=card.packed(),
            accept=near or Nearby(),
        )
        async with _driver(endpoint, hosts, port) as driver, _log(driver, own, table) as log_driver:
            log_driver.log.create(log_driver.now())
            log_driver.pump()
            yield TableAccess(table, log_driver, own)


@contextlib.asynccontextmanager
async def join_table(
    address: str,
    name: str,
    *,
    watch: bool = False,
    new_key: bool = False,
    invitation: Invitation | None = None,
) -> AsyncIterator[tuple[TableAccess, TableCard]]:
    """Call the table at an address, check who answers, and ask to be let in.

    It yields as soon as the host is known. An event of the log driver says when this peer is let in.
    `new_key` accepts a new key for the host's name; `invitation` has the code and the host's fingerprint, if
    known.

    Raises:
        Unreachable: nobody answers there.
        CodeWanted: the table is private, and no code was given.
        TableRefused: the code is wrong, or the host's key is not the remembered one.
    """
    invited = invitation or Invitation()
    host, port = split_address(address)
    found = await _found(host, port)
    guest = _Guest(guest_profile(name, watch=watch), address, invited.code, is_open=not invited.code)
    async with _call(found, guest) as (driver, own, met):
        card = TableCard.of(met.profile)
        if card is None:
            raise Unreachable(N_("There's no table to join at {address}."), address=address)
        _check_invitation(invited, met.peer, address)
        known_peers = KnownPeers()
        _check_key(known_peers, card.name, met.peer, met.address[0], new_key=new_key or bool(invited.key))
        driver.endpoint.introduce(replace(card, name=name).packed())  # who calls here finds the same table
        if guest.is_open:
            driver.endpoint.listen(open_table_psk(met.table), met.table)
        async with _log(driver, own, met.table, invited.code) as log_driver:
            if log_driver.log.is_blank:
                log_driver.log.join(met.peer, log_driver.now())
            else:
                log_driver.log.resume(log_driver.now(), met.peer)
            log_driver.pump()
            host_there = (met.peer, met.address)
            yield TableAccess(met.table, log_driver, own, host_there, known_peers, guest.near), card


@contextlib.asynccontextmanager
async def resume_table(file: WayFile, way: WayBack, card: TableCard) -> AsyncIterator[TableAccess]:
    """Resume from the stored copy of a table's log, and call its other members where they were reached last.

    This machine listens where it listened before, so that the others can do the same. Raise PortTaken if it
    can listen nowhere, IdentityError if another process uses the identity with which this machine played,
    NothingKept if the copy has no members to call.
    """
    table, secret = file.table, SecretFile(file.secret).read()
    psk = open_table_psk(table) if secret is None else TableKeys(secret, "").psk
    near = Nearby()
    near.everybody = way.anywhere
    with contextlib.closing(OwnIdentity(file.path.parent.parent)) as own:
        endpoint = Endpoint(
            own.identity, _machine.token, asyncio.get_running_loop().time(),
            psk=psk, table=table, profile=card.packed(), accept=near,
        )  # fmt: skip
        async with _bound(endpoint, way) as driver, _log(driver, own, table) as log_driver:
            if log_driver.log.is_blank or not log_driver.log.configuration.peers:  # begun, but never fetched
                raise NothingKept
            log_driver.log.resume(log_driver.now())
            log_driver.pump()
            yield TableAccess(table, log_driver, own, near=near)


@contextlib.asynccontextmanager
async def _bound(endpoint: Endpoint, way: WayBack) -> AsyncIterator[UdpDriver]:
    """Open the sockets where they were before; at any port if another program has that one now."""
    async with contextlib.AsyncExitStack() as sockets:
        try:
            driver = await sockets.enter_async_context(_driver(endpoint, way.hosts, way.port))
        except PortTaken:
            everywhere = _driver(endpoint, ["0.0.0.0"], 0)  # noqa: S104 - it was everywhere before
            driver = await sockets.enter_async_context(everywhere)
        yield driver


async def _found(host: str, port: int) -> list[Address]:
    found = await resolve(host, port)
    if not found:
        raise Unreachable(
            N_("No computer called {host}. Check the address, or run `tt join` on its own to see what's "
               "open here."),
            host=one_line(host, 60),
        )  # fmt: skip
    return [each for address in found for each in _everywhere_on_link(address)]


def _everywhere_on_link(address: Address) -> list[Address]:
    """Return a link-local IPv6 address without a zone once for each network that it may be on."""
    if len(address) == 4 and not address[3] and ipaddress.ip_address(address[0]).is_link_local:
        return [(*address[:3], one.index) for one in interfaces() if one.ipv6] or [address]
    return [address]


@contextlib.asynccontextmanager
async def _log(driver: UdpDriver, own: OwnIdentity, table: bytes, code: str = "") -> AsyncIterator[LogDriver]:
    """Keep the copy of a table's log in a file, which is deleted when this peer has left for good.

    A damaged file is renamed, so that people can examine it. Then this peer begins a new copy as a newcomer:
    the damaged one may lack final entries, and must not vote. A copy without which the table continues is
    set aside, and the next one begins with what that one may have signed. So is one that was restored,
    unless nobody else has a vote.
    """
    way = way_file(own.folder, table)
    path = way.log
    witness = witness_path(_dirs.cache_dir(), table, own.identity.peer)
    storage = FileStorage(path, witness)
    damaged = False
    try:
        log = GroupLog(own.identity, storage, table=table, chance=_machine.Entropy())
    except DamagedStore:
        storage.close()
        disk().rename(path, path.with_suffix(".damaged"))
        disk().remove(witness)
        storage, damaged = FileStorage(path, witness), True
        log = GroupLog(own.identity, storage, table=table, chance=_machine.Entropy())
    if storage.is_forgetful and set(log.configuration.voters) - {own.identity.peer}:
        storage.close()
        _put_aside(path, log, witness)
        storage, damaged = FileStorage(path, witness), True
        log = GroupLog(own.identity, storage, table=table, chance=_machine.Entropy())
    log_driver = LogDriver(driver, log, way, code, damaged=damaged)
    try:
        yield log_driver
    finally:
        try:
            await log_driver.close()
        finally:  # a second Ctrl+C does not wait for that
            storage.close()
            if log_driver.apart:
                _put_aside(path, log, witness)
            elif log_driver.left:
                SecretFile(way.secret).forget()  # on Windows, another program may hold up what follows
                disk().remove(witness)
                disk().remove(path)  # who comes back comes as new, and learns all from the others


def _put_aside(path: Path, log: GroupLog, witness: Path) -> None:
    """Keep a copy of a log aside; the next one begins with what it may have signed."""
    disk().remove(witness)
    disk().rename(path, path.with_suffix(".apart"))
    with contextlib.closing(FileStorage(path)) as next_copy:
        for record in log.heritage:
            next_copy.append(record)


def split_address(address: str) -> tuple[str, int]:
    """Split ADDRESS[:PORT], [IPV6]:PORT or a bare IPv6 address; raise Unreachable for an invalid port."""
    address = address.strip()
    host, port = address, ""
    if address.startswith("["):
        host, _, port = address[1:].partition("]")
        if port and not port.startswith(":"):
            raise Unreachable(
                N_("{address} isn't an address. Use one like 192.168.1.5 or [fe80::1%eth0]:8286."),
                address=one_line(address, 60),
            )
        port = port.removeprefix(":")
    elif address.count(":") == 1:
        host, _, port = address.partition(":")
    if port and not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65536):
        raise Unreachable(N_("{port} isn't a port. Use a number up to 65535."), port=one_line(port, 20))
    return host, int(port or PORT)


def _check_invitation(invited: Invitation, peer: PeerId, address: str) -> None:
    if invited.key and invited.key != fingerprint(peer):
        raise TableRefused(
            N_("{address} has the key {key}, but the invitation says {invited}. Ask the host for a new "
                "invitation."),
            invited=invited.key, address=one_line(address, 60), key=fingerprint(peer),
        )  # fmt: skip


def _check_key(known_peers: KnownPeers, name: str, peer: PeerId, host: str, *, new_key: bool) -> None:
    if ipaddress.ip_address(host.partition("%")[0]).is_loopback:
        return  # another `tt` of this very machine, each of which has a key of its own
    verdict = known_peers.judge(name, peer)
    if verdict is Acquaintance.CHANGED_KEY and not new_key:
        same_place = any(
            known.name.casefold() == name.casefold() and split_address(known.address)[0] == host
            for known in known_addresses()
        )
        raise KeyChanged(name, fingerprint(peer), "" if same_place else known_peers.met_on(name))
    if verdict is Acquaintance.CHANGED_KEY:
        known_peers.remember(name, peer)
    else:
        known_peers.played_with([(name, peer)])


@contextlib.asynccontextmanager
async def _driver(endpoint: Endpoint, hosts: Sequence[str], port: int) -> AsyncIterator[UdpDriver]:
    driver = UdpDriver(endpoint, hosts, port)
    try:
        await driver.start()
    except AddressUnavailable as error:
        cause = error.__cause__
        if isinstance(cause, OSError) and cause.errno == errno.EADDRINUSE:
            raise PortTaken(
                N_("Port {port} is in use. Close the other program, or choose another port with --port."),
                port=port,
            ) from error
        raise PortTaken(
            N_("Couldn't listen on {address}: {problem}."),
            address=one_line(", ".join(hosts), 60), problem=trouble(cause or error),
        ) from error  # fmt: skip
    try:
        yield driver
    finally:
        await driver.close()


@dataclass
class _Guest:
    """How a guest calls; `again` has the addresses that it called again as a former member."""

    profile: bytes
    address: str
    code: str
    is_open: bool
    again: set[Any] = field(default_factory=set)
    near: Nearby = field(default_factory=Nearby)


@contextlib.asynccontextmanager
async def _call(
    addresses: list[Any], guest: _Guest
) -> AsyncIterator[tuple[UdpDriver, OwnIdentity, Connected]]:
    """Call all addresses of a machine; the first that answers is the host."""
    everywhere = {"::" if ":" in address[0] else "0.0.0.0" for address in addresses}  # noqa: S104 - the way to the host is the system's choice
    with contextlib.closing(OwnIdentity()) as own:
        near = guest.near
        near.everybody = not all(map(near, addresses))  # who sits far from the host sits far from the others
        now = asyncio.get_running_loop().time()
        endpoint = Endpoint(own.identity, _machine.token, now, profile=guest.profile, accept=near)
        async with _driver(endpoint, sorted(everywhere), 0) as driver:
            for address in addresses:
                endpoint.connect(address, asyncio.get_running_loop().time(), code=guest.code or None)
            driver.wake()
            yield driver, own, await _answered(driver, own, addresses, guest)


async def _answered(driver: UdpDriver, own: OwnIdentity, addresses: list[Any], guest: _Guest) -> Connected:
    where, calls, near = one_line(guest.address, 60), len(addresses), Nearby()
    words = NOBODY if any(map(near, addresses)) else NOBODY_AFAR
    nobody = Unreachable(words, address=where, port=addresses[0][1])
    try:
        async with asyncio.timeout(PATIENCE):
            async for event in driver.events():
                if isinstance(event, Connected):
                    return event
                if isinstance(event, ConnectFailed):
                    if event.reason in _NO_ENTRY and _call_as_member(driver, own, event, guest):
                        continue
                    if event.reason is CallFailure.NOT_OPEN:
                        card = TableCard.of(event.profile)
                        raise CodeWanted(where if card is None else card.name)
                    if event.reason in _FAILED:
                        wrong = event.reason is CallFailure.WRONG_CODE
                        raise (CodeRefused if wrong else TableRefused)(_FAILED[event.reason], address=where)
                    calls -= 1
                    if calls == 0:
                        raise nobody
    except TimeoutError:
        raise nobody from None
    raise nobody


def _call_as_member(driver: UdpDriver, own: OwnIdentity, failed: ConnectFailed, guest: _Guest) -> bool:
    """Call a private table again by its secret, if this peer was a member of it and proves it now."""
    secret = SecretFile(way_file(own.folder, failed.table).secret).read()
    if secret is None or failed.address in guest.again:
        return False
    guest.again.add(failed.address)
    guest.is_open = False
    driver.endpoint.connect(failed.address, asyncio.get_running_loop().time(), TableKeys(secret, "").psk)
    driver.wake()
    return True
