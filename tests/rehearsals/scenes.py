"""Evenings that a test scripts: what people type, what happens to their laptops, and all that they read."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import pytest
from tests.network import sealed_tricks
from tests.rehearsals import family
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import NAMES, Evening, Report, _match_files, catalogue
from tests.rehearsals.laptops import EPOCH, Laptop, Power
from tests.rehearsals.people import AtLines, Ways
from tests.rehearsals.plan import GAMES, Face, Plan, Seat
from tests.rehearsals.test_chairs import Table
from typing_extensions import override

from tavolata._cli.failures import FINISHED, exit_code
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.storage.match_file import Kept
from tavolata.errors import MessageError
from tavolata.game import Game

HOST, ANN, BOB, CY, DOT = NAMES[:5]
SEALED_TRICKS = Path(sealed_tricks.__file__)
"""The tests' own game of hidden hands, at which all are asked for a `BID` at once."""
BID = "How many do you take"
SOMEBODY = Seat(Face.PLAIN, pace=(0.5, 1.0))
TWO, THREE, FIVE = (Plan(5, "tricks", (SOMEBODY,) * people) for people in (2, 3, 5))


@cache
def _found(file: Path) -> Any:
    """Return the game in this file as a catalogue has it."""
    nowhere = Laptop("nowhere", "", random.Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    known = Catalogue()
    nowhere.within(known.game, str(file))
    [found] = known._files.values()
    return found


@contextmanager
def knowing(file: Path = SEALED_TRICKS) -> Iterator[type[Game[Any]]]:
    """Have all machines know the game in this file; yields its rules."""
    rules: type[Game[Any]] = _found(file)[0].game
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(catalogue()._files, rules.name, _found(file))
        patch.setitem(cast("dict[str, Any]", GAMES), rules.name, (0.0, *rules.seats, {}))
        yield rules


class Typist(AtLines):
    """Somebody who types only what a script says until they play.

    Attributes:
        plays: whether they answer, and close windows, as anybody does.
        leaves: whether they then quit after the end.
    """

    plays = leaves = False

    @override
    async def _watch(self) -> None:
        while not self.plays:  # noqa: ASYNC110 - virtual time
            await asyncio.sleep(0.25)
        await super()._watch()

    @override
    def _leave(self) -> None:
        if self.leaves:
            super()._leave()


class Scene(Table):
    """An evening at which all join, one after the other, and `script` says what happens then.

    If a seat has a `joins_at`, the script says when its machine joins. Without a script the evening is like
    any other. With `at_once` the match begins as soon as everybody sits. Otherwise the script begins in the
    lobby, and doesn't wait for lines that were read before.

    Attributes:
        names: everyone's.
        lines: by person, what they read.
        kept: by machine, its match files, the oldest first.
    """

    file = SEALED_TRICKS
    """The game that all machines know besides the usual ones."""

    def __init__(
        self, plan: Plan, script: Callable[[Any], Awaitable[None]] | None = None, *, at_once: bool = True
    ) -> None:
        super().__init__(plan)
        self.most = plan.players
        self.names = family.NAMES[: len(plan.seats)]
        self.lines = defaultdict[str, list[str]](list)
        self.kept: dict[str, list[Kept]] = {}
        self._script = script
        self._at_once = at_once
        self._passed = Counter[str]()
        self._looked = 0.0

    @property
    def clock(self) -> float:
        return self.world.loop.clock

    @property
    def ends(self) -> list[dict[str, Any]]:
        """How matches ended, by the files of those who have their ends."""
        return [kept.end for files in self.kept.values() for kept in files if kept.end is not None]

    # -- what people read and type ------------------------------------------------------------------

    async def read(self, pattern: str, *names: str, within: float = 10.0) -> float:
        """Wait until each of these people reads this, after what they last had to read; return when."""
        until = self.clock + within
        for name in names:
            try:
                await self.until(lambda name=name: self._passes(name, pattern), until - self.clock)  # type: ignore[misc] # mypy knows no defaults of lambdas
            except TimeoutError:
                last = [line[:200] for line in self.lines[name][-30:]]
                raise AssertionError(f"{name} never read {pattern!r}: {last}") from None
        return self.clock

    def _passes(self, name: str, pattern: str) -> bool:
        for at, line in enumerate(self.lines[name][self._passed[name] :], self._passed[name] + 1):
            if re.search(pattern, line):
                self._passed[name] = at
                return True
        return False

    def has(self, name: str, pattern: str) -> list[re.Match[str]]:
        """Return the first match in each line of somebody's that has one."""
        return [found for line in self.lines[name] if (found := re.search(pattern, line))]

    def heard(self, name: str, kind: str) -> list[dict[str, Any]]:
        """Return the lines of this type that somebody's JSON face showed."""
        return [said for line in self.lines[name] if (said := json.loads(line))["type"] == kind]

    def type(self, name: str, *lines: str) -> None:
        person = self._people[name][0]
        assert isinstance(person, AtLines)
        for line in lines:
            self.world.computers[name].within(person.type, line)

    async def bids(self) -> None:
        """Wait until everybody is asked for a bid, and a bit longer: all machines have called each other."""
        await self.read(BID, *self.names, within=30)
        await self.wait(2.5)

    def play_on(self, *names: str, leave: bool = False) -> None:
        """Have these people answer from now on."""
        for name in names:
            person = self._people[name][0]
            assert isinstance(person, Typist)
            person.plays, person.leaves = True, leave

    async def play_out(self, *names: str, within: float = 120) -> None:
        """Have these people answer until the match is over; `within` is in seconds."""
        self.play_on(*names)
        await self.read(r"It took \d+ turn", *names, within=within)

    async def finish(self, *names: str) -> None:
        """Have these people, or all, answer and then leave; wait until every program has ended."""
        self.play_on(*(names or self.names), leave=True)
        await self.until(self._is_over)

    # -- laptops ------------------------------------------------------------------------------------

    async def until(self, holds: Callable[[], bool], seconds: float | None = None) -> None:
        """Wait until this holds, by the plan's limit or within `seconds`, and check what always holds."""
        async with asyncio.timeout(self.plan.limit if seconds is None else seconds):
            while not holds():
                await asyncio.sleep(0.1)
                if self.clock >= self._looked + 1:
                    self._looked = self.clock
                    self._look_around()

    async def wait(self, seconds: float) -> None:
        """Let so many seconds pass."""
        at = self.clock + seconds
        await self.until(lambda: self.clock >= at, seconds + 1)

    def kill(self, name: str) -> None:
        self._turn_off(self.world.computers[name], 0.0, NAMES.index(name))

    def sleep(self, name: str) -> None:
        self.world.computers[name].power = Power.ASLEEP

    def wake(self, name: str) -> None:
        self._wake(self.world.computers[name])

    def join(self, name: str, door: str = HOST) -> None:
        """Run `tt join` with the address of `door` on a machine that's off or whose program has ended."""
        address = f"{self.world.computers[door].host}:{self._sessions[door]._log_driver.driver.port}"
        self._run(name, lambda computer: self._guest(computer, NAMES.index(name), address))

    def resume(self, name: str) -> None:
        """Run `tt resume` on a machine that's off or whose program has ended."""
        self._run(name, lambda computer: self._back(computer, NAMES.index(name)))

    def _run(self, name: str, program: Callable[[Laptop], Coroutine[Any, Any, str]]) -> None:
        if self.world.computers[name].power is Power.OFF:
            self.world.computer(name)
        self._begin(name, program)

    async def ended(self, name: str) -> str:
        """Wait until a program has ended; return its last sentence."""
        await self.until(self._tasks[name].done)
        return self.report.ends[name]

    # -- the evening --------------------------------------------------------------------------------

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = self._at_once and index == 0
        return settings

    @override
    def _person(
        self, session: PeerSession, name: str, seat: Seat, ways: Ways, shown: Callable[[str, str], object]
    ) -> Any:
        if self._script is None or seat.face is not Face.PLAIN:
            return super()._person(session, name, seat, ways, shown)
        return Typist(
            name, self.world.stream(f"person {name}"), ways, shown, session, Face.PLAIN, self._language(name)
        )

    @override
    async def _main(self) -> None:
        if self._script is None:
            await super()._main()
            return
        self._code = ""
        for name in self.names:
            self.world.computer(name)
        self._begin(HOST, self._host)
        for index, seat in enumerate(self.plan.seats):
            if index and not seat.joins_at:
                await asyncio.sleep(1.0)
                self._join(index)
        if not self._at_once:
            await asyncio.sleep(3.0)
            self._passed.update({name: len(lines) for name, lines in self.lines.items()})
        await self._script(self)

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        self.lines[who].append(text)

    @override
    def _check_files(self) -> None:
        Evening._check_files(self)
        for name, computer in self.world.computers.items():
            found = computer.within(_match_files)
            found.sort(key=lambda pair: computer.disk.state(pair[0]).changed_ns)
            self.kept[name] = [kept for _, kept in found]

    @override
    def play(self) -> Report:
        with knowing(self.file):
            return super().play()


class Coded(Scene):
    """An evening of which the exit codes of programs are kept.

    Attributes:
        codes: by machine, the exit code of its last program.
    """

    def __init__(self, plan: Plan, script: Callable[[Any], Awaitable[None]] | None = None) -> None:
        super().__init__(plan, script)
        self.codes: dict[str, int] = {}

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


S = TypeVar("S", bound=Scene)
C = TypeVar("C", bound=Coded)


def played(scene: S) -> S:
    """Play an evening in which nothing breaks."""
    report = scene.play()
    assert not report.broken, report.broken
    return scene


def agreed(scene: S, machines: int = 0) -> S:
    """Play an evening in which nothing breaks; this many machines, or all, store the same end of a match."""
    ends = played(scene).ends
    assert len(ends) == (machines or len(scene.names))
    assert ends == ends[:1] * len(ends)
    assert ends[0]["outcome"] is not None
    assert max(map(len, scene.kept.values())) == 1
    return scene


def finished(scene: C) -> C:
    """Play an evening on whose end all machines agree, and which all their programs end without an error."""
    agreed(scene)
    assert scene.codes == dict.fromkeys(scene.names, FINISHED)
    return scene
