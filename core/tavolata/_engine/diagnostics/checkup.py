"""Diagnostics of `tt doctor`: what may keep this machine from hosting, finding, joining or keeping a table.

Each finding is one sentence, which also says what to do if something is wrong. Nothing is changed; the check
of a folder writes a temporary file, in it or where it would be made, and leaves nothing behind.
"""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

from tavolata import _dirs, _machine
from tavolata._engine.diagnostics.web_extra import MISSING, can_serve
from tavolata._engine.network.finding import PATIENCE, FoundTable, finder
from tavolata._engine.network.joining import split_address
from tavolata._engine.network.ways import ways
from tavolata._trouble import trouble
from tavolata.messages import N_, Text
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.io.interfaces import Interface, default_sources, interfaces, takes_multicast
from tavolata_protocol.io.opening import open_plain, open_socket
from tavolata_protocol.io.probing import Prober
from tavolata_protocol.io.sockets import resolve
from tavolata_protocol.path_size import SIZES
from tavolata_protocol.sightings import Rung

FORBIDDEN = frozenset({errno.EPERM, errno.EACCES, errno.EHOSTUNREACH})
"""The errors with which systems stop a program that may not use the local network."""


@dataclass(frozen=True)
class Finding:
    """The result of one check: `state` is ok, hint or wrong, `message` a message id with `params`."""

    topic: str
    state: str
    message: str
    params: dict[str, Any] = field(default_factory=dict)


async def checkup(port: int, usual: int) -> AsyncGenerator[Finding, None]:
    """Run all checks, and yield each finding as soon as it is known.

    `usual` is the default port, which addresses may leave out.
    """
    found = interfaces()
    machine = (*_network(found, port, usual), *_route(found), *_port(found, port), *_multicast(found))
    for finding in (*machine, *_browsers(usual)):
        yield finding
    if found:
        async for finding in _tables():
            yield finding


def _network(found: Sequence[Interface], port: int, usual: int) -> Iterator[Finding]:
    if not found:
        yield Finding(
            "network", "wrong", N_("This computer isn't on a network. Connect it first, by cable or Wi-Fi.")
        )
    for way in ways(found):
        yield Finding(
            "network", "hint" if way.is_virtual else "ok",
            ONLY_HERE if way.is_virtual else FOR_MEMBERS if way.is_tunnel else FOR_OTHERS,
            {"address": way.spoken(port, usual), "interface": way.interface},
        )  # fmt: skip


FOR_OTHERS = N_("For the others: tt join {address} (through {interface})")
FOR_MEMBERS = N_("For members of the VPN {interface}: tt join {address}")
ONLY_HERE = N_("Only virtual machines on this computer can reach {address} ({interface}).")


def _route(found: Sequence[Interface]) -> Iterator[Finding]:
    if found and not default_sources():
        yield Finding(
            "route", "hint",
            N_("No default route, so there may be no internet. You don't need it: tables on this "
                "network work anyway."),
        )  # fmt: skip


def _port(found: Sequence[Interface], port: int) -> Iterator[Finding]:
    try:
        listener = open_socket("0.0.0.0", port)  # noqa: S104 - as a table does
    except AddressUnavailable:
        yield Finding(
            "port", "wrong",
            N_(
                "UDP port {port} is in use by one of your tables or by another program. Close that, or "
                "choose another port: tt host --port NUMBER."
            ),
            {"port": port},
        )  # fmt: skip
        return
    with listener:
        listener.settimeout(0.5)
        dropped = [
            str(four.ip) for one in found for four in one.ipv4 if not _knock(listener, str(four.ip), port)
        ]
    if dropped:
        yield Finding(
            "port", "wrong",
            N_(
                "A firewall on this computer is blocking UDP port {port}. Allow it, or choose another port: "
                "tt host --port NUMBER."
            ),
            {"port": port},
        )  # fmt: skip
    else:
        yield Finding(
            "port", "ok",
            N_(
                "UDP port {port} is free. If a firewall here keeps others out, you'll only find out when "
                "someone tries to join."
            ),
            {"port": port},
        )  # fmt: skip


def _knock(listener: socket.socket, host: str, port: int) -> bool:
    """Return True if a datagram from this machine to its own address arrives."""
    knocker = open_plain(socket.AF_INET, "")
    if knocker is not None:
        with contextlib.suppress(OSError), knocker:
            knocker.sendto(b"knock", (host, port))
            while listener.recvfrom(64)[0] != b"knock":
                pass
            return True
    return False


