"""Durability: what it takes to have a drive keep a file, and what is left if it doesn't."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tavolata import _disk
from tavolata._disk import Disk

fcntl = pytest.importorskip("fcntl", reason="Windows has no other call than fsync")
FULL = 51
"""The number of F_FULLFSYNC on macOS."""


class Drive:
    """A Mac's drive: the calls that reach it, and the error with which it answers the full one."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.error = 0

    def fcntl(self, descriptor: int, command: int) -> int:
        assert command == FULL
        self.calls.append("F_FULLFSYNC")
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        return 0

    def fsync(self, descriptor: int) -> None:
        self.calls.append("fsync")


@pytest.fixture
def mac(monkeypatch: pytest.MonkeyPatch) -> Iterator[Drive]:
    """A Mac, as far as Python shows it."""
    drive = Drive()
    with monkeypatch.context() as patch:
        patch.setattr(fcntl, "F_FULLFSYNC", FULL, raising=False)
        patch.setattr(fcntl, "fcntl", drive.fcntl)
        patch.setattr(os, "fsync", drive.fsync)
        yield drive


def test_a_mac_flushes_its_drive_for_files_and_folders(mac: Drive, tmp_path: Path) -> None:
    """One call each: `fsync` would leave the data in the drive's cache."""
    path = tmp_path / "file"
    Disk().replace(path, b"new")
    assert mac.calls == ["F_FULLFSYNC"]
    Disk().sync_folder(tmp_path)
    assert mac.calls == ["F_FULLFSYNC"] * 2
    assert path.read_bytes() == b"new"


@pytest.mark.parametrize("refused", [errno.ENOTSUP, errno.EINVAL, errno.ENOTTY])
def test_a_volume_that_can_not_flush_its_drive_is_synced(mac: Drive, refused: int) -> None:
    """A network's volume knows only `fsync`."""
    mac.error = refused
    _disk.sync(0)
    assert mac.calls == ["F_FULLFSYNC", "fsync"]


def test_a_drive_that_fails_is_not_asked_again(mac: Drive) -> None:
    """A second call could succeed, although the data are lost."""
    mac.error = errno.EIO
    with pytest.raises(OSError, match=os.strerror(errno.EIO)):
        _disk.sync(0)
    assert mac.calls == ["F_FULLFSYNC"]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_file_that_can_not_be_replaced_is_as_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """Its old content is there, and no draft beside it."""
    path = tmp_path / "file"
    Disk().replace(path, b"old")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, fail)
        with pytest.raises(OSError, match="full"):
            Disk().replace(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_secret_file_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    """From its first byte on, whatever the mask lets pass."""
    path = tmp_path / "secret"
    Disk().replace(path, b"secret", 0o600)
    assert path.stat().st_mode & 0o777 == 0o600


def test_new_folders_last(mac: Drive, tmp_path: Path) -> None:
    """Each is synced by the folder above it, once; one that is there costs nothing."""
    Disk().make_folder(tmp_path / "data" / "matches")
    assert mac.calls == ["F_FULLFSYNC"] * 2
    Disk().make_folder(tmp_path / "data" / "matches")
    assert mac.calls == ["F_FULLFSYNC"] * 2


def test_a_folder_is_made_below_one_that_can_not_be_synced(mac: Drive, tmp_path: Path) -> None:
    """It may belong to somebody else."""
    mac.error = errno.EIO
    Disk().make_folder(tmp_path / "data")
    assert (tmp_path / "data").is_dir()
