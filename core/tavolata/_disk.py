"""Durability of files: after a power cut a file has its old content or its new one, whole.

Every file that must survive a crash of the machine is synced here, because systems differ in what that takes.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress

if sys.platform != "win32":
    import fcntl

_REFUSED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.ENOTTY, errno.EOPNOTSUPP})
"""The errors with which a volume refuses to flush its drive; any other one is a loss of data."""


def sync(descriptor: int) -> None:
    """Wait until the drive has everything that was written to an open file.

    Raises:
        OSError: the drive can't keep it.
    """
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


def sync_folder(folder: str | os.PathLike[str]) -> None:
    """Wait until the drive has the names in a folder, where a system can do that.

    Raises:
        OSError: the drive can't keep them.
    """
    if os.name == "posix":
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


def write(path: str | os.PathLike[str], data: bytes, flags: int, mode: int = 0o666) -> None:
    """Open a file with these flags, write it and sync it.

    Raises:
        OSError: it can't be opened, written or synced.
    """
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | flags, mode), "wb") as file:
        file.write(data)
        file.flush()
        sync(file.fileno())


def replace(path: str | os.PathLike[str], data: bytes, mode: int = 0o666) -> None:
    """Replace the content of a file, or make the file; `sync_folder` makes that last.

    Raises:
        OSError: it can't be written; the file is as before.
    """
    draft = f"{os.fspath(path)}.{os.getpid()}.new"  # other processes may replace the same file
    try:
        write(draft, data, os.O_TRUNC, mode)
        os.replace(draft, path)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise
