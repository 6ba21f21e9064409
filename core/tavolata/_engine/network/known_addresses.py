"""Known addresses: where tables were joined before. A search for tables asks them again.

They are in a file in the data folder.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path

from tavolata import _dirs
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._text import one_line

MOST = 16


@dataclass(frozen=True)
class KnownAddress:
    """An address where a table was.

    Attributes:
        address: as people type it.
        name: the host's name.
    """

    address: str
    name: str


def known_addresses() -> list[KnownAddress]:
    """The addresses, the latest first; none if the file can't be read."""
    try:
        known = stored(_file())
        return [KnownAddress(one_line(one["address"], 80), one_line(one["name"], 24)) for one in known][:MOST]
    except (KeyError, TypeError):
        return []


def keep_address(address: str, name: str) -> None:
    """Store an address that worked; if that fails, it has to be found again."""
    others = [one for one in known_addresses() if one.address != address]
    keep(_file(), [asdict(one) for one in [KnownAddress(address, name), *others][:MOST]])


def _file() -> Path:
    return Path(_dirs.data_dir()) / "known_tables.json"
