"""Tables on the network, as a list for people to choose from; the protocol package does the search."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from tavolata import _machine
from tavolata._engine.network.joining import PORT, split_address
from tavolata._engine.network.known_peers import known_addresses
from tavolata._engine.network.table_errors import Unreachable
from tavolata.messages import N_
from tavolata_protocol.addresses import Address
from tavolata_protocol.io.discovery import Search
from tavolata_protocol.io.interfaces import spoken
from tavolata_protocol.io.sockets import resolve
from tavolata_protocol.sightings import Rung, SightedTable, rank

PATIENCE = 3.0
"""Seconds that a search for tables takes."""
GRACE = 1.0
"""Seconds to wait for an address of a table that is easier to type than a link-local one."""
SILENT = N_(
    "{name} announced a table at {address}, but nothing answers there: the table has closed, or a firewall "
    "on that computer is blocking UDP port {port}."
)


MANY_SILENT = N_("{n} tables were announced but didn't answer.")
FEW = 3
"""So many silent tables are named; of more, only the number is said."""


@dataclass(frozen=True)
class FoundTable:
    """A table that answers, or one that was announced and does not answer.

    `address` is the best of `addresses`, as people type it; `rungs` says how it was found, in the protocol's
    words. Of an address that is only remembered, the last host's `name` is known, but no `game` and no
    `free`.
    """

    key: str
    address: str
    addresses: tuple[str, ...]
    name: str
    game: str
    private: bool
    free: int | None
    rungs: tuple[str, ...]

    def params(self) -> dict[str, Any]:
        return {**asdict(self), "port": split_address(self.address)[1]}


class Finder:
    def __init__(self, search: Search, names: dict[Address, str]) -> None:
        self._search = search
        self._names = names

    async def tables(self, seconds: float | None) -> AsyncGenerator[list[FoundTable], None]:
        """Yield all tables that answer whenever they change, for this many seconds (None: for ever).

        An address that is only remembered comes last, because its host may still say what it plays.
        """
        before: list[FoundTable] = []
        told: set[str] = set()
        began = asyncio.get_running_loop().time()
        async for tables in self._search.changes(seconds):
            early = asyncio.get_running_loop().time() - began < GRACE
            now = []
            for listed in tables:
                one = self._said(listed, listed.addresses)
                good = listed.is_settled and not (early and "%" in one.address)
                if one.key in told or (good and (one.free is not None or seconds is None)):
                    told.add(one.key)
                    now.append(one)
            if now != before:
                before = now
                yield now
        last = [self._said(one, one.addresses) for one in self._search.directory.tables()]
        if last != before:
            yield last

    def silent(self) -> list[tuple[str, Mapping[str, Any]]]:
        """Return a sentence for each announced table that doesn't answer, or one for all of many."""
        found = self._search.directory.silent()
        if len(found) > FEW:
            return [(MANY_SILENT, {"n": len(found)})]
        return [(SILENT, self._said(one, sorted(one.alive, key=rank)).params()) for one in found]

    @property
    def faults(self) -> list[OSError]:
        """The system's errors where no question could be sent."""
        return self._search.beacon.faults

    def _said(self, one: SightedTable, addresses: list[Address]) -> FoundTable:
        said, texts = one.announcement, tuple(spoken(address, PORT) for address in addresses)
        rungs = tuple(Rung(rung).name.lower() for rung in sorted(one.rungs))
        if said is None:
            name = self._names.get(addresses[0], "")
            return FoundTable(texts[0], texts[0], texts, name, "", private=False, free=None, rungs=rungs)
        return FoundTable(
            said.table.hex(), texts[0], texts, said.name, said.game,
            private=said.private, free=said.free, rungs=rungs,
        )  # fmt: skip


@contextlib.asynccontextmanager
async def finder() -> AsyncIterator[Finder]:
    """Search for tables on all networks of this machine, and at addresses where tables were before."""
    names: dict[Address, str] = {}
    for known in known_addresses():
        with contextlib.suppress(Unreachable):
            for address in await resolve(*split_address(known.address)):
                names.setdefault(address, known.name)
    async with Search(_machine.token, list(names)) as search:
        yield Finder(search, names)


def nothing_found() -> Unreachable:
    return Unreachable(
        N_("No table found. Ask the host for the address and run `tt join ADDRESS`, or "
           "run `tt doctor`.")
    )  # fmt: skip
