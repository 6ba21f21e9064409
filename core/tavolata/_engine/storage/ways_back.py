"""Files with the way back to a match at a table: what a machine needs to continue with it another day.

A file is beside the machine's copy of the table's log. It is written while a match is played that all deal
together, and removed when the match is over or was left for good.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from tavolata import _dirs, _machine
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._machine import disk

KEPT: Final = 30 * 24 * 3600.0
"""Seconds for which a suspended match is kept."""
SUFFIX: Final = ".way"
_Peer = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
_Port = Annotated[int, Meta(ge=0, le=65535)]


@dataclass(frozen=True)
class WayBack:
    """The way back to a match.

    `match` is the name of the match's file, without its suffix; `level` the bot that plays its own seat.
    `hosts` and `port` are where this machine listened, `addresses` where each other peer (by its hexadecimal
    identity) was reached last. `pages` are the TCP port and the token of its pages for browsers; None if it
    never served any. `unlike` allows machines with other code of the game. `watch` is for a machine without
    a seat. `anywhere` has it answer machines of other networks. `quiet` is as in `TableCard`.
    """

    match: str
    name: str
    level: str | None
    hosts: tuple[str, ...]
    port: _Port
    addresses: Mapping[_Peer, tuple[str, _Port]]
    pages: tuple[_Port, str] | None = None
    unlike: bool = False
    watch: bool = False
    anywhere: bool = False
    quiet: bool = False


@dataclass(frozen=True)
class FallNote:
    """Where acting on an entry of the log failed: in which match, at which entry and place in the code.

    `left_out` has the earlier entries at which everyone went back; the log still leads through them.
    """

    match: str
    entry: int
    place: str
    version: str
    left_out: tuple[int, ...] = ()


class WayFile:
    def __init__(self, path: Path) -> None:
        self.path = path
        self._kept: WayBack | None = None

    @property
    def table(self) -> bytes:
        return bytes.fromhex(self.path.stem)

    @property
    def log(self) -> Path:
        return self.path.with_suffix(".log")

    @property
    def secret(self) -> Path:
        return self.path.with_suffix(".key")

    @property
    def fell(self) -> Path:
        return self.path.with_suffix(".fell")

    def fall(self) -> FallNote | None:
        """Return where the match failed last time; None if it didn't, or the note can't be read."""
        with contextlib.suppress(ValueError, msgspec.MsgspecError):
            return msgspec.convert(stored(self.fell), FallNote)
        return None

    def keep_fall(self, note: FallNote) -> None:
        """Write where the match has failed; if that fails, the next fault there counts as the first."""
        keep(self.fell, asdict(note))

    def read(self) -> WayBack | None:
        """Return the way back; None if there isn't one that can be read."""
        with contextlib.suppress(ValueError, msgspec.MsgspecError):
            return msgspec.convert(stored(self.path), WayBack)
        return None

    def keep(self, way: WayBack) -> None:
        """Write the way back, if it has changed."""
        if way != self._kept and keep(self.path, asdict(way)):
            self._kept = way

    def forget(self) -> None:
        self._kept = None
        for path in (self.fell, self.path):
            with contextlib.suppress(OSError):
                disk().remove(path)


def way_file(folder: Path, table: bytes) -> WayFile:
    """Return the file of the way back to a table; `folder` is that of its own identity."""
    return WayFile(folder / "tables" / f"{table.hex()}{SUFFIX}")


def way_files() -> list[WayFile]:
    base = Path(_dirs.data_dir()) / "identities"
    return [WayFile(path) for path in disk().find(base, f"*/tables/*{SUFFIX}")]


def is_too_old(file: WayFile) -> bool:
    try:
        return _machine.wall() - disk().state(file.path).changed > KEPT
    except OSError:
        return False
