"""Known addresses: where tables were joined before. A search for tables asks them again.

They are in a file in the data folder.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from tavolata import _dirs
from tavolata._engine.storage.atomic_json import keep
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
        stored = json.loads(_file().read_text(encoding="utf-8"))
        return [KnownAddress(one_line(one["address"], 80), one_line(one["name"], 24)) for one in stored][
            :MOST
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def keep_address(address: str, name: str) -> None:
    """Store an address that worked; if that fails, it has to be found again."""
    others = [one for one in known_addresses() if one.address != address]
    kept = [asdict(one) for one in [KnownAddress(address, name), *others][:MOST]]
    keep(_file(), kept)


def _file() -> Path:
    return Path(_dirs.data_dir()) / "known_tables.json"
