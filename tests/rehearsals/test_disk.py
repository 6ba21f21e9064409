"""The disk in memory does what the file system does, and after a power cut it has what was synced."""

from __future__ import annotations

import errno
import sys
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.rehearsals.disk import Died, MemoryDisk

from tavolata._disk import Disk, OpenFile

HERE = Path("/machine")
FILE = HERE / "file"


def new_disk() -> MemoryDisk:
    disk = MemoryDisk(lambda: 1000.0)
    disk.make_folder(HERE)
    return disk


def write(disk: Disk, data: bytes, path: Path = FILE) -> OpenFile:
    file = disk.append(path)
    file.write(data)
    return file


# -- as the file system -------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "d", "d/a", "d/b.ttm", "d/d/a", "a/x", "none/a"])
SLOTS = st.integers(0, 2)
DATA = st.binary(max_size=5)
PATTERNS = st.sampled_from(["*", "*/*", "*.ttm", "?"])
Step = tuple[Any, ...]
STEPS: st.SearchStrategy[Step] = st.one_of(
    st.tuples(st.sampled_from(["read", "remove", "is_file", "state", "make_folder"]), NAMES),
    st.tuples(st.just("rename"), NAMES, st.sampled_from(["a", "b", "c"])),
    st.tuples(st.sampled_from(["replace", "overwrite"]), NAMES, DATA),
    st.tuples(st.just("find"), st.sampled_from([".", "d", "a", "none"]), PATTERNS),
    st.tuples(st.just("sync_folder"), st.sampled_from([".", "d", "none"])),
    st.tuples(st.just("append"), SLOTS, NAMES, st.sampled_from([None, True, False])),
    st.tuples(st.just("write"), SLOTS, DATA),
    st.tuples(st.just("truncate"), SLOTS, st.integers(0, 8)),
    st.tuples(st.sampled_from(["size", "sync", "lock", "close"]), SLOTS),
)  # fmt: skip


@dataclass
class Play:
    """Does the same on any disk, with up to three open files."""

    disk: Disk
    root: Path
    slots: dict[int, OpenFile] = field(default_factory=dict)

    def did(self, step: Step) -> object:
        """Return what a step gave: a value, or the type of its error."""
        try:
            return self._do(step)
        except OSError as error:
            if isinstance(error, PermissionError | IsADirectoryError):
                return IsADirectoryError  # a folder is not removed as a file: some systems say so in this way
            return type(error)
        except ValueError:
            return ValueError

    def _do(self, step: Step) -> object:
        match step:
            case ("append", slot, name, new):
                if slot in self.slots:
                    self.slots.pop(slot).close()
                self.slots[slot] = self.disk.append(self.root / name, new=new)
            case ("size" | "sync" | "lock" | "close" | "write" | "truncate" as verb, slot, *rest):
                if slot in self.slots:
                    found = getattr(self.slots[slot], verb)
                    return found(*rest) if callable(found) else found
            case ("state", name):
                found = self.disk.state(self.root / name)
                return found.size if self.disk.is_file(self.root / name) else None
            case ("rename", name, to):
                path = self.root / name
                if self.disk.is_file(path) or not self.disk.find(path.parent, path.name):
                    self.disk.rename(path, path.with_name(to))
            case ("sync_folder", name) if self.disk.is_file(self.root / name):
                pass  # the file system syncs the file, which nobody asks for
            case (verb, name, *rest):
                return getattr(self.disk, verb)(self.root / name, *rest)
        return None

    def tree(self) -> list[tuple[Path, bytes | None]]:
        found = [path for pattern in ("*", "*/*", "*/*/*") for path in self.disk.find(self.root, pattern)]
        return [(path, self.disk.read(path) if self.disk.is_file(path) else None) for path in found]

    def close(self) -> None:
        for file in self.slots.values():
            file.close()


