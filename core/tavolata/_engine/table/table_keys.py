"""The keys of a private table: a secret among its members, and the code that lets newcomers in.

The secret is in the agreed log, which only members have. So any two members can connect when the host is
gone. It is also stored beside the log, for the return after a crash. `lobby` says who may set keys.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path

from tavolata import _machine
from tavolata._machine import disk
from tavolata_protocol.codes import RANDOM_BYTES, make_code
from tavolata_protocol.handshake import private_table_psk

SECRET_SIZE = 32


@dataclass(frozen=True)
class TableKeys:
    """The keys of a private table: 32 bytes that every member knows, and the code for newcomers."""

    secret: bytes
    code: str

    @property
    def psk(self) -> bytes:
        return private_table_psk(self.secret)


def new_keys() -> TableKeys:
    return TableKeys(_machine.token(SECRET_SIZE), new_code())


def new_code() -> str:
    return make_code(_machine.token(RANDOM_BYTES))


class SecretFile:
    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> bytes | None:
        with contextlib.suppress(OSError):
            secret = disk().read(self._path)
            if len(secret) == SECRET_SIZE:
                return secret
        return None

    def keep(self, secret: bytes) -> None:
        """Store the secret; if this fails, a return needs the code."""
        with contextlib.suppress(OSError):
            disk().replace(self._path, secret, 0o600)
            disk().sync_folder(self._path.parent)

    def forget(self) -> None:
        disk().remove(self._path)
