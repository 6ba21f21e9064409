"""Evenings of Sealed Tricks, the tests' own game of hidden hands, and what its players' machines keep."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, cast

import pytest
from tests.network import sealed_tricks
from tests.rehearsals import family
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import Evening, _match_files
from tests.rehearsals.laptops import EPOCH, Laptop
from tests.rehearsals.plan import GAMES, Plan
from typing_extensions import override

from tavolata._cli.failures import FINISHED, exit_code
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.storage.match_file import Kept, read
from tavolata.errors import MessageError
from tavolata.game import Game


@contextmanager
def tricks() -> Iterator[type[Game[Any]]]:
    """Have Sealed Tricks be the one game there is; yields its rules."""
    known = Catalogue()
    nowhere = Laptop("nowhere", "", Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    loaded = nowhere.within(known.game, str(sealed_tricks.__file__))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(family, "catalogue", lambda: known)
        patch.setitem(cast("dict[str, Any]", GAMES), loaded.game.name, (0.0, *loaded.game.seats, {}))
        yield loaded.game


class Played(Evening):
    """An evening of which it's kept what people read and how it ended.

    Attributes:
        lines: by whoever reads them, the lines.
        codes: by machine, the exit code of its program.
        kept: by machine, its match files, the oldest first.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.lines: dict[str, list[str]] = {}
        self.codes: dict[str, int] = {}
        self.kept: dict[str, list[Kept]] = {}

    def read(self, who: str, words: str) -> list[str]:
        """Return the lines with these words in them that somebody read."""
        return [line for line in self.lines.get(who, ()) if words in line]

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        self.lines.setdefault(who, []).append(text)

    @override
    async def _kept(self, computer: Laptop, program: Coroutine[Any, Any, str]) -> str:
        return await super()._kept(computer, self._noted(computer.name, program))

    async def _noted(self, name: str, program: Coroutine[Any, Any, str]) -> str:
        try:
            told = await program
        except MessageError as error:
            self.codes[name] = exit_code(error)
            raise
        self.codes[name] = FINISHED
        return told

    @override
    def _check_files(self) -> None:
        Evening._check_files(self)
        for name, computer in self.world.computers.items():
            found = computer.within(_match_files)
            found.sort(key=lambda pair: computer.disk.state(pair[0]).changed_ns)
            self.kept[name] = [kept for _, kept in found]


def agree(evening: Played, names: Sequence[str]) -> bytes:
    """Check that all stored the same end; return the digest in it."""
    ends = [kept.end for name in names for kept in evening.kept[name]]
    assert len(ends) == len(names)
    assert ends[0] is not None
    assert ends == [ends[0]] * len(names)
    assert [evening.codes[name] for name in names] == [FINISHED] * len(names)
    digest: bytes = ends[0]["digest"]
    return digest


def notices(evening: Played, name: str) -> list[str]:
    """Return what somebody was told beside the match."""
    lines = map(json.loads, evening.lines[name])
    return [str(line["text"]) for line in lines if line["type"] == "notice"]


class Left(NamedTuple):
    """What a machine left, in a folder."""

    home: Path

    def matches(self) -> list[Kept]:
        """Return its match files, the oldest first."""
        return [read(path) for path in sorted((self.home / "data" / "matches").glob("*.ttm"))]


class Copied(Played):
    """An evening whose machines leave their files in a folder, and there the secrets that they erase."""

    def __init__(self, plan: Plan, folder: Path) -> None:
        super().__init__(plan)
        self._folder = folder

    @override
    def _begin(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        disk = self.world.computers[name].disk
        told = disk.told

        def keeps_secrets(what: str, path: Path, data: bytes) -> None:
            told(what, path, data)
            if path.parent.name == "secrets" and any(data):
                put(self._folder / "secrets" / path.name, data)

        disk.told = keeps_secrets
        super()._begin(name, program)

    @override
    def _check_files(self) -> None:
        for name in self.world.computers:
            self.copy(name, self._folder / name)
        super()._check_files()

    def left(self) -> list[Left]:
        """Return what the machines left, the host's first."""
        return [Left(self._folder / name) for name in self.world.computers]

    def copy(self, name: str, folder: Path) -> Left:
        """Copy all files of a machine into a folder as they are now."""
        disk = self.world.computers[name].disk
        for path, content in disk._names.items():
            put(folder / path.relative_to("/rehearsal"), bytes(content.data))
        return Left(folder)


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
