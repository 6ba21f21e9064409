"""Somebody who is asked falls silent: every face says so, counts, and a bot or the game answers in time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable

from tests.rehearsals.family import NAMES, Evening
from tests.rehearsals.people import AtLines, Phone, Ways
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.sessions.next_step import ASLEEP
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table.log_bodies import Light
from tavolata._ui.i18n import Translator

HOST, ANN, BOB = NAMES[:3]
CARLO, DANI = f"{HOST}'s 0", f"{ANN}'s 0"
"""The people at the telephones: of the host's laptop, and of Ann's."""
FAMILY = Plan(
    11, "zompa", (Seat(Face.JSON, phones=1), Seat(Face.PLAIN, phones=1), Seat(Face.JSON)), {"fiches": 2},
)  # fmt: skip


class Asked(Evening):
    """Carlo's phone is stopped while he's asked, wakes up, and is stopped again.

    Attributes:
        seen: by face, when it showed what, since the phone was stopped.
        answered: the seconds from each stop until Carlo's question was answered.
        lit: the seconds until everyone sees that he's back.
    """

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
        [carlo], ann = self._people[HOST][1:], self._people[ANN][0]
        assert isinstance(carlo, Phone)
        assert isinstance(ann, AtLines)
        carlo.ways = Ways((900.0, 900.0), {})
        for waits in (False, True):
            await self._until(lambda: self._asks(BOB, CARLO))
            await asyncio.sleep(20.0)
            assert self._asks(BOB, CARLO)
            self.seen.append({})
            self._at = self.world.loop.clock
            self.world.computers[HOST].within(lambda: carlo.stop(stopped=True))
            if waits:
                await self._until(lambda: self._light(BOB) is Light.ASLEEP)
                await asyncio.sleep(5.0)
                ann.type(f"wait {CARLO}")
            await self._until(lambda: not self._asks(BOB, CARLO))
            self.answered.append(self.world.loop.clock - self._at)
            at = self.world.loop.clock
            self.world.computers[HOST].within(lambda: carlo.stop(stopped=False))
            await self._until(lambda: all(self._light(name) is Light.HERE for name in NAMES[:3]))
            self.lit.append(self.world.loop.clock - at)

    def _facts(self, name: str) -> TableFacts:
        return self.world.computers[name].within(self._sessions[name].table)

    def _asks(self, name: str, who: str) -> bool:
        running = self._sessions[name].state.matches.running
        assert running is not None
        return any(
            ask.box is None and running.header.names[ask.seat] == who for ask in running.match.source.open
        )

    def _light(self, name: str) -> Light:
        return next(one.light for one in self._facts(name).taken if one.name == CARLO)

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.1)

    @override
    def _check_files(self) -> None:
        """The match goes on."""


def counts(who: str, lines: list[tuple[float, str]]) -> list[tuple[float, int]]:
    """Return when this face said that Carlo's phone is asleep, each time with the seconds left."""
    said = Translator("en").text(ASLEEP, {"name": CARLO})
    found = []
    for at, text in lines:
        if who == ANN and text.startswith(said):
            minutes, seconds = text.removeprefix(said).split(":")
            found.append((at, 60 * int(minutes) + int(seconds)))
        elif who != ANN:
            shown = json.loads(text)
            step = shown.get("next") if who == DANI else shown if shown["type"] == "next" else None
            if step is not None and step["text"] == said:
                found.append((at, step["left" if who == DANI else "seconds"]))
    return found


def test_a_stopped_page_that_is_asked_is_seen_and_counted_everywhere_until_a_bot_answers() -> None:
    """Within 15 seconds, on lines, in programs and on pages; *wait* makes 30 seconds 90, as all read."""
    evening = Asked(FAMILY)
    report = evening.play()
    for seen in evening.seen:
        for who in (HOST, ANN, BOB, DANI):
            first, left = counts(who, seen[who])[0]
            assert 0 < first < 15, who
            assert 25 < first + left < 31, who
        lights = [(at, json.loads(text)["lights"]) for at, text in seen[DANI] if '"lights"' in text]
        assert 0 < next(at for at, every in lights if Light.ASLEEP in every) < 15
    asleep, longer = evening.seen
    assert [left for _, left in counts(ANN, asleep[ANN])[1:]] == [10, 5]
    for who in (HOST, ANN, BOB, DANI):
        at, left = next(one for one in counts(who, longer[who]) if one[1] > 30)
        assert 85 < at + left < 91, who
    assert [left for _, left in counts(ANN, longer[ANN])[-3:]] == [30, 10, 5]
    without, waited = evening.answered
    assert 27 < without < 33
    assert 87 < waited < 93
    assert len(evening.lit) == 2
    assert max(evening.lit) < 1
    assert not report.broken, report.broken
