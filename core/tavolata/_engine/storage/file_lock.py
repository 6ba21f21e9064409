"""A file lock, which gives one process a file and which the system drops when that process ends."""

from __future__ import annotations

import errno
import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    _BEHIND_EVERYTHING = 2**30  # Windows forbids reading locked bytes, so a byte behind the file is locked

    def _lock(file: BinaryIO) -> None:
        file.seek(_BEHIND_EVERYTHING)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(file: BinaryIO) -> bool:
    """Lock this open file until it is closed; False if another process has locked it.

    If the file system has no locks, this returns True.
    """
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True
