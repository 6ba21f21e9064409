"""Files with the secrets of matches: each is on disk before the match can begin, and erased when it is over.

A file is named by the nonce that this machine said with it in the agreed log. Its bytes are overwritten
before it is removed. On flash memory, the old bytes may stay in cells that the system does not show any more.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from tavolata import _dirs
from tavolata._machine import disk

SECRET_SIZE = 32
_NAME_SIZE = 16


def _path(nonce: bytes) -> Path:
    return Path(_dirs.data_dir()) / "secrets" / nonce[:_NAME_SIZE].hex()


def store(nonce: bytes, secret: bytes) -> None:
    """Write a new secret, and wait until the disk has it.

    Raise OSError if it can't be written, or there is one for this nonce.
    """
    path = _path(nonce)
    disk().make_folder(path.parent, 0o700)
    with contextlib.closing(disk().append(path, new=True, mode=0o600)) as file:
        file.write(secret)
        file.sync()
    disk().sync_folder(path.parent)


def load(nonce: bytes) -> bytes | None:
    """Return the secret that was stored with this nonce; None if there isn't one any more."""
    with contextlib.suppress(OSError):
        secret = disk().read(_path(nonce))
        if len(secret) == SECRET_SIZE and any(secret):  # zeros: a crash came before its removal
            return secret
    return None


def erase(nonce: bytes) -> None:
    """Overwrite a secret and remove its file, if there is one; raise OSError if that fails."""
    path = _path(nonce)
    try:
        disk().overwrite(path, bytes(SECRET_SIZE))
    except FileNotFoundError:
        return
    disk().remove(path)
    disk().sync_folder(path.parent)
