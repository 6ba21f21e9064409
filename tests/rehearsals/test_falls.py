"""Acting on one entry fails on every machine: they resume, fall again, go back together and play on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace
from tests.rehearsals.family import NAMES, Evening, _match_files, _rules
from tests.rehearsals.laptops import Laptop, Power
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import Header
from tavolata._engine.peer.falls import NO_WAY_BACK
from tavolata._engine.review.verify import check, check_after
from tavolata._engine.storage.match_file import Kept
from tavolata._engine.storage.ways_back import way_files
from tavolata._engine.table.matches import Matches, TableMatch
from tavolata._ui.i18n import Translator

pytestmark = pytest.mark.battery

THREE = Plan(7, "horse-fever", (Seat(Face.JSON), Seat(Face.PLAIN), Seat(Face.JSON)), {"turns": 4})
FEED = Matches._feed


class Falling(Evening):
    """Everyone resumes as soon as all have fallen; in the new match all are killed and resume once more.

    Attributes:
        ends: how all programs ended, each time.
        checked: how many machines have the right files.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.ends: list[dict[str, str]] = []
        self.checked = 0

    @property
    def _players(self) -> list[str]:
        return [name for name, seat in zip(NAMES, self.plan.seats, strict=False) if not seat.watches]

    @override
    async def _main(self) -> None:
        await self._fall_and_go_back()
        self._goes_back = False
        for index, computer in enumerate([*self.world.computers.values()]):
            self._turn_off(computer, 1.0 + index, index)
        await asyncio.sleep(5.0)
        await self._until(self._is_over)
        self.ends.append(dict(self.report.ends))

    async def _fall_and_go_back(self) -> None:
        self._code = ""
        for name in self._players:
            self.world.computer(name)
        self._begin(NAMES[0], self._host)
        for index in range(1, len(self._players)):
            await asyncio.sleep(0.3)
            self._join(index)
        for goes_back in (False, True):
            await self._until(self._is_over)
            self.ends.append(dict(self.report.ends))
            self._goes_back = goes_back
            for index, name in enumerate(self.world.computers):
                self._begin(name, lambda computer, index=index: self._back(computer, index))  # type: ignore[misc] # mypy knows no defaults of lambdas
        await self._until(lambda: all(map(self._plays_anew, self._players)))

    def _plays_anew(self, name: str) -> bool:
        running = self._sessions[name].state.matches.running
        return running is not None and running.header.before is not None and running.match.turns > 2

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(1.0)

    @override
    def _check_reports(self, name: str, computer: Laptop) -> None:
        """Expect the reports of the fault that everyone meets."""

    @override
    def _check_files(self) -> None:
        """Each machine has the old match as far as it went, and the new one whole; nothing fails any more."""
        for name in self.world.computers:
            if self.world.computers[name].power is Power.OFF:
                self.world.computer(name)
            with pytest.MonkeyPatch.context() as mended:
                mended.setattr(Matches, "_feed", FEED)
                self.world.computers[name].within(self._check)

    def _check(self) -> None:
        found = {header.id: (kept, header) for kept in files() for header in (Header.of(kept.header),)}
        [(new, after)] = [(kept, header) for kept, header in found.values() if header.before is not None]
        assert after.before is not None
        assert after.before.absent == ()
        old, before = found[after.before.match]
        assert old.end is None
        right = check(old, before, _rules(before.game))
        assert right.is_unfinished
        check_after(after, before, right)
        assert not check(new, after, _rules(after.game)).is_unfinished
        assert new.end is not None
        assert new.end["outcome"] is not None
        assert not way_files()
        self.checked += 1


