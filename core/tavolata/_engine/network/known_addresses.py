"""Addresses where a table was joined before, in the data folder: asked again when one looks for tables."""

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
    """Where a table was.

    Attributes:
        address: as one would type it.
        name: the host's name.
    """

    address: str
    name: str


def known_addresses() -> list[KnownAddress]:
    """The addresses, the last one first; an unreadable file counts as none."""
    try:
        stored = json.loads(_file().read_text(encoding="utf-8"))
        return [KnownAddress(one_line(one["address"], 80), one_line(one["name"], 24)) for one in stored][
            :MOST
        ]
    except (OSError, ValueError, KeyError, TypeError):
        return []


def keep_address(address: str, name: str) -> None:
    """Remember an address that worked; where that can't be stored, it has to be found anew."""
    others = [one for one in known_addresses() if one.address != address]
    kept = [asdict(one) for one in [KnownAddress(address, name), *others][:MOST]]
    keep(_file(), kept)


def _file() -> Path:
    return Path(_dirs.data_dir()) / "known_tables.json"
