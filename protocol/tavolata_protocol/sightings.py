"""The directory of found tables: results of every search method, merged, ranked and checked.

An announcement can outlive its host, arrive by several methods and name several addresses. A remembered
address has no announcement. Only tables that answer are listed. `io` searches and probes; this module keeps
the results.
"""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from enum import IntEnum

from tavolata_protocol.addresses import Address, machine
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.announcements import Announcement

MAX_ADDRESSES = 16
"""The most addresses that are kept for one table."""
MOST_ASKED = 128
"""The most tables that are in the directory while nobody knows whether they answer."""


class Rung(IntEnum):
    """The ways to find tables, the best first."""

    MDNS = 1
    BROADCAST = 2
    REMEMBERED = 3


@dataclass(frozen=True, slots=True)
class Sighting:
    """One result of a search: an announced table, or a remembered address without an announcement."""

    address: Address
    rung: Rung
    announcement: Announcement | None = None


@dataclass(slots=True)
class SightedTable:
    """One table; without an announcement, only an address is known, otherwise it is the newest one.

    `rungs` says how it was found. `alive` has the state of each of its addresses: True answers, False is
    silent, None is not known yet.
    """

    announcement: Announcement | None
    rungs: set[Rung] = field(default_factory=set)
    alive: dict[Address, bool | None] = field(default_factory=dict)

    @property
    def addresses(self) -> list[Address]:
        """The addresses at which it answers, the best first."""
        return sorted((address for address, alive in self.alive.items() if alive), key=rank)

    @property
    def is_settled(self) -> bool:
        """True if the best of its addresses that are not known to be silent has answered."""
        hopeful = [address for address, alive in self.alive.items() if alive is not False]
        return bool(hopeful) and self.alive[min(hopeful, key=rank)] is True

    @property
    def is_silent(self) -> bool:
        """True if it was announced, and answers at no address."""
        return self.announcement is not None and all(alive is False for alive in self.alive.values())


class Directory:
    """The tables that were seen; their number is bounded, because anybody can announce more."""

    def __init__(self) -> None:
        self._tables: dict[bytes, SightedTable] = {}
        self._bare: dict[Address, SightedTable] = {}

    def saw(self, sighting: Sighting) -> bool:
        """Take a sighting; return whether its address is new, and has to be asked."""
        address, said = sighting.address, sighting.announcement
        known = self._at(address)
        if said is None:
            listed = known[0] if known else self._bare.setdefault(address, SightedTable(None))
        else:
            listed = self._tables.get(said.table) or SightedTable(said)
            if not self._has_room(listed, sighting):
                return False
            self._tables[said.table] = listed
            listed.announcement = said
            if (bare := self._bare.pop(address, None)) is not None:
                listed.rungs |= bare.rungs
                listed.alive.update(bare.alive)
        listed.rungs.add(sighting.rung)
        if address in listed.alive:
            return False
        listed.alive[address] = None
        return True

    def _has_room(self, listed: SightedTable, sighting: Sighting) -> bool:
        """Return True if a sighting can be stored; a new table replaces the oldest that answers nowhere.

        Tables that are being asked keep none of the others out.
        """
        if sighting.address in listed.alive:
            return True
        host, limit = machine(sighting.address), LIMITS[Entrance.TABLES]
        of_host = sum(any(machine(address) == host for address in one.alive) for one in self._tables.values())
        if len(listed.alive) >= MAX_ADDRESSES or (not listed.alive and of_host >= limit.source):
            return False
        if listed.alive or len(self._tables) < limit.whole or self._forget_silent():
            return True
        answering = sum(bool(one.addresses) for one in self._tables.values())
        return answering < limit.whole and len(self._tables) < MOST_ASKED

    def _forget_silent(self) -> bool:
        """Forget the oldest table that answers nowhere; return False without one."""
        silent = next((table for table, one in self._tables.items() if one.is_silent), None)
        if silent is not None:
            del self._tables[silent]
        return silent is not None

    def knows(self, address: Address) -> bool:
        """Return True if a table was announced at this address, or is remembered there."""
        return bool(self._at(address))

    def has_answered(self, address: Address) -> bool:
        """Return True if a table answered here when it was last asked, so it may be asked again."""
        return any(one.alive[address] for one in self._at(address))

    def addresses_of(self, table: bytes) -> list[Address]:
        """Return the addresses that are announced for a table."""
        listed = self._tables.get(table)
        return [] if listed is None else list(listed.alive)

    def answered(self, address: Address, *, alive: bool) -> list[SightedTable]:
        """Take the result of asking an address; return the tables that have this address."""
        told = self._at(address)
        for listed in told:
            listed.alive[address] = alive
        while len(self._tables) > LIMITS[Entrance.TABLES].whole and self._forget_silent():
            pass
        return told

    def tables(self) -> list[SightedTable]:
        """Return the tables that answer, one for each address, in an order that does not change with time.

        A killed host stays announced while the next host answers at its address. So for one address, a table
        that answered a broadcast comes before the others, and then the one seen last.
        """
        newest = [one for one in reversed(self._all()) if one.addresses]
        kept: list[SightedTable] = []
        taken: set[Address] = set()
        for one in sorted(newest, key=lambda one: Rung.BROADCAST not in one.rungs):
            if not taken.intersection(one.addresses):
                kept.append(one)
                taken.update(one.addresses)
        return sorted(kept, key=_order)

    def silent(self) -> list[SightedTable]:
        """Return the announced tables that answer nowhere."""
        return sorted((one for one in self._all() if one.is_silent), key=_order)

    def addresses(self) -> list[Address]:
        """Return all addresses at which there may be a table."""
        return list(dict.fromkeys(address for one in self._all() for address in one.alive))

    def _all(self) -> list[SightedTable]:
        return [*self._tables.values(), *self._bare.values()]

    def _at(self, address: Address) -> list[SightedTable]:
        return [one for one in self._all() if address in one.alive]


def rank(address: Address) -> tuple[int, str]:
    """Return the order in which addresses are tried and shown: addresses that people can type come first."""
    host = ipaddress.ip_address(address[0].partition("%")[0])
    if host.is_link_local:
        return (2 + (host.version == 6), address[0])
    return (int(host.version == 6), address[0])


def _order(listed: SightedTable) -> tuple[str, str, bytes]:
    said = listed.announcement
    if said is None:
        return ("", str(min(listed.alive, key=rank)), b"")
    return (said.name.casefold(), said.game, said.table)