def _multicast(found: Sequence[Interface]) -> Iterator[Finding]:
    lacking = [one.name for one in found if not takes_multicast(one)]
    if lacking:
        yield Finding(
            "multicast", "hint",
            N_("No multicast on {interfaces}, so mDNS doesn't work there. Tables are found by broadcast "
                "instead."),
            {"interfaces": ", ".join(lacking)},
        )  # fmt: skip


def _browsers(port: int) -> Iterator[Finding]:
    if not can_serve():
        yield Finding("browsers", "hint", MISSING)
        return
    try:
        with socket.create_server(("", port)):
            pass
    except OSError:
        yield Finding(
            "browsers", "hint",
            N_(
                "tt host --web lets phones and browsers play. TCP port {port} is in use, so the table will "
                "use another; to choose one, add --web-port."
            ),
            {"port": port},
        )  # fmt: skip
    else:
        yield Finding(
            "browsers", "ok",
            N_("tt host --web lets phones and browsers play. Any firewall here must allow TCP port {port}."),
            {"port": port},
        )  # fmt: skip


async def _tables() -> AsyncGenerator[Finding, None]:
    tables: list[FoundTable] = []
    async with finder() as looking:
        async for now in looking.tables(PATIENCE):
            tables = now
        silent, faults = looking.silent(), looking.faults
    if any(fault.errno in FORBIDDEN for fault in faults):
        yield Finding(
            "permission", "wrong",
            N_("Your system is blocking this program from the local network. Allow it: on a Mac in "
               "System Settings, Privacy & Security, Local Network; elsewhere in the firewall."),
        )  # fmt: skip
    for one in tables:
        yield Finding("tables", "ok", _HOW[one.rungs[0]], one.params())
    async for finding in _paths(tables):
        yield finding
    for message, params in silent:
        yield Finding("tables", "wrong", message, dict(params))
    if not tables and not silent:
        yield Finding(
            "tables", "hint",
            N_("No table found. If one is open, are both computers on the same network? "
               "Guest networks often keep devices apart. `tt join ADDRESS` needs neither "
               "mDNS nor broadcast."),
        )  # fmt: skip


async def _paths(tables: Sequence[FoundTable]) -> AsyncGenerator[Finding, None]:
    """Measure which packets get through to the tables; only a path that drops long ones is a finding."""
    async with Prober(_machine.token) as prober:
        for one in tables:
            for address in (await resolve(*split_address(one.address)))[:1]:
                size = await prober.size(address)
                if size in SIZES[1:]:
                    yield Finding("path", "hint", NARROW, {**one.params(), "size": size})
                elif 0 < size < SIZES[-1]:
                    yield Finding("path", "wrong", TOO_NARROW, {**one.params(), "size": size})


NARROW = N_(
    "Packets of more than {size} bytes get lost on the way to {name}'s table at {address} (small "
    "MTU). Tavolata sends smaller ones, so the table works, just more slowly."
)
TOO_NARROW = N_(
    "Packets of more than {size} bytes get lost on the way to {name}'s table at {address}, so you "
    "can't play. Set the VPN, tunnel or router in between to an MTU of at least 1280."
)
_HOW = {
    Rung.MDNS.name.lower(): N_("mDNS works: it found {name}'s table ({game}) at {address}."),
    Rung.BROADCAST.name.lower(): N_(
        "mDNS doesn't get through, but broadcast does: it found {name}'s table ({game}) at {address}."
    ),
    Rung.REMEMBERED.name.lower(): N_(
        "Neither mDNS nor broadcast gets through, but an address that worked before still works: {address}."
    ),
}


DATA = N_("Matches and keys are saved in {path}.")
SETTINGS = N_("Settings are saved in {path}.")
NO_DATA = N_(
    "Couldn't save matches and keys in {path}: {problem}. Fix that, or set TT_DATA_DIR to another folder."
)
NO_SETTINGS = N_(
    "Couldn't save settings in {path}: {problem}. Fix that, or set TT_CONFIG_DIR to another folder."
)


def folder_findings() -> Iterator[Finding]:
    for folder, kept, state, lost in (
        (_dirs.data_dir(), DATA, "wrong", NO_DATA),
        (_dirs.config_dir(), SETTINGS, "hint", NO_SETTINGS),  # everything works without them
    ):
        problem = why_not(folder)
        if problem is None:
            yield Finding("folder", "ok", kept, {"path": folder})
        else:
            yield Finding("folder", state, lost, {"path": folder, "problem": problem})


def why_not(folder: str) -> Text | str | None:
    """Return why a folder, or the one in which it would be made, can't be written; None if it can."""
    try:
        place = Path(folder)
        while not place.exists() and place != place.parent:
            place = place.parent
        with TemporaryFile(dir=place) as file:
            file.write(b"tavolata")
    except OSError as error:
        return trouble(error)
    return None