@pytest.mark.battery
@pytest.mark.skipif(sys.platform == "win32", reason="the disk in memory is that of a POSIX system")
@settings(max_examples=300)
@given(steps=st.lists(STEPS, max_size=25))
def test_it_answers_as_the_file_system_does(steps: list[Step]) -> None:
    """Each step gives the same value or the same error, and in the end the same files are there."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        memory = MemoryDisk(lambda: 1000.0)
        memory.make_folder(root)
        with closing(Play(Disk(), root)) as real, closing(Play(memory, root)) as simulated:
            for step in steps:
                assert simulated.did(step) == real.did(step), step
            assert simulated.tree() == real.tree()


def test_a_closed_file_is_closed_on_both(tmp_path: Path) -> None:
    """Using it is the same fault."""
    memory = MemoryDisk(lambda: 1000.0)
    memory.make_folder(tmp_path)
    for disk in (Disk(), memory):
        file = write(disk, b"data", tmp_path / "file")
        file.close()
        file.close()
        for use in (file.sync, file.lock, lambda file=file: file.size, lambda file=file: file.write(b"x")):
            with pytest.raises(ValueError, match="closed file"):
                use()


def test_a_file_was_changed_when_the_clock_said() -> None:
    """By a write or a cut, not by reading or a new name."""
    now = 5.0
    disk = MemoryDisk(lambda: now)
    disk.make_folder(HERE)
    file = write(disk, b"data")
    now = 7.5
    assert disk.read(FILE) == b"data"
    disk.rename(FILE, FILE.with_name("other"))
    assert disk.state(FILE.with_name("other")).changed == 5.0
    file.truncate(2)
    assert disk.state(FILE.with_name("other")) == (2, 7_500_000_000)


# -- power cuts -----------------------------------------------------------------------------------------

CHANCE = st.integers(0, 2**32)
WRITES = st.lists(
    st.one_of(st.binary(min_size=1, max_size=9), st.sampled_from(["sync", "name"])), max_size=12
)


@given(writes=WRITES, seed=CHANCE)
def test_a_file_keeps_what_was_synced_and_a_beginning_of_the_rest(
    writes: list[bytes | str], seed: int
) -> None:
    """If its name was synced too; else it may be gone."""
    disk = new_disk()
    file, whole, synced, named = disk.append(FILE), b"", b"", False
    for one in writes:
        if isinstance(one, bytes):
            file.write(one)
            whole += one
        elif one == "sync":
            file.sync()
            synced = whole
        else:
            disk.sync_folder(HERE)
            named = True
    after = disk.power_cut(Random(seed))
    if named or after.is_file(FILE):
        found = after.read(FILE)
        assert found.startswith(synced)
        assert whole.startswith(found)


@given(
    contents=st.lists(st.binary(min_size=1, max_size=20), min_size=1, max_size=6),
    lasting=st.integers(0, 6), seed=CHANCE,
)  # fmt: skip
def test_a_replaced_file_is_an_old_or_a_new_one(contents: list[bytes], lasting: int, seed: int) -> None:
    """It is whole, and never older than the one whose name was synced."""
    disk = new_disk()
    for number, content in enumerate(contents):
        disk.replace(FILE, content)
        if number == lasting:
            disk.sync_folder(HERE)
    after = disk.power_cut(Random(seed))
    if lasting < len(contents):
        assert after.read(FILE) in contents[lasting:]
    else:
        assert not after.is_file(FILE) or after.read(FILE) in contents
    after.replace(FILE, b"next")  # a draft that was left doesn't matter
    assert after.read(FILE) == b"next"


def outcomes(play: Callable[[MemoryDisk], object]) -> set[bytes | None]:
    """Return what a power cut may leave of a file after this."""
    found: set[bytes | None] = set()
    for seed in range(200):
        disk = new_disk()
        play(disk)
        after = disk.power_cut(Random(seed))
        found.add(after.read(FILE) if after.is_file(FILE) else None)
    return found


def _begun(disk: MemoryDisk) -> OpenFile:
    file = write(disk, b"ab")
    file.sync()
    disk.sync_folder(HERE)
    return file


def _grown(disk: MemoryDisk) -> None:
    _begun(disk).write(b"cd")


def _cut_and_grown(disk: MemoryDisk) -> None:
    file = _begun(disk)
    file.truncate(1)
    file.write(b"x")


def _replaced(disk: MemoryDisk) -> None:
    _begun(disk)
    disk.replace(FILE, b"new")


def _replaced_twice(disk: MemoryDisk) -> None:
    _replaced(disk)
    disk.sync_folder(HERE)
    disk.replace(FILE, b"newer")


def _removed(disk: MemoryDisk) -> None:
    _begun(disk)
    disk.remove(FILE)


def _removed_for_good(disk: MemoryDisk) -> None:
    _removed(disk)
    disk.sync_folder(HERE)


def _synced_without_its_name(disk: MemoryDisk) -> None:
    write(disk, b"ab").sync()


def _erased(disk: MemoryDisk) -> None:
    _begun(disk)
    disk.overwrite(FILE, b"00")


@pytest.mark.parametrize(
    ("play", "left"),
    [
        (_grown, {b"ab", b"abc", b"abcd"}),
        (_cut_and_grown, {b"ab", b"a", b"ax"}),
        (_replaced, {b"ab", b"new"}),
        (_replaced_twice, {b"new", b"newer"}),
        (_removed, {b"ab", None}),
        (_removed_for_good, {None}),
        (_synced_without_its_name, {b"ab", None}),
        (_erased, {b"00"}),
    ],
)
def test_a_power_cut_leaves_each_thing_that_it_may(
    play: Callable[[MemoryDisk], object], left: set[bytes | None]
) -> None:
    """No more than these, and with some chance each of them."""
    assert outcomes(play) == left


def test_a_disk_whose_syncs_lie_loses_what_was_synced() -> None:
    """Then a replaced file can be torn, too."""

    def play(disk: MemoryDisk) -> None:
        _begun(disk)
        disk.lying_sync = True
        disk.replace(FILE, b"new")
        disk.sync_folder(HERE)

    assert outcomes(play) == {b"ab", b"", b"n", b"ne", b"new"}


def test_what_a_power_cut_left_is_on_the_drive() -> None:
    """A second one takes nothing more."""
    disk = new_disk()
    file = _begun(disk)
    file.write(b" and more")
    first = disk.power_cut(Random(4))
    left = first.read(FILE)
    assert len(left) < len(b"ab and more")
    assert {first.power_cut(Random(seed)).read(FILE) for seed in range(20)} == {left}


# -- death ----------------------------------------------------------------------------------------------


def test_a_kill_leaves_what_the_system_was_given() -> None:
    """It's there, not yet safe from a power cut, and nobody holds a lock any more."""
    disk = new_disk()
    disk.sync_folder(HERE)
    file = write(disk, b"data")
    assert file.lock()
    assert not disk.append(FILE).lock()
    after = disk.kill()
    assert after.read(FILE) == b"data"
    again = after.append(FILE)
    assert again.lock()
    assert {after.kill().power_cut(Random(seed)).is_file(FILE) for seed in range(9)} == {True, False}


