"""The agreed log on disk: a crash at any byte leaves whole records, and the file goes on behind them."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.match_file import StoreError
from tavolata_protocol.errors import DamagedStore

RECORDS = [b"first", b"", b"third" * 40, b"\0" * 9]


def test_what_was_synced_is_there_again(tmp_path: Path) -> None:
    """Appended and synced, closed and opened: the same records, and more behind them."""
    path = tmp_path / "deep" / "down" / "log"
    for half in (RECORDS[:2], RECORDS[2:]):
        storage = FileStorage(path)
        list(storage.load())
        for record in half:
            storage.append(record)
        storage.sync()
        storage.close()
    storage = FileStorage(path)
    assert list(storage.load()) == RECORDS
    storage.close()


def test_a_tail_torn_at_any_byte_is_cut_off(tmp_path: Path) -> None:
    """At whatever byte a crash ends the file, the records before are whole, and new ones follow them."""
    path = tmp_path / "log"
    storage = FileStorage(path)
    ends = [0]
    for record in RECORDS:
        storage.append(record)
        storage.sync()
        ends.append(path.stat().st_size)
    storage.close()
    whole = path.read_bytes()
    for length in range(len(whole) + 1):
        path.write_bytes(whole[:length])
        storage = FileStorage(path)
        kept = RECORDS[: sum(end <= length for end in ends) - 1]
        assert list(storage.load()) == kept
        storage.append(b"new")
        storage.sync()
        storage.close()
        again = FileStorage(path)
        assert list(again.load()) == [*kept, b"new"]
        again.close()


def test_a_disk_that_fails_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What can't be kept is said, with where and why; what was kept before is there again."""
    path = tmp_path / "log"
    storage = FileStorage(path)
    storage.append(b"kept")
    storage.sync()

    def fail(number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        storage.append(b"lost")
        with pytest.raises(StoreError, match="the disk is full"):
            storage.sync()
    storage.close()
    again = FileStorage(path)
    assert next(iter(again.load())) == b"kept"
    again.close()


@given(at=st.integers(0, 10_000), bit=st.integers(0, 7))
def test_a_spoilt_byte_is_damage_and_no_torn_record(tmp_path_factory: object, at: int, bit: int) -> None:
    """A flipped bit anywhere, in a length or in the last record too: the copy is not to be used any more."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log"
        storage = FileStorage(path)
        for record in RECORDS:
            storage.append(record)
        storage.sync()
        storage.close()
        data = bytearray(path.read_bytes())
        data[at % len(data)] ^= 1 << bit
        path.write_bytes(data)
        storage = FileStorage(path)
        with pytest.raises(DamagedStore, match="is damaged"):
            storage.load()
        storage.close()
        assert path.read_bytes() == bytes(data)  # nothing of it is lost


def test_closing_writes_what_was_appended(tmp_path: Path) -> None:
    """An orderly end loses nothing."""
    storage = FileStorage(tmp_path / "log")
    storage.append(b"last words")
    storage.close()
    storage = FileStorage(tmp_path / "log")
    assert list(storage.load()) == [b"last words"]
    storage.close()


def test_records_are_replaced_by_others(tmp_path: Path) -> None:
    """The new ones alone are there, also those appended behind them; what waited is not written any more."""
    path = tmp_path / "log"
    storage = FileStorage(path)
    for record in RECORDS:
        storage.append(record)
    storage.sync()
    storage.append(b"waits")
    assert storage.replace([b"one", b"for all"])
    storage.append(b"behind")
    storage.sync()
    storage.close()
    storage = FileStorage(path)
    assert list(storage.load()) == [b"one", b"for all", b"behind"]
    storage.close()
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("fails", ["fsync", "replace"])
def test_a_disk_without_room_for_both_files_keeps_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """Nothing is lost, what waited included, and the file goes on."""
    path = tmp_path / "log"
    storage = FileStorage(path)
    storage.append(b"kept")
    storage.sync()
    storage.append(b"waits")

    def fail(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, fails, fail)
        assert not storage.replace([b"one for all"])
    storage.append(b"behind")
    storage.close()
    storage = FileStorage(path)
    assert list(storage.load()) == [b"kept", b"waits", b"behind"]
    storage.close()
    assert list(tmp_path.iterdir()) == [path]


def test_what_was_flushed_survives_a_killed_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the file at once, and no disk was waited for."""
    storage = FileStorage(tmp_path / "log")
    monkeypatch.setattr(os, "fsync", None)
    storage.append(b"said")
    storage.flush()
    again = FileStorage(tmp_path / "log")
    assert list(again.load()) == [b"said"]
    again.close()
    storage.close()


def test_a_file_that_another_program_keeps_for_itself_ends_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a scanner of viruses does on Windows, just when it was replaced; closed after that, it's whole."""
    path = tmp_path / "log"
    storage = FileStorage(path)
    storage.append(b"kept")
    storage.sync()
    storage.append(b"waits")

    def fails(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, "in use", str(path))

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fails)
        patch.setattr(FileStorage, "_open", fails)
        with pytest.raises(StoreError) as sentence:
            storage.replace([b"one for all"])
    assert str(sentence.value.params["path"]) == str(path)
    storage.close()
    storage = FileStorage(path)
    assert list(storage.load()) == [b"kept"]
    storage.close()
