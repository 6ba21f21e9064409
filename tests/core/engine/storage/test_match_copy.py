"""A peer's file of a match: made once, continued after a restart, never changed by another story."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import header_of, key_of
from tests.core.test_machine import on
from tests.rehearsals.disk import MemoryDisk

from tavolata._disk import OpenFile
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.entries import ANSWER, MatchEntry
from tavolata._engine.match.header import Header
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata._engine.match.state import unpack
from tavolata._engine.match.updates import Ended, Update
from tavolata._engine.match.worlds import new_match
from tavolata._engine.storage import match_file as kinds
from tavolata._engine.storage.match_copy import MatchCopy
from tavolata._engine.storage.match_file import MAGIC, match_files, read
from tavolata._engine.storage.record_framing import records
from tavolata._machine import Computer

ENTRIES: list[MatchEntry] = [(ANSWER, 0, number, number) for number in range(6)]
SEEN = [[[0, 3, 7, 0]], [], []]


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    return tmp_path


def told(entries: list[MatchEntry], *, over: bool = False, seen: bool = True) -> MatchCopy:
    """A run of the program that follows so many entries, and then stops."""
    copy = MatchCopy(header(), key_of(1), lambda problem: pytest.fail(str(problem)))
    copy.begin(header(), bytes(40), b"table", [b"start", b"in"])
    faces, match = ([SEEN] if seen else []), match_of()
    copy.look = lambda _: faces.pop() if faces else None
    for entry in entries:
        copy.logged(str(entry).encode())
        copy.entered(match, entry)
    if over:
        copy.ended(match, Ended(None, b""), b"b" * 32 if seen else None)
    copy.close()
    return copy


def match_of() -> Match[LogSource]:
    """A match in which nothing happens."""
    return new_match(Peek, header().terms(Peek), LogSource(2, OneDealer()), lambda _: None)


def header() -> Header:
    return header_of(Peek, (1, 2))


def files(data: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted((data / "matches").iterdir())}


def test_a_restart_goes_on_where_the_file_ends(data: Path) -> None:
    """The log tells all again: the file grows by what is new, and is what one run would have made."""
    told(ENTRIES, over=True)
    (whole,) = files(data).values()
    (data / "matches").joinpath(next(iter(files(data)))).unlink()
    first = told(ENTRIES[:3])
    assert not first.is_behind
    again = told(ENTRIES, over=True)
    assert (again.is_behind, again.has_two_stories) == (False, False)
    assert list(files(data).values()) == [whole]


def test_a_shorter_log_changes_nothing(data: Path) -> None:
    """Somebody repeats the beginning of a match that is over: the file stays, and the peer knows more."""
    told(ENTRIES, over=True)
    before = files(data)
    again = told(ENTRIES[:2], seen=False)
    assert again.is_behind
    assert not again.has_two_stories
    assert files(data) == before


def test_another_story_goes_into_another_file(data: Path) -> None:
    """Where the log parts from the file, the file stays equal to the byte, and a second one has it all."""
    told(ENTRIES, over=True)
    before = files(data)
    other = [*ENTRIES[:2], (ANSWER, 0, 9, 9)]
    for number in (2, 3):
        again = told(other)
        assert again.has_two_stories
        ((name, _),) = before.items()
        assert files(data)[name] == before[name]
        second = read(data / "matches" / f"{name.removesuffix('.ttm')}-{number}.ttm")
        assert second.entries == other
        assert second.log == [b"start", b"in", *(str(entry).encode() for entry in other)]


@pytest.mark.parametrize("follows", [4, 6])
def test_who_can_only_read_its_file_catches_up_all_the_same(follows: int) -> None:
    """Another process has the file: what it holds is compared, nothing is written, and the peer plays on."""
    told(ENTRIES[:4])
    held = MatchCopy(header(), key_of(1), lambda problem: pytest.fail(str(problem)))
    problems: list[object] = []
    copy = MatchCopy(header(), key_of(1), problems.append)
    assert len(problems) == 1
    copy.begin(header(), bytes(40), b"table", [b"start", b"in"])
    for entry in ENTRIES[:follows]:
        assert copy.is_behind is (entry[2] < 4)
        copy.logged(str(entry).encode())
        copy.entered(match_of(), entry)
    assert (copy.path, copy.is_behind, copy.has_two_stories) == (None, False, False)
    held.close()


def test_what_seats_saw_is_noted_once(data: Path) -> None:
    """Faces are written when they are new, with the number of entries before them."""
    told(ENTRIES)
    told(ENTRIES)
    (path,) = (data / "matches").iterdir()
    assert read(path).seen == [(0, 0, 3, 7)]


def test_a_file_that_a_crash_cut_behind_faces_goes_on(data: Path) -> None:
    """The faces are the last record: the machine isn't behind, and doesn't note them twice."""
    told(ENTRIES)
    (path,) = (data / "matches").iterdir()
    whole = path.read_bytes()
    ends = [end for end, body in records(whole, len(MAGIC)) if unpack(body)[0] == kinds.SEEN]
    path.write_bytes(whole[: ends[0]])
    assert not told(ENTRIES[:1]).is_behind
    told(ENTRIES)
    assert path.read_bytes() == whole


def test_a_run_without_the_secret_finds_the_same_story(data: Path) -> None:
    """After the end nothing can be opened any more; the log is the same, so the file is."""
    told(ENTRIES, over=True)
    before = files(data)
    again = told(ENTRIES, over=True, seen=False)
    assert (again.is_behind, again.has_two_stories) == (False, False)
    assert files(data) == before


@pytest.mark.parametrize("room", [0, len(MAGIC)])
def test_a_full_disk_at_the_beginning_leaves_no_file(room: int) -> None:
    """Without its header a file would be in the way of every later run, so none stays."""
    computer, problems = Computer(), list[Update]()
    computer.disk = disk = MemoryDisk(lambda: 0.0)
    with on(computer):
        disk.capacity = room
        copy = MatchCopy(header(), key_of(1), problems.append)
        copy.begin(header(), bytes(40), b"table", [b"start", b"in"])
        copy.close()
        assert len(problems) == 1
        assert match_files() == []
        disk.capacity = None
        told(ENTRIES)
        [path] = match_files()
        assert read(path).entries == ENTRIES


def test_a_disk_that_fails_at_the_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The match ends all the same, and its people hear that the file may be lost."""

    def fail(_file: OpenFile) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    problems = list[Update]()
    copy = MatchCopy(header(), key_of(1), problems.append)
    copy.begin(header(), bytes(40), b"table", [b"start", b"in"])
    monkeypatch.setattr(OpenFile, "sync", fail)
    copy.ended(match_of(), Ended(None, b""))
    assert len(problems) == 1
    assert copy.path is None