@pytest.mark.parametrize("end", [MemoryDisk.kill, lambda disk: disk.power_cut(Random(0))])
def test_a_dead_disk_does_nothing(end: Callable[[MemoryDisk], MemoryDisk]) -> None:
    """All that could tell or change something raises; closing is quiet, and frees no lock of the living."""
    disk = new_disk()
    disk.sync_folder(HERE)
    file = write(disk, b"data")
    file.sync()
    file.lock()
    disk.sync_folder(HERE)
    after = end(disk)
    mine = after.append(FILE)
    assert mine.lock()
    uses: list[Callable[[], object]] = [
        lambda: disk.read(FILE), lambda: disk.append(FILE), lambda: disk.append(FILE, new=True),
        lambda: disk.append(HERE, new=True), lambda: disk.replace(FILE, b""),
        lambda: disk.overwrite(FILE, b""),
        lambda: disk.rename(FILE, FILE), lambda: disk.remove(FILE), lambda: disk.find(HERE, "*"),
        lambda: disk.is_file(FILE), lambda: disk.state(FILE), lambda: disk.make_folder(HERE),
        lambda: disk.sync_folder(HERE), lambda: file.write(b""), lambda: file.truncate(0), lambda: file.size,
        file.sync, file.lock,
    ]  # fmt: skip
    for use in uses:
        with pytest.raises(Died):
            use()
    file.close()
    with pytest.raises(ValueError, match="open"):
        after.flip(FILE, 0)
    assert not after.append(FILE).lock()
    assert after.read(FILE) == b"data"


