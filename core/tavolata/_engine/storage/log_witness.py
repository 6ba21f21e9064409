"""The witness of a log file: how far that file had come, remembered where no backup of it is.

A copy of the log that was restored from a backup votes twice, and lacks entries that it acknowledged. Its
witness is in the cache folder, so it isn't restored along with the log. Its last 32 bytes count; they are
added after the log is synced, and never synced themselves: a power cut can only make it older, so it never
accuses a copy that forgot nothing.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from tavolata._disk import OpenFile
from tavolata._machine import disk
from tavolata_protocol.identity import PeerId

_SIZE = 32
_MOST = 2048 * _SIZE
"""The bytes of the file before it begins again: adding to it costs a tenth of replacing it."""
_MACHINE = Path("/etc/machine-id")


class LogWitness:
    """The number of records in a log file, and a hash over them and this machine.

    `path` is None where no witness is wanted. Nothing is raised if the folder can't be written: then there is
    no witness, and no protection.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._file: OpenFile | None = None
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
        return found[: len(found) // _SIZE * _SIZE][-_SIZE:]

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
        self._seen = self._now
        self._write(self._seen)

    def forget(self) -> None:
        """Forget all before the file is replaced, so that a crash between the two accuses nobody."""
        self._write(bytes(_SIZE), afresh=True)

    def recall(self) -> None:
        """Remember again what was forgotten: the file wasn't replaced."""
        self._write(self._seen)

    def _write(self, seen: bytes, *, afresh: bool = False) -> None:
        """Add this to the file; `afresh` in a file that begins again, synced."""
        if self._path is None:
            return
        try:
            if self._file is None:
                disk().make_folder(self._path.parent)
                self._file = disk().append(self._path)
                self._file.truncate(self._file.size // _SIZE * _SIZE)
            if afresh or self._file.size >= _MOST:
                self._file.truncate(0)
            self._file.write(seen)
            if afresh:
                self._file.sync()
        except OSError:
            return

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def witness_path(cache: str, table: bytes, peer: PeerId) -> Path:
    return Path(cache) / "witness" / f"{table.hex()}-{peer.hex()[:16]}"


def _machine_id() -> bytes:
    """Return what tells this machine from one with a copy of its folders, if the system has such a thing."""
    try:
        return disk().read(_MACHINE)
    except OSError:
        return b""
