"""Announcements of a table on the network: by its host, and by whoever takes over from the host."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from tavolata._engine.network.ways import Ways
from tavolata._engine.table.table_state import TableState
from tavolata._tasks import cancel
from tavolata_protocol.addresses import is_loopback
from tavolata_protocol.announcements import MAX_NAME, Announcement
from tavolata_protocol.errors import AddressUnavailable
from tavolata_protocol.io.discovery import Announcer
from tavolata_protocol.io.opening import open_socket
from tavolata_protocol.printable import admit

LOOK_AGAIN = 1.0
"""Seconds between two checks of the number of free seats."""


def everywhere() -> list[str]:
    """Return the addresses to listen at, so that the table is reached from every network by IPv4 and IPv6."""
    hosts = ["0.0.0.0"]  # noqa: S104 - a table is there to be joined
    if socket.has_ipv6:
        with contextlib.suppress(AddressUnavailable), open_socket("::", 0):
            hosts.append("::")
    return hosts


def free_seats(state: TableState, at_first: int) -> int:
    """Return the number of free seats; `at_first` as long as the table does not know it."""
    return state.lobby.open_places if state.lobby.seats else at_first


@contextlib.asynccontextmanager
async def announced(said: Callable[[], Announcement | None], ways: Ways) -> AsyncIterator[None]:
    """Announce a table while the context is open, unless it listens only for this machine itself.

    `said` returns the current announcement; None while there isn't one.
    """
    if all(map(is_loopback, ways.bound)):
        yield
        return
    following = asyncio.create_task(_follow(said, ways))
    try:
        yield
    finally:
        await cancel(following)


async def _follow(said: Callable[[], Announcement | None], ways: Ways) -> None:
    """Only the number of free seats changes in an announcement; for all else a new one is made."""
    while True:
        if (now := said()) is not None:
            first = now
            async with Announcer(first, lambda: ways.interfaces, lambda: ways.shown_hosts) as announcer:
                while now is not None and replace(now, free=first.free) == first:
                    announcer.update(now.free)
                    await asyncio.sleep(LOOK_AGAIN)
                    now = said()
        if now is None:
            await asyncio.sleep(LOOK_AGAIN)


def as_host(
    table: bytes,
    name: Callable[[], str],
    game: Callable[[], str],
    port: int,
    free: Callable[[], int],
    *,
    private: bool,
) -> Callable[[], Announcement]:
    return lambda: _announcement(table, name(), game(), port, private, free())


def as_heir(
    table: bytes, state: TableState, me: bytes, port: int, orphaned: Callable[[], bool]
) -> Callable[[], Announcement | None]:
    """Announce the table while this guest leads it in the host's stead, so that others find it.

    It is also announced when nobody leads it any more. Then its members find the way back, and nobody else
    is let in. A peer that has left has no name there any more, and no table to announce.
    """

    def said() -> Announcement | None:
        alone, lobby = orphaned(), state.lobby
        if lobby.closed or not state.roster.belongs(me) or not (alone or state.matches.coordinator == me):
            return None
        name, free = state.roster.name_of(me), 0 if alone else free_seats(state, 0)
        return _announcement(table, name, lobby.rules.name, port, lobby.keys is not None, free)

    return said


def _announcement(table: bytes, name: str, game: str, port: int, private: bool, free: int) -> Announcement:
    return Announcement(table, admit(name, MAX_NAME), game, port, private, max(0, min(free, 255)))
