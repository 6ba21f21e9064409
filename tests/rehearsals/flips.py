"""Flipped bits: of a file that a dead machine kept, and of a sound match file.

`tt verify` must not find such a match file right.

The record's checksums are made anew: else every flip would be found by them, and nothing behind them tried.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from tests.rehearsals.disk import MemoryDisk

from tavolata import _dirs
from tavolata._engine.match.header import HOST, Header
from tavolata._engine.review import verify
from tavolata._engine.storage import match_file
from tavolata._engine.storage.record_framing import framed, records
from tavolata._machine import disk
from tavolata.errors import MessageError
from tavolata.game import Game
from tavolata_protocol.admission import Entrance

COPY = "flipped.ttm"


def passes_flipped(path: Path, chance: Random, rules: Callable[[str], type[Game[Any]]]) -> str:
    """Return which flipped bit `tt verify` doesn't notice, or how it fails; "" if it says what is wrong."""
    bodies = [body for _, body in records(disk().read(path, Entrance.RECORDS), len(match_file.MAGIC))]
    number = chance.randrange(len(bodies))
    bit = chance.randrange(8 * len(bodies[number]))
    spoilt = bytearray(bodies[number])
    if spoilt[1] == match_file.SEEN and Header.of(match_file.read(path).header).dealer == HOST:
        return ""  # what a host has dealt has to be believed
    spoilt[bit // 8] ^= 1 << bit % 8
    bodies[number] = bytes(spoilt)
    copy = Path(_dirs.data_dir()) / COPY
    disk().replace(copy, match_file.MAGIC + b"".join(map(framed, bodies)))
    where = f"bit {bit} of record {number}, of kind {spoilt[1]}"
    try:
        kept = match_file.read(copy)
        header = Header.of(kept.header)
        verify.check(kept, header, rules(header.game))
    except MessageError:
        return ""
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        return f"{where}: {error!r}"
    return f"{where}: it passes"


def flip(chance: Random) -> str:
    """Flip a bit of a file in which this machine keeps a table or a match; return its name, or ""."""
    folder, here = Path(_dirs.data_dir()), disk()
    assert isinstance(here, MemoryDisk)
    found = *here.find(folder / "identities", "*/tables/*"), *here.find(match_file.folder(), "*.ttm")
    files = [file for file in found if here.state(file).size]
    if not files:
        return ""
    file = chance.choice(files)
    here.flip(file, chance.randrange(8 * here.state(file).size))
    return file.name
