"""Announcements of a table on the network: by its host, and by whoever takes over from the host."""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import socket
from collections.abc import AsyncIterator, Callable, Sequence

from tavolata._engine.table.table_state import TableState
from tavolata_protocol.announcements import MAX_NAME, Announcement, clean
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.io.discovery import Announcer
from tavolata_protocol.io.interfaces import interfaces, spoken, way_out
from tavolata_protocol.io.opening import open_socket

LOOK_AGAIN = 1.0
"""Seconds between two checks of the number of free seats."""


def everywhere() -> list[str]:
    """The addresses to listen at, so that the table is reached from every network by IPv4 and IPv6."""
    hosts = ["0.0.0.0"]  # noqa: S104 - a table is there to be joined
    if socket.has_ipv6:
        with contextlib.suppress(AddressUnavailable), open_socket("::", 0):
            hosts.append("::")
    return hosts


def own_address(bound: Sequence[str], port: int, usual: int) -> str:
    """The address that people tell the others; empty if this machine does not know it."""
    host = own_host(bound)
    return spoken((host, port), usual) if host else ""


def own_host(bound: Sequence[str]) -> str:
    """The host part of `own_address`; a link-local address has its scope."""
    named = [host for host in bound if not ipaddress.ip_address(host.partition("%")[0]).is_unspecified]
    near = [host for one in interfaces(bound) for host in one.hosts]
    ways = [way_out(6 if ":" in host else 4) for host in bound]
    return next(filter(None, [*named, *ways, *sorted(near, key=lambda host: "%" in host)]), "")


def free_seats(state: TableState, at_first: int) -> int:
    """The number of free seats; `at_first` as long as the table does not know it."""
    if not state.lobby.seats:
        return at_first
    return state.lobby.free


@contextlib.asynccontextmanager
async def announced(
    table: bytes,
    name: Callable[[], str],
    game: Callable[[], str],
    bound: Sequence[str],
    port: int,
    free: Callable[[], int],
    *,
    private: bool = False,
) -> AsyncIterator[None]:
    """Announce a table while the context is open.

    Args:
        table: its id.
        name: returns the host's name.
        game: returns the name of the game.
        bound: the addresses that it listens at; if they are only on this machine, nothing is announced.
        port: its port.
        free: returns the number of free seats.
        private: whether joining takes a code.
    """
    if all(ipaddress.ip_address(host.partition("%")[0]).is_loopback for host in bound):
        yield
        return

    def announcer() -> Announcer:
        now = Announcement(table, clean(name(), MAX_NAME), game(), port, private, _bounded(free()))
        return Announcer(now, bound)

    async with contextlib.AsyncExitStack() as stack:
        first = await stack.enter_async_context(announcer())
        watch = asyncio.create_task(_keep_up(stack, first, announcer, lambda: (name(), game()), free))
        try:
            yield
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)


@contextlib.asynccontextmanager
async def announced_as_heir(
    table: bytes, state: TableState, me: bytes, bound: Sequence[str], port: int, orphaned: Callable[[], bool]
) -> AsyncIterator[None]:
    """Announce a joined table once this peer takes over from the host, so that others find it.

    It is also announced when nobody leads it any more. Then its members find the way back, and nobody else
    is let in.

    Args:
        table: its id.
        state: the table.
        me: the own identity.
        bound: the addresses that this peer listens at.
        port: its port.
        orphaned: returns whether nobody leads.
    """

    def free() -> int:
        return 0 if orphaned() else free_seats(state, 0)

    async def wait() -> None:
        while state.lobby.closed or not (state.matches.steward == me or orphaned()):  # noqa: ASYNC110 - the state is looked at, it calls nobody
            await asyncio.sleep(LOOK_AGAIN)
        private = state.lobby.keys is not None
        name, game = lambda: state.roster.name_of(me), lambda: state.lobby.rules.name
        async with announced(table, name, game, bound, port, free, private=private):
            await asyncio.Event().wait()

    waiting = asyncio.create_task(wait())
    try:
        yield
    finally:
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)


async def _keep_up(
    stack: contextlib.AsyncExitStack,
    announcer: Announcer,
    anew: Callable[[], Announcer],
    said: Callable[[], tuple[str, str]],
    free: Callable[[], int],
) -> None:
    """Announce changes of the number of free seats; another name or game needs a new announcement."""
    now = said()
    while True:
        await asyncio.sleep(LOOK_AGAIN)
        if said() != now:
            now = said()
            await stack.aclose()
            announcer = await stack.enter_async_context(anew())
        announcer.update(_bounded(free()))


def _bounded(free: int) -> int:
    return max(0, min(free, 255))
