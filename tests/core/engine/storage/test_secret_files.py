"""Files with the secrets of matches: stored once, erased by writing over them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tavolata._engine.storage import secret_files

NONCE, SECRET = bytes(range(32)), b"\x07" * 32


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    return tmp_path


def test_a_secret_is_found_by_its_nonce_alone() -> None:
    """Stored, it is read again; another nonce has none."""
    secret_files.store(NONCE, SECRET)
    assert secret_files.load(NONCE) == SECRET
    assert secret_files.load(bytes(32)) is None


def test_no_secret_is_written_over() -> None:
    """For a nonce that has a secret nothing is stored."""
    secret_files.store(NONCE, SECRET)
    with pytest.raises(FileExistsError):
        secret_files.store(NONCE, bytes(32))
    assert secret_files.load(NONCE) == SECRET


def test_erased_means_written_over_and_removed(data: Path) -> None:
    """The bytes on the disk are others before the name goes; erasing what is not there does nothing."""
    secret_files.store(NONCE, SECRET)
    (path,) = (data / "secrets").iterdir()
    other = data / "the same bytes under another name"
    other.hardlink_to(path)
    secret_files.erase(NONCE)
    assert not path.exists()
    assert other.read_bytes() == bytes(32)
    secret_files.erase(NONCE)
    assert secret_files.load(NONCE) is None


def test_half_a_secret_is_none(data: Path) -> None:
    """A file that a crash cut short has no secret."""
    secret_files.store(NONCE, SECRET)
    (path,) = (data / "secrets").iterdir()
    path.write_bytes(SECRET[:31])
    assert secret_files.load(NONCE) is None


def test_what_a_crash_left_of_an_erased_secret_is_none(data: Path) -> None:
    """Its bytes may be gone and its name still there: zeros are nobody's secret, for all could know it."""
    secret_files.store(NONCE, SECRET)
    (path,) = (data / "secrets").iterdir()
    path.write_bytes(bytes(32))
    assert secret_files.load(NONCE) is None
