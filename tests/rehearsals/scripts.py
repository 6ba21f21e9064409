"""Evenings whose people do what a script says, and what it takes for that."""

from __future__ import annotations

import asyncio
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from tests.rehearsals import family
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import NAMES
from tests.rehearsals.laptops import EPOCH, Laptop
from tests.rehearsals.people import AtLines
from tests.rehearsals.plan import Plan
from tests.rehearsals.test_meetings import Heard
from typing_extensions import override

from tavolata._engine.plugins.catalogue import Catalogue


class Scripted(Heard):
    """An evening in which everybody joins one after the other, and then `script` says what happens."""

    def __init__(self, plan: Plan, script: Callable[[Any], Awaitable[None]]) -> None:
        super().__init__(plan)
        self._script = script
        self._read = Counter[str]()

    @override
    async def _main(self) -> None:
        self._code = ""
        names = NAMES[: len(self.plan.seats)]
        for name in names:
            self.world.computer(name)
        self._begin(names[0], self._host)
        for index in range(1, len(names)):
            await asyncio.sleep(1.0)
            self._join(index)
        await asyncio.sleep(3.0)
        self._read.update({name: len(lines) for name, lines in self.lines.items()})
        await self._script(self)

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.05)

    def types(self, name: str, *lines: str) -> None:
        person = self._people[name][0]
        assert isinstance(person, AtLines)
        for line in lines:
            person.type(line)

    async def reads(self, name: str, pattern: str, seconds: float = 10.0) -> float:
        """Wait until somebody reads a line like this after what they read before; return how long."""
        at = self.world.loop.clock
        while True:
            for line in self.lines[name][self._read[name] :]:
                self._read[name] += 1
                if re.search(pattern, line):
                    return self.world.loop.clock - at
            last = [line[:200] for line in self.lines[name][-8:]]
            assert self.world.loop.clock < at + seconds, (name, pattern, last)
            await asyncio.sleep(0.05)

    def has_read(self, name: str, pattern: str) -> bool:
        return any(re.search(pattern, line) for line in self.lines[name])

    async def ended(self, name: str) -> str:
        """Wait until somebody's program ends; return its last sentence."""
        await self.until(self._tasks[name].done)
        return self.report.ends.pop(name)

    def comes(self, name: str) -> None:
        """Have somebody run `tt join`, after a crash or once their program has ended."""
        self._begin(name, lambda computer: self._guest(computer, NAMES.index(name), "10.0.0.1"))


E = TypeVar("E", bound=family.Evening)


def played(evening: E) -> E:
    """Play an evening in which nothing may break."""
    report = evening.play()
    assert not report.broken, report.broken
    return evening


@cache
def _with(file: Path) -> Catalogue:
    nowhere = Laptop("nowhere", "", random.Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    known = Catalogue()
    nowhere.within(known.games)
    nowhere.within(known.game, str(file))
    return known


def install(patch: pytest.MonkeyPatch, file: Path) -> None:
    """Have all machines know the game in this file, too."""
    patch.setattr(family, "catalogue", lambda: _with(file))
