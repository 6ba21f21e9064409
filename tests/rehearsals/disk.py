"""The disk of a simulated machine: files in memory, with faults, which know what a power cut takes away.

A drive has the content of a file as it was synced last, and the names in a folder as they were when the
folder was synced last. A power cut leaves these, and of what was done since then any beginning: in each
file, down to a part of a write, and in each folder, apart from the others. Folders themselves last at once.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from random import Random
from typing import Self

from tavolata._disk import Disk, FileState, OpenFile
from tavolata_protocol.admission import LIMITS, Entrance


class Died(BaseException):
    """The machine is dead, and its code must not go on."""


@dataclass(eq=False)
class Content:
    """The content of a file: `data` as the system shows it, `kept` as the drive has it.

    `waits` are the changes in between: bytes that were written at a position, or None where the file was cut
    off or made longer.
    """

    changed_ns: int
    data: bytearray = field(default_factory=bytearray)
    kept: bytes = b""
    waits: list[tuple[int, bytes | None]] = field(default_factory=list)
    opened: int = 0
    locked_by: OpenFile | None = None

    def change(self, at: int, data: bytes | None) -> None:
        _change(self.data, at, data)
        self.waits.append((at, data))

    def sync(self) -> None:
        self.kept = bytes(self.data)
        self.waits.clear()

    def after_power_cut(self, chance: Random) -> Content:
        found = bytearray(self.kept)
        whole = chance.randint(0, len(self.waits))
        for at, data in self.waits[:whole]:
            _change(found, at, data)
        for at, data in self.waits[whole : whole + 1]:
            if data is not None:
                _change(found, at, data[: chance.randint(0, len(data))])
        return Content(self.changed_ns, found, bytes(found))


def _change(content: bytearray, at: int, data: bytes | None) -> None:
    if data is None:
        del content[at:]
        content.extend(bytes(at - len(content)))
    else:
        content[at : at + len(data)] = data


class MemoryFile(OpenFile):
    def __init__(self, disk: MemoryDisk, path: Path, content: Content) -> None:
        self._disk = disk
        self._path = path
        self._content = content
        self._open = True
        content.opened += 1

    def _there(self) -> Content:
        self._disk.live()
        if not self._open:
            raise ValueError("I/O operation on closed file")
        return self._content

    @property
    def size(self) -> int:
        return len(self._there().data)

    def write(self, data: bytes) -> None:
        self._disk.put(self._path, self._there(), self.size, data)

    def truncate(self, size: int) -> None:
        self._disk.cut(self._path, self._there(), size)

    def sync(self) -> None:
        content = self._there()
        if self._disk.syncs_now(self._path):
            content.sync()

    def lock(self) -> bool:
        content = self._there()
        content.locked_by = content.locked_by or self
        return content.locked_by is self

    def close(self) -> None:
        if self._open and not self._disk.dead:
            self._open = False
            self._content.opened -= 1
            if self._content.locked_by is self:
                self._content.locked_by = None


NameChange = tuple[tuple[Path, Content | None], ...]
"""New names, and old ones with None, which a power cut keeps or undoes together."""


class MemoryDisk(Disk):
    """The disk of one machine; `kill` and `power_cut` give the one that its next run finds.

    Renames stay within their folder. A dead disk only lets files be closed; all else raises `Died`.

    Attributes:
        clock: the time of day.
        told: is called with each change that is made, its path, and the bytes written.
        capacity: the bytes for which there's room; None without a limit.
        dies_after: the bytes that can still be written until the machine dies; None if it lives on.
        syncs: how often files and folders were synced.
        bad_syncs: the numbers, from 0 on, of the syncs that fail.
        lying_sync: True if syncs do nothing and report success.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        told: Callable[[str, Path, bytes], object] = lambda *_: None,
    ) -> None:
        self.clock = clock
        self.told = told
        self.capacity: int | None = None
        self.dies_after: int | None = None
        self.syncs = 0
        self.bad_syncs = range(0)
        self.lying_sync = False
        self.dead = False
        self._folders: dict[Path, None] = {}
        self._names: dict[Path, Content] = {}
        self._kept: dict[Path, Content] = {}
        self._waits: dict[Path, list[NameChange]] = {}

    # -- the end of a run ---------------------------------------------------------------------------

    def kill(self) -> Self:
        """Return the disk after the process was killed: everything that the system was given is there."""
        found = self._next()
        found._names, found._kept, found._waits = self._names, self._kept, self._waits
        for content in found._names.values():
            content.opened, content.locked_by = 0, None
        return found

    def power_cut(self, chance: Random) -> Self:
        """Return the disk after a power cut; `chance` draws what is left of all that was not synced."""
        found = self._next()
        names = dict(self._kept)
        for changes in self._waits.values():
            for change in changes[: chance.randint(0, len(changes))]:
                _rename(names, change)
        found._names = {path: content.after_power_cut(chance) for path, content in names.items()}
        found._kept = dict(found._names)
        return found

    def _next(self) -> Self:
        self.dead = True
        found = type(self)(self.clock, self.told)
        found.capacity, found.lying_sync = self.capacity, self.lying_sync
        found._folders = self._folders
        return found

    def flip(self, path: Path, bit: int) -> None:
        """Flip a bit of a file that nobody has open."""
        content = self._content(path)
        if content.opened:
            raise ValueError(f"{path} is open")
        kept = bytearray(content.kept)
        for data in (content.data, kept):
            if bit // 8 < len(data):
                data[bit // 8] ^= 1 << bit % 8
        content.kept = bytes(kept)

    # -- what files need ----------------------------------------------------------------------------

    def live(self) -> None:
        if self.dead:
            raise Died

    def put(self, path: Path, content: Content, at: int, data: bytes) -> None:
        """Write into a file, unless the disk is full; the machine may die while it does."""
        grows = max(0, at + len(data) - len(content.data))
        if self.capacity is not None and self._used() + grows > self.capacity:
            raise _error(errno.ENOSPC, path)
        if self.dies_after is not None:
            self.dead = len(data) >= self.dies_after
            data = data[: self.dies_after]
            self.dies_after -= len(data)
        content.change(at, data)
        self._changed(path, content)
        self.told("write", path, data)
        self.live()

    def cut(self, path: Path, content: Content, size: int) -> None:
        content.change(size, None)
        self._changed(path, content)
        self.told(f"truncate {size}", path, b"")

    def _changed(self, path: Path, content: Content) -> None:
        content.changed_ns = int(self.clock() * 1e9)

    def _used(self) -> int:
        return sum(len(content.data) for content in self._names.values())

    def syncs_now(self, path: Path) -> bool:
        """Count a sync; raise OSError if this one fails, return False if it only seems to work."""
        self.syncs += 1
        if self.syncs - 1 in self.bad_syncs:
            raise _error(errno.EIO, path)
        self.told("sync", path, b"")
        return not self.lying_sync

    # -- names --------------------------------------------------------------------------------------

    def _is_folder(self, path: Path) -> bool:
        return path in self._folders or path == path.parent

    def _check_folders(self, path: Path) -> None:
        """Raise OSError unless everything above this path is a folder."""
        for folder in reversed(path.parents):
            if folder in self._names:
                raise _error(errno.ENOTDIR, path)
            if not self._is_folder(folder):
                raise _error(errno.ENOENT, path)

    def _find(self, path: Path) -> Content | None:
        """Return the file of this name, if there is one; raise OSError if there can't be any."""
        self.live()
        self._check_folders(path)
        if self._is_folder(path):
            raise _error(errno.EISDIR, path)
        return self._names.get(path)

    def _content(self, path: Path) -> Content:
        found = self._find(path)
        if found is None:
            raise _error(errno.ENOENT, path)
        return found

    def _name(self, folder: Path, *change: tuple[Path, Content | None]) -> None:
        _rename(self._names, change)
        self._waits.setdefault(folder, []).append(change)

    # -- the disk -----------------------------------------------------------------------------------

    def read(self, path: Path, row: Entrance | None = None) -> bytes:
        data = bytes(self._content(path).data)
        if len(data) > LIMITS[row or Entrance.FILES].size:
            raise _error(errno.EFBIG, path)
        return data

    def append(self, path: Path, *, new: bool | None = None, mode: int = 0o666) -> OpenFile:
        if new and self._is_folder(path):
            self.live()
            raise _error(errno.EEXIST, path)
        content = self._content(path) if new is False else self._find(path)
        if content is None:
            content = Content(int(self.clock() * 1e9))
            self._name(path.parent, (path, content))
            self.told("create", path, b"")
        elif new:
            raise _error(errno.EEXIST, path)
        return MemoryFile(self, path, content)

    def _draft(self, path: Path) -> Path:
        return path.with_name(f"{path.name}.new")  # the number of this process would be in the trace

    def overwrite(self, path: Path, data: bytes) -> None:
        content = self._content(path)
        self.put(path, content, 0, data)
        if self.syncs_now(path):
            content.sync()

    def rename(self, path: Path, to: Path) -> None:
        content = self._content(path)
        self._find(to)
        if path.parent != to.parent:
            raise _error(errno.EXDEV, path)
        self._name(path.parent, (path, None), (to, content))
        self.told(f"rename to {to.name}", path, b"")

    def remove(self, path: Path) -> None:
        try:
            self._content(path)
        except FileNotFoundError:
            return
        self._name(path.parent, (path, None))
        self.told("remove", path, b"")

    def find(self, folder: Path, pattern: str) -> list[Path]:
        self.live()
        return sorted(self._matching(folder, pattern.split("/")))

    def _matching(self, folder: Path, pattern: list[str]) -> Iterator[Path]:
        for path in [*self._names, *self._folders]:
            if folder in path.parents:
                parts = path.relative_to(folder).parts
                if len(parts) == len(pattern) and all(map(fnmatchcase, parts, pattern)):
                    yield path

    def is_file(self, path: Path) -> bool:
        self.live()
        return path in self._names

    def state(self, path: Path) -> FileState:
        self.live()
        if self._is_folder(path):
            return FileState(0, 0)
        content = self._content(path)
        return FileState(len(content.data), content.changed_ns)

    def make_folder(self, folder: Path, mode: int = 0o777) -> None:
        self.live()
        for one in [*reversed(folder.parents), folder]:
            if one in self._names:
                raise _error(errno.EEXIST if one == folder else errno.ENOTDIR, folder)
            if not self._is_folder(one):
                self._folders[one] = None

    def sync_folder(self, folder: Path) -> None:
        self.live()
        self._check_folders(folder / "name")
        if self.syncs_now(folder):
            for change in self._waits.pop(folder, []):
                _rename(self._kept, change)


def _rename(names: dict[Path, Content], change: NameChange) -> None:
    for path, content in change:
        if content is None:
            del names[path]
        else:
            names[path] = content


def _error(number: int, path: Path) -> OSError:
    return OSError(number, os.strerror(number), str(path))
