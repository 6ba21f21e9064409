"""The identities of this machine in the user's folder.

A second `tt` on the same machine takes the next identity, because two peers with one key would be one peer.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

from tavolata import _dirs, _machine
from tavolata._machine import disk
from tavolata._trouble import trouble
from tavolata.errors import MessageError
from tavolata.messages import N_
from tavolata_protocol.identity import SEED_SIZE, Identity

MOST = 64


class IdentityError(MessageError):
    """The player's key can't be stored or read."""


class OwnIdentity:
    """An identity that no other process of this machine uses while this one runs.

    Without the folder `which`, it is the first that is free. `folder` has this identity's copies of tables.
    """

    def __init__(self, which: Path | None = None) -> None:
        base = Path(_dirs.data_dir()) / "identities"
        try:
            for folder in [base / str(number) for number in range(MOST)] if which is None else [which]:
                disk().make_folder(folder)
                self._lock = disk().append(folder / "lock")
                if self._lock.lock():
                    break
                self._lock.close()
            else:
                if which is not None:
                    raise IdentityError(N_("Another `tt` on this computer is already playing at that table."))
                raise IdentityError(N_("{n} tables are open on this computer. Close one first."), n=MOST)
            self.folder = folder
            self.seed = self._seed(folder / "key")
        except OSError as error:
            if hasattr(self, "_lock"):
                self._lock.close()
            raise IdentityError(
                N_("Couldn't save your key in {path}: {problem}. Fix that, or set TT_DATA_DIR "
                   "to another folder."),
                path=base, problem=trouble(error),
            ) from error  # fmt: skip
        self.identity = Identity(self.seed)

    @staticmethod
    def _seed(path: Path) -> bytes:
        if disk().is_file(path) and len(seed := disk().read(path)) == SEED_SIZE:
            return seed
        seed = _machine.token(SEED_SIZE)
        disk().replace(path, seed, 0o600)
        disk().sync_folder(path.parent)
        return seed

    def close(self) -> None:
        self._lock.close()


def own_seeds() -> Iterator[bytes]:
    """Yield the seeds of this machine's identities that can be read."""
    for path in disk().find(Path(_dirs.data_dir()) / "identities", "*/key"):
        with contextlib.suppress(OSError):
            if len(seed := disk().read(path)) == SEED_SIZE:
                yield seed


def own_seed(peers: Sequence[bytes]) -> bytes | None:
    return next((seed for seed in own_seeds() if Identity(seed).peer in peers), None)
