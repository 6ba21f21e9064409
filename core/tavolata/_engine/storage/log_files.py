"""Storage of a table's agreed log on disk: the protocol's records, framed and checked.

See `tavolata_protocol.grouplog.Storage` for the contract.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from tavolata._engine.storage.log_witness import LogWitness
from tavolata._engine.storage.match_file import StoreError
from tavolata._engine.storage.record_framing import framed, is_torn, records
from tavolata._machine import disk
from tavolata._trouble import trouble
from tavolata.messages import N_
from tavolata_protocol.admission import Entrance
from tavolata_protocol.errors import DamagedStore


class FileStorage:
    """An append-only file of records; a last record that a crash cut short is removed.

    `is_forgetful` says, once it is loaded, that it lacks records that its witness saw synced, and
    `is_doubtful` that it does, or that there is no witness.
    """

    def __init__(self, path: Path, witness: Path | None = None) -> None:
        disk().make_folder(path.parent)
        self._path = path
        self._open()
        self._waiting = bytearray()
        self._witness = LogWitness(witness)
        self.is_forgetful = self.is_doubtful = False
        self._is_named = False

    def _open(self) -> None:
        self._file = disk().append(self._path)
        self._file.lock()  # another window sees that it is in use

    def load(self) -> Iterable[bytes]:
        """Return all records; raise DamagedStore if one is broken that no crash can have cut short."""
        data = disk().read(self._path, Entrance.RECORDS)
        whole, found = 0, []
        for end, record in records(data):
            found.append(record)
            whole = end
        if not is_torn(data, whole):
            raise DamagedStore(f"The record at byte {whole} of {self._path} is damaged.")
        self._file.truncate(whole)
        self._witness.begin()
        known = [self._witness.note(record) for record in found]
        self.is_forgetful = bool(found) and self._witness.asks_for_more and not any(known)
        self.is_doubtful = self.is_forgetful or (bool(found) and self._witness.is_lost)
        return found

    def trust(self) -> None:
        self.is_doubtful = False

    def append(self, record: bytes) -> None:
        self._waiting += framed(record)
        self._witness.note(record)

    def flush(self) -> None:
        """Hand everything that was appended to the system; raise StoreError if the disk can't keep it."""
        self._put()

    def sync(self) -> None:
        """Have the disk keep everything that was appended; raise StoreError if it can't."""
        self._put(sync=True)

    def _put(self, *, sync: bool = False) -> None:
        data = bytes(self._waiting)
        self._waiting.clear()  # a record that is torn is cut off when the file is read
        try:
            self._file.write(data)
            if sync:
                self._file.sync()
                if not self._is_named:
                    disk().sync_folder(self._path.parent)
                    self._is_named = True
                self._see()
        except OSError as error:
            self._witness.close()
            self._witness = LogWitness(None)  # what it noted isn't in the file
            raise self._trouble(error) from error

    def _trouble(self, error: OSError) -> StoreError:
        return StoreError(
            N_("Couldn't save the table in {path}: {problem}. Fix that, or set TT_DATA_DIR "
               "to another folder."),
            path=self._path, problem=trouble(error),
        )  # fmt: skip

    def replace(self, records: Iterable[bytes]) -> bool:
        """Replace the file by these records, synced; False if the disk has no room for both files.

        Raise StoreError if it was done, and the disk can't keep that, or if the file can't be opened again.
        """
        self._file.close()  # some systems don't replace a file that is open
        records = list(records)
        self._witness.forget()
        try:
            disk().replace(self._path, b"".join(map(framed, records)))
        except OSError:
            self._witness.recall()
            return False
        finally:
            try:
                self._open()
            except OSError as error:  # on Windows, another program may keep it for itself
                self._waiting.clear()
                raise self._trouble(error) from error
        self._waiting.clear()
        self._witness.begin()
        for record in records:
            self._witness.note(record)
        self._is_named = False
        self.sync()
        return True

    def _see(self) -> None:
        """Let the witness remember what is synced, unless nobody has vouched for the records before it."""
        if not self.is_doubtful:
            self._witness.write()

    def close(self) -> None:
        try:
            if self._waiting:
                self.sync()
        finally:
            self._witness.close()
            self._file.close()
