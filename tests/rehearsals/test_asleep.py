"""Somebody who is asked falls silent: every face says so, counts, and a bot or the game answers in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.laptops import Power
from tests.rehearsals.people import AtLines, Phone, Ways
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.sessions.next_step import ASLEEP, UNHEARD
from tavolata._engine.table.log_bodies import Light
from tavolata._ui.i18n import Translator

pytestmark = pytest.mark.battery

HOST, ANN, BOB = NAMES[:3]
CARLO, DANI = f"{HOST}'s 0", f"{ANN}'s 0"
"""The people at the telephones: of the host's laptop, and of Ann's."""
FAMILY = Plan(
    11, "horse-fever", (Seat(Face.JSON, phones=1), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)), {"turns": 2},
    away="blind", stand_after=30,
)  # fmt: skip


class Silent(Evening):
    """An evening in which somebody falls silent while they're asked.

    Attributes:
        seen: by silence and face, when it showed what, in seconds since the silence began.
        answered: the seconds from each silence until the question was answered.
        lit: the seconds until everyone saw that the silent one is back.
    """

    silent = CARLO

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.seen: list[dict[str, list[tuple[float, str]]]] = []
        self.answered: list[float] = []
        self.lit: list[float] = []
        self._at = 0.0

    @override
    def _shown(self, computer: str, who: str, text: str) -> None:
        super()._shown(computer, who, text)
        if self.seen:
            self.seen[-1].setdefault(who, []).append((self.world.loop.clock - self._at, text))

    @override
    async def _main(self) -> None:
        self._code = ""
        for name in NAMES[:3]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        for index in (1, 2):
            await asyncio.sleep(1.0)
            self._join(index)
        await self._until(lambda: len(self._people.get(ANN, ())) == 2)
        await self._until(lambda: all(one.state.matches.running for one in self._sessions.values()))
        await self._fall_silent()

    async def _fall_silent(self) -> None:
        raise NotImplementedError

    async def _until_asked(self) -> None:
        """Wait until the silent one has been asked for long, and begin to note what all see."""
        await self._until(self._is_asked)
        await asyncio.sleep(20.0)
        assert self._is_asked()
        self.seen.append({})
        self._at = self.world.loop.clock

    async def _until_answered(self) -> None:
        await self._until(lambda: not self._is_asked())
        self.answered.append(self.world.loop.clock - self._at)

    async def _until_lit(self, *names: str) -> None:
        at = self.world.loop.clock
        await self._until(lambda: all(self._light(name) is Light.HERE for name in names))
        self.lit.append(self.world.loop.clock - at)

    def _is_asked(self) -> bool:
        running = self._sessions[ANN].state.matches.running
        if running is None:
            return False
        names = running.header.names
        return any(ask.box is None and names[ask.seat] == self.silent for ask in running.match.source.open)

    def _light(self, name: str) -> Light:
        facts = self.world.computers[name].within(self._sessions[name].table)
        return next(one.light for one in facts.taken if one.name == self.silent)

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.1)

    @override
    def _check_files(self) -> None:
        """The match goes on."""


class Stopped(Silent):
    """Carlo's phone is stopped, wakes up, and is stopped again: then Ann would rather wait."""

    @override
    async def _fall_silent(self) -> None:
        [carlo], ann = self._people[HOST][1:], self._people[ANN][0]
        assert isinstance(carlo, Phone)
        assert isinstance(ann, AtLines)
        carlo.ways = Ways((900.0, 900.0), {})
        for waits in (False, True):
            await self._until_asked()
            self.world.computers[HOST].within(lambda: carlo.stop(stopped=True))
            if waits:
                await self._until(lambda: self._light(BOB) is Light.ASLEEP)
                await asyncio.sleep(5.0)
                ann.type(f"wait {CARLO}")
            await self._until_answered()
            self.world.computers[HOST].within(lambda: carlo.stop(stopped=False))
            await self._until_lit(*NAMES[:3])


class Closed(Silent):
    """Bob closes the lid of his laptop, and opens it once the game has answered for him."""

    silent = BOB

    @override
    async def _fall_silent(self) -> None:
        [bob] = self._people[BOB]
        bob.ways = Ways((900.0, 900.0), {})
        await self._until_asked()
        self.world.computers[BOB].power = Power.ASLEEP
        await self._until_answered()
        self._wake(self.world.computers[BOB])
        await self._until_lit(HOST, ANN)


def counts(
    who: str, lines: list[tuple[float, str]], message: str = ASLEEP, name: str = CARLO, count: str = "left"
) -> list[tuple[float, Any]]:
    """Return when this face said that somebody is silent, each time with the seconds left, or since then."""
    said = Translator("en").text(message, {"name": name})
    found = []
    for at, text in lines:
        if who == ANN and text.startswith(said):
            minutes, seconds = text.removeprefix(said).split(":")
            found.append((at, 60 * int(minutes) + int(seconds)))
        elif who != ANN:
            shown = json.loads(text)
            step = shown if shown["type"] == "next" else shown.get("next")
            if step is not None and step["text"] == said:
                found.append((at, step["seconds" if shown["type"] == "next" else count]))
    return found


def test_a_stopped_page_that_is_asked_is_seen_and_counted_everywhere_until_a_bot_answers() -> None:
    """Within 15 seconds, on lines, in programs and on pages; *wait* makes 30 seconds 90, as all read."""
    evening = Stopped(FAMILY)
    report = evening.play()
    for seen in evening.seen:
        for who in (HOST, ANN, BOB, DANI):
            first, left = counts(who, seen[who])[0]
            assert 0 < first < 15, who
            assert 28 < first + left < 31, who
        lights = [(at, json.loads(text)["lights"]) for at, text in seen[DANI] if '"lights"' in text]
        assert 0 < next(at for at, every in lights if Light.ASLEEP in every) < 15
    asleep, longer = evening.seen
    assert [left for _, left in counts(ANN, asleep[ANN])[1:]] == [10, 5]
    for who in (HOST, ANN, BOB, DANI):
        at, left = next(one for one in counts(who, longer[who]) if one[1] > 30)
        assert 88 < at + left < 91, who
    assert [left for _, left in counts(ANN, longer[ANN])[-3:]] == [30, 10, 5]
    without, waited = evening.answered
    assert 27 < without < 33
    assert 87 < waited < 93
    assert len(evening.lit) == 2
    assert max(evening.lit) < 1
    assert not report.broken, report.broken


def test_a_closed_laptop_that_is_asked_is_seen_everywhere_until_the_game_answers() -> None:
    """Within 15 seconds; it's away after 15, and the game answers once it has been away for 30."""
    evening = Closed(FAMILY)
    report = evening.play()
    [seen] = evening.seen
    for who in (HOST, ANN, CARLO, DANI):
        first, since = counts(who, seen[who], UNHEARD, BOB, "since")[0]
        assert 0 < first < 15, who
        assert since == (None if who == HOST else 0), who
    for who in (CARLO, DANI):
        lights = [(at, json.loads(text)["lights"]) for at, text in seen[who] if '"lights"' in text]
        assert 0 < next(at for at, every in lights if Light.UNHEARD in every) < 15
        counted = counts(who, seen[who], UNHEARD, BOB, "since")
        assert [at - since for at, since in counted] == pytest.approx([counted[0][0]] * len(counted), abs=1.1)
    [answered], [lit] = evening.answered, evening.lit
    assert 40 < answered < 48
    assert lit < 1
    assert not report.broken, report.broken