class Watching(Falling):
    """Someone comes to watch while the new match is played; the log leads them to the broken entry, too.

    Attributes:
        same: the spectator's machine and the host's have had the same state.
    """

    same = False

    @override
    async def _main(self) -> None:
        await self._fall_and_go_back()
        watcher = NAMES[len(self._players)]
        self.world.computer(watcher)
        self._join(len(self._players))
        await self._until(lambda: watcher in self._sessions and self._plays_anew(watcher))
        await self._until(lambda: self._is_alike(watcher))
        self.same = True

    def _is_alike(self, watcher: str) -> bool:
        own, others = (self._sessions[name].state.matches for name in (watcher, NAMES[0]))
        assert not own.is_held
        return own.digest() == others.digest() != b"" and own.running is not None

    @override
    def _check_files(self) -> None:
        """The new match goes on."""


class NoWayBack(Falling):
    """A narrator's table, at which everyone resumes twice, the second time by `tt resume --back`."""

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in NAMES[: len(self.plan.seats)]:
            self.world.computer(name)
        self._begin(NAMES[0], self._host)
        for index in range(1, len(self.plan.seats)):
            await asyncio.sleep(0.3)
            self._join(index)
        for goes_back in (False, True):
            await self._all_end()
            self._goes_back = goes_back
            for index, name in enumerate(self.world.computers):
                self._begin(name, lambda computer, index=index: self._back(computer, index))  # type: ignore[misc] # mypy knows no defaults of lambdas
        await self._all_end()

    async def _all_end(self) -> None:
        await self._until(self._is_over)
        self.ends.append(dict(self.report.ends))

    @override
    def _check_files(self) -> None:
        """The match stays where it broke."""


def files() -> list[Kept]:
    return [kept for _, kept in _match_files()]


@contextmanager
def broken(turns: int = 2) -> Iterator[None]:
    """Acting on the first answer after so many turns fails, wherever and whenever it is tried."""
    leave = Person._leave

    def fails(self: Matches, running: TableMatch, peer: bytes | None, entry: Any) -> None:
        if running.header.before is None and running.match.turns == turns and entry[0] == ANSWER:
            raise KeyError("a fault of this program")
        FEED(self, running, peer, entry)

    def leaves_at_the_end(self: Any) -> None:
        if self.session.match is not None and self.session.match.outcome is not None:
            leave(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Matches, "_feed", fails)
        patch.setattr(Person, "_leave", leaves_at_the_end)
        yield


def test_after_a_second_fall_at_one_entry_everyone_goes_back() -> None:
    """Everyone reads what to do, and the new match is played to its end; both files are right."""
    evening = Falling(THREE)
    with broken():
        report = evening.play()
    first, second, last = evening.ends
    assert len(last) == 3
    for name in NAMES[:3]:
        assert first[name].startswith("Something broke here: KeyError")
        assert "To go back to turn 2, everyone must run `tt resume --back`" in second[name]
    assert not any("broke" in end for end in last.values())
    assert not report.broken, report.broken
    assert evening.checked == 3


def test_a_spectator_who_comes_after_going_back_follows_the_new_match() -> None:
    """Without a note of the fault, and at the entry that broke every machine, theirs goes past it."""
    evening = Watching(replace(THREE, seats=(*THREE.seats, Seat(watches=True))))
    with broken():
        report = evening.play()
    assert evening.same
    assert not report.broken, report.broken


@pytest.mark.parametrize("host", [Seat(Face.JSON), Seat(watches=True)], ids=["plays", "only narrates"])
def test_nobody_goes_back_at_a_narrators_table_and_everyone_reads_why(host: Seat) -> None:
    """The narrator knows what was hidden, so all that's left is to try again or a new match."""
    seats = (host, Seat(Face.PLAIN), Seat(Face.JSON))
    village = Plan(7, "werewolf", seats, bots=("random",) * (4 + host.watches))
    evening = NoWayBack(village)
    with broken(turns=1):
        report = evening.play()
    first, second, last = evening.ends
    assert [len(ends) for ends in evening.ends] == [3] * 3
    for name in NAMES[:3]:
        assert first[name].startswith("Something broke here: KeyError")
        assert second[name].startswith("It broke again: KeyError")
        assert "With a single dealer you can't go back." in second[name]
        assert last[name] == Translator("en").text(NO_WAY_BACK, {})
    assert not report.broken, report.broken