@pytest.mark.parametrize("dies_after", range(7))
def test_a_machine_dies_at_a_byte(dies_after: int) -> None:
    """What it wrote before is there, up to that very byte, and its draft takes no file's place."""
    disk = new_disk()
    write(disk, b"old").close()
    disk.dies_after = dies_after

    def go_on() -> None:
        write(disk, b"ab").close()
        write(disk, b"cd").close()
        disk.replace(FILE, b"new")

    with pytest.raises(Died):
        go_on()
    assert disk.dead
    assert disk.kill().read(FILE) == (b"oldabcd")[: 3 + min(dies_after, 4)]


def test_a_machine_dies_with_its_last_byte() -> None:
    """Not only when it writes the next one."""
    disk = new_disk()
    disk.dies_after = 2
    with pytest.raises(Died):
        write(disk, b"ab")


# -- faults -----------------------------------------------------------------------------------------------


def test_a_full_disk_takes_nothing_until_there_is_room() -> None:
    """A file that doesn't fit is as before; a smaller one, or the same after a removal, is taken."""
    disk = new_disk()
    file = write(disk, b"1234")
    write(disk, b"1234", HERE / "other").close()
    disk.capacity = 10
    with pytest.raises(OSError, match="space") as told:
        file.write(b"567")
    assert told.value.errno == errno.ENOSPC
    with pytest.raises(OSError, match="space"):
        disk.replace(FILE, b"abc")
    assert disk.find(HERE, "*") == [FILE, HERE / "other"]
    disk.overwrite(FILE, b"0000")
    file.write(b"56")
    disk.remove(HERE / "other")
    file.write(b"78")
    assert disk.read(FILE) == b"00005678"


def test_syncs_fail_by_their_numbers() -> None:
    """What a failed one should have kept is kept by the next that works."""
    disk = new_disk()
    disk.sync_folder(HERE)
    file = write(disk, b"data")
    disk.bad_syncs = range(1, 3)
    for sync in (file.sync, lambda: disk.sync_folder(HERE)):
        with pytest.raises(OSError, match=r"[Ii]nput/output") as told:
            sync()
        assert told.value.errno == errno.EIO
    disk.sync_folder(HERE)
    file.sync()
    assert disk.power_cut(Random(3)).read(FILE) == b"data"


def test_a_flipped_bit_outlasts_a_power_cut() -> None:
    """It's in the file and on the drive; files that are open are spared."""
    disk = new_disk()
    file = _begun(disk)
    with pytest.raises(ValueError, match="open"):
        disk.flip(FILE, 8)
    file.close()
    disk.flip(FILE, 8)
    assert disk.read(FILE) == b"ac"
    assert disk.power_cut(Random(0)).read(FILE) == b"ac"


@settings(max_examples=50)
@given(steps=st.lists(STEPS, max_size=25), seed=CHANCE)
def test_the_same_steps_and_seed_give_the_same_trace_and_disk(steps: list[Step], seed: int) -> None:
    """So that a rehearsal can be played again."""

    def played() -> tuple[list[tuple[str, Path, bytes]], list[object], list[tuple[Path, bytes | None]]]:
        trace: list[tuple[str, Path, bytes]] = []
        disk = MemoryDisk(lambda: 1000.0, lambda *told: trace.append(told))
        disk.make_folder(HERE)
        play = Play(disk, HERE)
        return trace, [play.did(step) for step in steps], Play(disk.power_cut(Random(seed)), HERE).tree()

    assert played() == played()


def test_every_change_is_told_with_its_bytes() -> None:
    """In its order, so that a trace of it names each difference."""
    told: list[tuple[str, str, bytes]] = []
    disk = MemoryDisk(lambda: 0.0, lambda what, path, data: told.append((what, path.name, data)))
    disk.make_folder(HERE)
    disk.replace(FILE, b"new")
    disk.sync_folder(HERE)
    disk.overwrite(FILE, b"0")
    disk.remove(FILE)
    assert told == [
        ("create", "file.new", b""), ("truncate 0", "file.new", b""), ("write", "file.new", b"new"),
        ("sync", "file.new", b""), ("rename to file", "file.new", b""), ("sync", "machine", b""),
        ("write", "file", b"0"), ("sync", "file", b""), ("remove", "file", b""),
    ]  # fmt: skip
