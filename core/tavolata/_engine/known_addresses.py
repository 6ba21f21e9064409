"""Addresses where a table was joined before, in the data folder: asked again when one looks for tables."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from tavolata import _dirs
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
    path = _file()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.new")
        draft.write_text(json.dumps(kept, indent=1), encoding="utf-8")
        draft.replace(path)
    except OSError:
        return


def _file() -> Path:
    return Path(_dirs.data_dir()) / "known_tables.json"
