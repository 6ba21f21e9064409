"""The disk of a machine: all that the engine does with files, and what it takes to have a drive keep them.

After a power cut a file has its old content or its new one, whole, if what is written here is synced: the
content by `OpenFile.sync`, and the names of new, renamed and removed files by `Disk.sync_folder`. Code gets
the disk of its machine from `_machine.disk`. Every operation raises OSError if the system refuses it.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import closing, suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tavolata_protocol.admission import Entrance

if sys.platform == "win32":
    import msvcrt

    _BEHIND_EVERYTHING = 2**30  # Windows forbids reading locked bytes, so a byte behind the file is locked

    def _lock(file: FileIO) -> None:
        file.seek(_BEHIND_EVERYTHING)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: FileIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


_REFUSED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOTTY, errno.EOPNOTSUPP})
"""The errors with which a volume refuses to flush its drive; any other one is a loss of data."""


def sync(descriptor: int) -> None:
    """Wait until the drive has everything that was written to an open file."""
    if sys.platform != "win32":
        flush = getattr(fcntl, "F_FULLFSYNC", None)
        if flush is not None:  # on macOS, `fsync` leaves the data in the drive's cache
            try:
                fcntl.fcntl(descriptor, flush)
            except OSError as error:
                if error.errno not in _REFUSED:
                    raise
            else:
                return
    os.fsync(descriptor)


def _most(row: Entrance | None) -> int:
    from tavolata_protocol.admission import LIMITS, Entrance  # a start needs no protocol

    return LIMITS[row or Entrance.FILES].size


class FileState(NamedTuple):
    """The size of a file in bytes, and when its content changed, in nanoseconds since 1970."""

    size: int
    changed_ns: int

    @property
    def changed(self) -> float:
        return self.changed_ns / 1e9


class OpenFile:
    """A file that is open for appending, unbuffered: the system has what is written even if we are killed."""

    def __init__(self, file: FileIO) -> None:
        self._file = file

    @property
    def size(self) -> int:
        return self._file.seek(0, os.SEEK_END)

    def write(self, data: bytes) -> None:
        """Append data; if that fails, for example on a full disk, the file ends as before."""
        before = self.size
        if self._file.write(data) < len(data):
            self._file.truncate(before)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def truncate(self, size: int) -> None:
        self._file.truncate(size)

    def sync(self) -> None:
        """Wait until the drive has the content; `Disk.sync_folder` makes a new name last."""
        sync(self._file.fileno())

    def lock(self) -> bool:
        """Lock the file until it is closed, or this process ends; False if another one has locked it.

        If the file system has no locks, this returns True.
        """
        try:
            _lock(self._file)
        except OSError as error:
            return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
        return True

    def close(self) -> None:
        self._file.close()


class Disk:
    """The file system."""

    def read(self, path: Path, row: Entrance | None = None) -> bytes:
        """Return a whole file; raise OSError if it's longer than its row allows, by default that of FILES.

        A pipe or a device has no size, so it's read piece by piece.
        """
        parts, left = list[bytes](), _most(row)
        with path.open("rb") as file:
            while part := file.read(1 << 20):
                parts.append(part)
                left -= len(part)
                if left < 0:
                    raise OSError(errno.EFBIG, os.strerror(errno.EFBIG), str(path))
        return b"".join(parts)

    def append(self, path: Path, *, new: bool | None = None, mode: int = 0o666) -> OpenFile:
        """Open a file for appending, creating it if necessary.

        If `new` is True, it must not exist yet; if it's False, it must.
        """
        flags, kept = "xb" if new else "ab", ~os.O_CREAT if new is False else -1
        return OpenFile(FileIO(path, flags, opener=lambda name, how: os.open(name, how & kept, mode)))

    def replace(self, path: Path, data: bytes, mode: int = 0o666) -> None:
        """Replace the content of a file, or make the file; `sync_folder` makes that last.

        If that fails, the file is as before.
        """
        draft = self._draft(path)
        try:
            with closing(self.append(draft, mode=mode)) as file:
                file.truncate(0)
                file.write(data)
                file.sync()
            self.rename(draft, path)
        except OSError:
            with suppress(OSError):
                self.remove(draft)
            raise

    def _draft(self, path: Path) -> Path:
        return path.with_name(f"{path.name}.{os.getpid()}.new")  # other processes may replace the same file

    def overwrite(self, path: Path, data: bytes) -> None:
        """Write over the first bytes of a file in place, and wait until the drive has them."""
        with FileIO(path, "r+b") as file:
            file.write(data)
            sync(file.fileno())

    def rename(self, path: Path, to: Path) -> None:
        """Rename a file, in place of any other of the new name; `sync_folder` makes that last."""
        os.replace(path, to)

    def remove(self, path: Path) -> None:
        """Remove a file, if it exists; `sync_folder` makes that last."""
        path.unlink(missing_ok=True)

    def find(self, folder: Path, pattern: str) -> list[Path]:
        """Return the paths in a folder that match a pattern, in order; none if the folder doesn't exist."""
        return sorted(folder.glob(pattern))

    def latest(self, folder: Path, pattern: str) -> list[Path]:
        """Return the paths as `find` does, those last changed first, without those where no file is now."""
        changed = {}
        for path in self.find(folder, pattern):
            with suppress(OSError):
                changed[path] = self.state(path).changed_ns
        return sorted(changed, key=changed.__getitem__, reverse=True)

    def is_file(self, path: Path) -> bool:
        return path.is_file()

    def state(self, path: Path) -> FileState:
        found = path.stat()
        return FileState(found.st_size, found.st_mtime_ns)

    def make_folder(self, folder: Path, mode: int = 0o777) -> None:
        """Make a folder and those above it that are missing, and make them last; `mode` is the last one's."""
        missing = [one for one in (folder, *folder.parents) if not one.is_dir()]
        folder.mkdir(mode, parents=True, exist_ok=True)
        for made in missing:
            with suppress(OSError):  # what is above may belong to others, who let nobody read it
                self.sync_folder(made.parent)

    def sync_folder(self, folder: Path) -> None:
        """Wait until the drive has the names in a folder, where a system can do that."""
        if os.name == "posix":
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                sync(descriptor)
            finally:
                os.close(descriptor)
