"""One process to a file: a lock that the system drops when the process ends, however it ends."""

from __future__ import annotations

import errno
import sys
from typing import BinaryIO

if sys.platform == "win32":
    import msvcrt

    _BEHIND_EVERYTHING = 2**30  # what is locked can't be read there: so a byte that is none of the file's

    def _lock(file: BinaryIO) -> None:
        file.seek(_BEHIND_EVERYTHING)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)

else:
    import fcntl

    def _lock(file: BinaryIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)


def lock(file: BinaryIO) -> bool:
    """Lock this open file until it is closed; False if another process has locked it.

    Where the file system knows no locks the file is as good as locked.
    """
    try:
        _lock(file)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True
