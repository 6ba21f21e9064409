"""The witness of a log file: how far that file had come, remembered where no backup of it is.

A copy of the log that was restored from a backup votes twice, and lacks entries that it acknowledged. Its
witness is in the cache folder, so it isn't restored along with the log. It is written after the log is
synced, and never synced itself: a power cut can only make it older, so it never accuses a copy that forgot
nothing.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tavolata._machine import disk
from tavolata_protocol.identity import PeerId

_SIZE = 32
_MACHINE = Path("/etc/machine-id")


class LogWitness:
    """The number of records in a log file, and a hash over them and this machine.

    `path` is None where no witness is wanted. Nothing is raised if the folder can't be written: then there is
    no witness, and no protection.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.begin()
        self._seen = self._read()

    def begin(self) -> None:
        """Count from the beginning of the file."""
        self.count, self._chain = 0, hashlib.blake2b(_machine_id(), digest_size=_SIZE - 8).digest()

    def _read(self) -> bytes:
        try:
            found = b"" if self._path is None else disk().read(self._path)
        except OSError:
            return b""
        return found if len(found) == _SIZE else b""

    @property
    def _now(self) -> bytes:
        return self.count.to_bytes(8, "big") + self._chain

    def note(self, record: bytes) -> bool:
        """Count a record; return True if the file is now where it had been when it was last seen."""
        self.count += 1
        self._chain = hashlib.blake2b(self._chain + record, digest_size=_SIZE - 8).digest()
        return self._now == self._seen

    @property
    def asks_for_more(self) -> bool:
        """True if a file has been seen that had records."""
        return int.from_bytes(self._seen[:8], "big") > 0

    @property
    def is_lost(self) -> bool:
        """True if a witness is wanted, and is missing or has seen no records."""
        return self._path is not None and not self.asks_for_more

    def write(self) -> None:
        """Remember that the noted records are synced."""
        self._write(self._now)

    def begin_again(self) -> None:
        """Forget all before the file is replaced, so that a crash between the two accuses nobody."""
        self.begin()
        self._write(self._now, sync=True)

    def _write(self, data: bytes, *, sync: bool = False) -> None:
        if self._path is None:
            return
        try:
            disk().make_folder(self._path.parent)
            file = disk().append(self._path)
            try:
                file.truncate(0)
                file.write(data)
                if sync:
                    file.sync()
            finally:
                file.close()
        except OSError:
            return


def witness_path(cache: str, table: bytes, peer: PeerId) -> Path:
    return Path(cache) / "witness" / f"{table.hex()}-{peer.hex()[:16]}"


def _machine_id() -> bytes:
    """Return what tells this machine from one with a copy of its folders, if the system has such a thing."""
    try:
        return disk().read(_MACHINE)
    except OSError:
        return b""
