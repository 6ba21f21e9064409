"""The copy of a table's agreed log on disk: the protocol's records, framed and checked.

See `tavolata_protocol.grouplog.Storage` for the contract.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from tavolata._engine.frames import framed, records


class FileStorage:
    """An append-only file of records; a record that a crash cut short is cut off with all behind it.

    Args:
        path: the file; made if it is not there.
    """

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("a+b", buffering=0)
        self._waiting = bytearray()

    def load(self) -> Iterable[bytes]:
        """All whole records."""
        self._file.seek(0)
        data = self._file.read()
        whole, found = 0, []
        for end, record in records(data):
            found.append(record)
            whole = end
        self._file.truncate(whole)
        return found

    def append(self, record: bytes) -> None:
        """Add a record; `sync` puts it on disk."""
        self._waiting += framed(record)

    def sync(self) -> None:
        """Have the disk keep everything that was appended."""
        self._file.write(self._waiting)
        self._waiting.clear()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        """Write what is left and close."""
        if self._waiting:
            self.sync()
        self._file.close()
