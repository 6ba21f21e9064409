"""Known peers: their names and keys, judged by what was known when the session began, and addresses.

Fellow players are remembered. A peer met for the first time counts as new for the whole session. A search for
tables asks the addresses again where tables were joined before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path

from tavolata import _dirs, _machine
from tavolata._engine.network.identities import own_seeds
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._text import one_line
from tavolata_protocol.identity import Acquaintance, Identity, KnownNames, PeerId

_KEY_SIZE = 32
_LATEST = 1 << 35  # seconds: no date of ours is later, and all systems can show it


def known_names() -> KnownNames:
    """Return the names and keys that were met before, without what can't be read in the file."""
    names, known = KnownNames(), stored(_names_file())
    for name, one in known.items() if isinstance(known, dict) else ():
        for key, when in one.items() if isinstance(one, dict) else ():
            with suppress(ValueError, TypeError):
                if len(bytes.fromhex(key)) == _KEY_SIZE and 0 <= when < _LATEST:
                    names.remember(name, PeerId(bytes.fromhex(key)), when)
    return names


def keep_names(names: KnownNames) -> None:
    """Store the names and keys; if that fails, these people count as new at the next meeting."""
    keep(
        _names_file(),
        {
            name: {bytes(key).hex(): when for key, when in keys.items()}
            for name, keys in names.snapshot().items()
        },
    )


def _names_file() -> Path:
    return Path(_dirs.data_dir()) / "known_names.json"


class KnownPeers:
    """The names and keys that this machine knew when this was made, and those it meets."""

    def __init__(self) -> None:
        self._before = known_names()
        self._confirmed: set[tuple[str, PeerId]] = set()

    def judge(self, name: str, peer: PeerId) -> Acquaintance:
        if (name.casefold(), peer) in self._confirmed:
            return Acquaintance.KNOWN
        return self._before.judge(name.casefold(), peer)

    def remember(self, name: str, peer: PeerId) -> None:
        """Bind a name to a key from now on, beside others of that name: somebody has decided so."""
        self._confirmed.add((name.casefold(), peer))
        self._keep([(name, peer)])

    def met_on(self, name: str) -> str:
        """Return the day when the newest key of a name was met first, as in 2026-11-12; empty if unknown."""
        when = self._before.last_met(name.casefold())
        return dt.datetime.fromtimestamp(when, dt.UTC).date().isoformat() if when else ""

    def played_with(self, people: Iterable[tuple[str, PeerId]]) -> None:
        """Record the keys of new people; keep the old key of anyone whose key has changed."""
        fresh = [
            (name, peer)
            for name, peer in people
            if self.judge(name, peer) is Acquaintance.FIRST_SEEN and peer not in self._here
        ]
        if fresh:
            self._keep(fresh)

    @cached_property
    def _here(self) -> frozenset[PeerId]:
        """The keys of this machine's own `tt`s, which sit down under any name."""
        return frozenset(Identity(seed).peer for seed in own_seeds())

    def _keep(self, people: Iterable[tuple[str, PeerId]]) -> None:
        names = known_names()  # another `tt` may have met somebody meanwhile
        for name, peer in people:
            names.remember(name.casefold(), peer, _machine.wall())
        keep_names(names)


MOST_ADDRESSES = 16


@dataclass(frozen=True)
class KnownAddress:
    address: str
    name: str


def known_addresses() -> list[KnownAddress]:
    """Return the addresses, the latest first, without what can't be read in the file."""
    found, known = list[KnownAddress](), stored(_addresses_file())
    for one in known if isinstance(known, list) else ():
        with suppress(KeyError, TypeError):
            found.append(KnownAddress(one_line(one["address"], 80), one_line(one["name"], 24)))
    return found[:MOST_ADDRESSES]


def keep_address(address: str, name: str) -> None:
    """Store an address that worked; if that fails, it has to be found again."""
    others = [one for one in known_addresses() if one.address != address]
    keep(_addresses_file(), [asdict(one) for one in [KnownAddress(address, name), *others][:MOST_ADDRESSES]])


def _addresses_file() -> Path:
    return Path(_dirs.data_dir()) / "known_tables.json"
