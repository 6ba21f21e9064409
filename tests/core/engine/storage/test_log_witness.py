"""The witness of a log: a restored copy is found out, and no crash makes an honest one look so."""

from __future__ import annotations

import contextlib
import errno
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tavolata._disk import Disk
from tavolata._engine.storage import log_witness
from tavolata._engine.storage.log_files import FileStorage
from tavolata._engine.storage.match_file import StoreError

RECORDS = [b"%d" % number for number in range(12)]


def opened(folder: Path) -> FileStorage:
    storage = FileStorage(folder / "log", folder / "cache" / "witness")
    list(storage.load())
    return storage


def written(folder: Path, *records: bytes) -> bool:
    """Open the log, add these, and close it; whether it was forgetful."""
    with contextlib.closing(opened(folder)) as storage:
        for record in records:
            storage.append(record)
        storage.sync()
        return storage.is_forgetful


@pytest.mark.parametrize("kept", range(1, 8))
def test_a_restored_copy_lacks_what_its_witness_saw(tmp_path: Path, kept: int) -> None:
    """However old the backup is, and whatever was written to it since."""
    assert not written(tmp_path, *RECORDS[:kept])
    backup = (tmp_path / "log").read_bytes()
    assert not written(tmp_path, *RECORDS[kept:])
    assert not written(tmp_path)
    (tmp_path / "log").write_bytes(backup)
    assert written(tmp_path)
    with contextlib.closing(opened(tmp_path)) as storage:
        assert storage.is_doubtful  # where nobody else has a vote, it isn't put aside, and asks


def test_a_backup_from_before_a_compaction_is_found_out(tmp_path: Path) -> None:
    """It has more records than the file that was replaced by a snapshot, but others."""
    assert not written(tmp_path, *RECORDS)
    backup = (tmp_path / "log").read_bytes()
    with contextlib.closing(opened(tmp_path)) as storage:
        assert storage.replace([b"snapshot"])
    assert not written(tmp_path)
    (tmp_path / "log").write_bytes(backup)
    assert written(tmp_path)


@pytest.mark.parametrize("broken", [b"", b"short", bytes(64)])
def test_without_a_whole_witness_nobody_is_accused(tmp_path: Path, broken: bytes) -> None:
    """The cache may be cleared, and the last write torn."""
    assert not written(tmp_path, *RECORDS)
    (tmp_path / "cache" / "witness").write_bytes(broken)
    assert not written(tmp_path)
    (tmp_path / "cache" / "witness").unlink()
    assert not written(tmp_path)


