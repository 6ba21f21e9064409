"""Laptops to which happens what a test's story says, and all that the people at them read."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

import pytest
from tests.network import sealed_tricks
from tests.rehearsals.disk import MemoryDisk
from tests.rehearsals.family import NAMES, Evening, Report, _match_files, catalogue
from tests.rehearsals.laptops import EPOCH, Laptop, Power
from tests.rehearsals.people import ENOUGH, AtLines, AtScreen
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import Catalogue

HOST = NAMES[0]
AGAIN = "'s computer now leads the table"
BIDS = "How many do you take"
SOMEBODY = Seat(Face.PLAIN, pace=(0.5, 1.0))
TWO, THREE, FIVE = (Plan(7, "tricks", (SOMEBODY,) * people) for people in (2, 3, 5))


Story = Callable[["Told"], Awaitable[None]]


@cache
def tricks() -> Any:
    """Return the game of hidden hands as a catalogue has it."""
    nowhere = Laptop("nowhere", "", random.Random(0), MemoryDisk(lambda: EPOCH), lambda: 0.0)
    known = Catalogue()
    nowhere.within(known.game, sealed_tricks.__file__)
    return known._files["tricks"]


class Told(Evening):
    """People who answer once they're told to; a `story` says what happens to their laptops.

    `at_once` says whether the match begins as soon as all have sat down.

    Attributes:
        names: everyone's.
        lines: what each of them has read.
        ends: how the match ended by the files of those who have its end.
    """

    def __init__(self, plan: Plan, story: Story, *, at_once: bool = True) -> None:
        super().__init__(plan)
        self.names = NAMES[: len(plan.seats)]
        self.lines: dict[str, list[str]] = {}
        self.ends: list[dict[str, Any]] = []
        self._seen: dict[str, int] = {}
        self._looked = 0.0
        self._story = story
        self._at_once = at_once

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        self.lines.setdefault(who, []).append(text)

    @override
    def _person(self, *words: Any) -> AtLines | AtScreen:
        person = super()._person(*words)
        person.answers = ENOUGH
        return person

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = settings.at_once and self._at_once
        return settings

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in self.names:
            self.world.computer(name)
        self._begin(HOST, self._host)
        for index in range(1, len(self.names)):
            await asyncio.sleep(1.0)
            self._join(index)
        await self._story(self)

    @override
    def _check_files(self) -> None:
        super()._check_files()
        for computer in self.world.computers.values():
            self.ends += [kept.end for _, kept in computer.within(_match_files) if kept.end is not None]

    @override
    def play(self) -> Report:
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(catalogue()._files, "tricks", tricks())
            return super().play()

    @property
    def clock(self) -> float:
        return self.world.loop.clock

    # -- what happens -----------------------------------------------------------------------------

    async def at_bids(self) -> None:
        """Wait until everyone is asked for a bid."""
        await self.expect(BIDS, *self.names)
        await self.wait(2.5)  # all have called all

    async def finish(self) -> None:
        """Have everyone answer, until every program has ended."""
        self.answer(*self.names)
        await self.until(self._is_over)

    def answer(self, *names: str) -> None:
        """Have these answer whatever they're asked from now on."""
        for name in names:
            self._people[name][0].answers = 0

    def type(self, name: str, line: str) -> None:
        [person] = self._people[name]
        assert isinstance(person, AtLines)
        self.world.computers[name].within(person.type, line)

    def kill(self, name: str) -> None:
        self._turn_off(self.world.computers[name], 0.0, NAMES.index(name))

    def sleep(self, name: str) -> None:
        self.world.computers[name].power = Power.ASLEEP

    def wake(self, name: str) -> None:
        self._wake(self.world.computers[name])

    def turns(self, name: str) -> int:
        running = self._sessions[name].state.matches.running
        return 0 if running is None else running.match.turns

    def join_anew(self, name: str, door: str) -> None:
        """Start a machine that has gone off, and join at another one's address."""
        if self.world.computers[name].power is Power.OFF:
            self.world.computer(name)
        address = f"{self.world.computers[door].host}:{self._sessions[door]._log_driver.driver.port}"
        self._begin(name, lambda computer: self._guest(computer, NAMES.index(name), address))

    # -- what is read -----------------------------------------------------------------------------

    async def until(self, holds: Callable[[], bool], seconds: float = 600.0) -> None:
        async with asyncio.timeout(seconds):
            while not holds():
                await asyncio.sleep(0.1)
                if self.clock >= self._looked + 1:
                    self._looked = self.clock
                    self._look_around()

    async def wait(self, seconds: float) -> None:
        """Let so many seconds pass."""
        at = self.clock + seconds
        await self.until(lambda: self.clock >= at)

    async def expect(self, pattern: str, *names: str, within: float = 30.0) -> re.Match[str]:
        """Wait until each of these has read a line with this in it, after what they've read; the last one."""
        until, found = self.clock + within, None
        for name in names:
            try:
                await self.until(lambda name=name: self._reads(name, pattern), until - self.clock)  # type: ignore[misc] # mypy knows no defaults of lambdas
            except TimeoutError:
                raise AssertionError(f"{name} never read {pattern!r}: {self.lines[name][-30:]}") from None
            found = re.search(pattern, self.lines[name][self._seen[name] - 1])
        assert found is not None
        return found

    def _reads(self, name: str, pattern: str) -> bool:
        lines, first = self.lines.get(name, []), self._seen.get(name, 0)
        for at, text in enumerate(lines[first:], first + 1):
            if re.search(pattern, text):
                self._seen[name] = at
                return True
        return False

    def has(self, name: str, pattern: str) -> bool:
        return any(re.search(pattern, text) for text in self.lines.get(name, ()))


def ends_well(evening: Told, files: int) -> None:
    """Play an evening; so many machines have the same end of the match, and nothing is broken."""
    goes_well(evening)
    assert len(evening.ends) == files
    assert all(end == evening.ends[0] for end in evening.ends)
    assert all(end["outcome"] is not None for end in evening.ends)


def goes_well(evening: Told) -> None:
    """Play an evening; nothing is broken."""
    report = evening.play()
    assert not report.broken, report.broken