def test_another_machine_with_the_same_folders_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that was cloned is another copy of one log."""
    assert not written(tmp_path, *RECORDS)
    monkeypatch.setattr("tavolata._engine.storage.log_witness._machine_id", lambda: b"another")
    assert written(tmp_path)


def no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@given(st.lists(st.sampled_from(["append", "sync", "replace", "full", "crash", "power"]), max_size=30))
@example(["append", "sync", "full", "append", "sync", "crash"])
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_crash_makes_a_copy_forgetful(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """A power cut keeps the synced log, and any earlier witness that was not synced over."""
    folder = tmp_path_factory.mktemp("machine")
    storage, synced, seen = opened(folder), b"", [b""]
    for number, step in enumerate(steps):
        if step == "append":
            storage.append(b"%d" % number)
        elif step == "sync":
            storage.sync()
            synced = (folder / "log").read_bytes()
            seen.append((folder / "cache" / "witness").read_bytes())
        elif step == "replace":
            storage.replace([b"snapshot %d" % number])
            synced = (folder / "log").read_bytes()
            seen = [bytes(8) + b"?" * 24, (folder / "cache" / "witness").read_bytes()]
        elif step == "full":
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, "replace", no_room)
                assert not storage.replace([b"snapshot %d" % number])
            seen = [bytes(8) + b"?" * 24, (folder / "cache" / "witness").read_bytes()]
        else:
            with contextlib.suppress(OSError):
                storage._witness.close()
                storage._file.close()
            if step == "power":
                (folder / "log").write_bytes(synced)
                (folder / "cache").mkdir(exist_ok=True)
                torn = b"torn"[: number % 5]
                (folder / "cache" / "witness").write_bytes(seen[number % len(seen)] + torn)
            storage = opened(folder)
            assert not storage.is_forgetful
    storage.close()


@pytest.mark.parametrize("more", [[], [b"more"]])
def test_a_file_that_could_not_be_replaced_is_not_doubtful(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, more: list[bytes]
) -> None:
    """A disk without room for both files loses nothing: the witness knows the old file as before."""
    assert not written(tmp_path, *RECORDS)
    with contextlib.closing(opened(tmp_path)) as storage:
        storage.append(b"waits")
        with monkeypatch.context() as patch:
            patch.setattr(os, "replace", no_room)
            assert not storage.replace([b"snapshot"])
        if not more:
            storage._waiting.clear()  # killed at once
        for record in more:
            storage.append(record)
    with contextlib.closing(opened(tmp_path)) as storage:
        assert not storage.is_doubtful
        assert not storage.is_forgetful
    backup = (tmp_path / "log").read_bytes()
    assert not written(tmp_path, b"later")
    (tmp_path / "log").write_bytes(backup)
    assert written(tmp_path)


@pytest.mark.skipif(os.name != "posix", reason="elsewhere nobody waits for names")
def test_a_new_file_whose_name_is_not_kept_accuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The power cut leaves the old file, or the new one; and who goes on is told that nothing is kept."""
    assert not written(tmp_path, *RECORDS)
    old = (tmp_path / "log").read_bytes()
    storage = opened(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Disk, "sync_folder", no_room)
        with pytest.raises(StoreError, match="the disk is full"):
            storage.replace([b"snapshot"])
    storage.append(b"more")
    storage.close()
    new, witness = (tmp_path / "log").read_bytes(), (tmp_path / "cache" / "witness").read_bytes()
    for left in (old, new):
        (tmp_path / "log").write_bytes(left)
        (tmp_path / "cache" / "witness").write_bytes(witness)
        assert not written(tmp_path)


def test_a_witness_stays_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins again after so many writes, and what a power cut has torn is cut off."""
    monkeypatch.setattr(log_witness, "_MOST", 3 * 32)
    witness = tmp_path / "cache" / "witness"
    for _ in range(3):
        with contextlib.closing(opened(tmp_path)) as storage:
            assert not storage.is_forgetful
            for number in range(10):
                storage.append(b"%d" % number)
                storage.sync()
                assert witness.stat().st_size in (32, 64, 96)
        witness.write_bytes(witness.read_bytes() + b"torn")


def test_a_mutant_that_writes_the_witness_before_the_sync_accuses_an_honest_copy(tmp_path: Path) -> None:
    """So the order of the two matters."""
    assert not written(tmp_path, *RECORDS)
    synced = (tmp_path / "log").read_bytes()
    storage = opened(tmp_path)
    storage.append(b"before the power cut")
    storage._witness.write()
    storage._witness.close()
    storage._file.close()
    (tmp_path / "log").write_bytes(synced)
    assert written(tmp_path)


def test_a_file_without_a_witness_is_doubtful_until_somebody_trusts_it(tmp_path: Path) -> None:
    """No witness is written for it before: it would vouch for records that nobody knows to be all."""
    assert not written(tmp_path, *RECORDS)
    with contextlib.closing(opened(tmp_path)) as storage:
        assert not storage.is_doubtful
    (tmp_path / "cache" / "witness").unlink()
    for _ in range(2):
        with contextlib.closing(opened(tmp_path)) as storage:
            assert storage.is_doubtful
            storage.append(b"more")
            storage.sync()
            assert storage.replace([b"snapshot", b"more"])
    with contextlib.closing(opened(tmp_path)) as storage:
        storage.trust()
        storage.append(b"more")
        storage.sync()
    with contextlib.closing(opened(tmp_path)) as storage:
        assert not storage.is_doubtful
        assert not storage.is_forgetful


def test_a_new_file_and_one_that_nobody_watches_are_not_doubtful(tmp_path: Path) -> None:
    """There is nothing yet that could be missing, or nothing that would say so."""
    with contextlib.closing(opened(tmp_path)) as storage:
        assert not storage.is_doubtful
    for _ in range(2):
        with contextlib.closing(FileStorage(tmp_path / "other")) as other:
            list(other.load())
            assert not other.is_doubtful
            other.append(b"record")
