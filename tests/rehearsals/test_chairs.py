"""Laptops that come to a full table: a bot gives way, and whoever comes during a match plays the next one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.commit import a_part
from tests.rehearsals.family import NAMES, Evening, catalogue
from tests.rehearsals.people import Person
from tests.rehearsals.plan import Face, Plan, Seat
from typing_extensions import override

from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.sessions.table_facts import TableFacts
from tavolata._engine.table.lobby import PLAYS_NEXT

pytestmark = pytest.mark.battery

HOST, ANN, BOB, CY, DOT, EVE = NAMES
FOUR = Plan(
    5, "zompa", (Seat(Face.JSON), Seat(Face.PLAIN), Seat(Face.JSON), Seat(Face.PLAIN)), {"fiches": 1},
    bots=("easy",),
)  # fmt: skip
VILLAGE = Plan(5, "werewolf", (Seat(Face.JSON), Seat(Face.PLAIN), Seat(Face.JSON)))
SIX = Plan(
    7, "heirs", (Seat(Face.JSON), Seat(Face.PLAIN)) * 3, {"nights": 1}, bots=("easy", "easy"),
)  # fmt: skip


class Table(Evening):
    """A table with `most` seats, at which the program waits for what people say.

    Attributes:
        seated: who sat at the table, at moments.
    """

    most = 3

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.seated: list[list[str]] = []

    @override
    def _settings(self, index: int) -> PeerSettings:
        settings = super()._settings(index)
        settings.at_once = False
        if settings.found is not None:
            settings.found = (self.most, *settings.found[1:])
        return settings

    async def _open(self, *guests: int) -> None:
        self._code = ""
        for name in NAMES[: len(self.plan.seats)]:
            self.world.computer(name)
        self._begin(HOST, self._host)
        await asyncio.sleep(1.0)
        for index in guests:
            await self._comes(index)
        self._note()

    async def _comes(self, index: int) -> None:
        self._join(index)
        await asyncio.sleep(3.0)

    def _note(self) -> None:
        self.seated.append(["a bot" if place.level else str(place.name)
                            for place in self._sessions[HOST].state.roster.places])  # fmt: skip

    def _plays(self, name: str) -> bool:
        return self._sessions[name].state.matches.running is not None

    def _ready(self, *names: str) -> None:
        for name in names:
            self.world.computers[name].within(self._sessions[name].commands.ready)

    def _facts(self, name: str) -> TableFacts:
        return self.world.computers[name].within(self._sessions[name].table)

    def _read_by(self, name: str) -> list[str]:
        return [message for message, _ in self.world.computers[name].within(self._sessions[name].lobby)]

    async def _until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(self.plan.limit):
            while not holds():  # noqa: ASYNC110 - virtual time
                await asyncio.sleep(0.5)

    @override
    def _check_files(self) -> None:
        """The last match has only begun."""


class Coming(Table):
    """Three seats: a bot has one until Bob comes, and Cy comes in mid-match.

    Attributes:
        lines: what Cy reads while the others play.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.lines: list[str] = []

    @override
    async def _main(self) -> None:
        await self._open(1)
        await self._comes(2)
        self._note()
        self._ready(HOST, ANN, BOB)
        await self._until(lambda: self._plays(ANN))
        self._join(3)
        await self._until(lambda: CY in self._sessions and self._sessions[CY]._connection.is_here)
        assert self._plays(CY)
        assert self._facts(CY).waits
        self.lines = self._read_by(CY)
        self._note()
        await self._until(lambda: not self._plays(HOST))
        self._note()
        self.world.computers[BOB].within(self._sessions[BOB].commands.quit)
        await self._until(lambda: CY in self._sessions[HOST].names)
        self._note()
        self._ready(HOST, ANN, CY)
        await self._until(lambda: self._plays(CY) and self._sessions[CY].people != ())


class Village(Table):
    """The host's machine narrates, and has a seat or none; Cy comes in mid-match.

    Attributes:
        narrators: by match, how many seats it has, and the machine that narrates it.
    """

    most = 8

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.narrators: list[tuple[int, str]] = []

    def _note_narrator(self) -> None:
        last = self._sessions[CY].state.matches.last
        assert last is not None
        assert last.header.narrator is not None
        self.narrators.append((len(last.header.names), str(last.header.narrator.name)))

    def _begin_next(self, *guests: str) -> None:
        self._ready(*guests, *([] if self.plan.seats[0].watches else [HOST]))

    @override
    async def _main(self) -> None:
        await self._open(1, 2)
        self._begin_next(ANN, BOB)
        await self._until(lambda: self._plays(ANN))
        self._join(3)
        await self._until(lambda: CY in self._sessions and self._sessions[CY]._connection.is_here)
        assert self._facts(CY).waits
        self._note_narrator()
        await self._until(lambda: not self._plays(HOST))
        await self._until(lambda: CY in self._sessions[HOST].names)
        self._note()
        self._begin_next(ANN, BOB, CY)
        await self._until(lambda: self._plays(CY) and self._sessions[CY].people != ())
        self._note_narrator()
        await self._until(lambda: not self._plays(HOST))


class Unbounded(Table):
    """As many seats as the game has, two of them for bots: Dot comes to a full table, and Eve in mid-match.

    Attributes:
        lines: what Eve reads meanwhile.
        played: the people who played in each match, as its header names them.
    """

    def __init__(self, plan: Plan) -> None:
        super().__init__(plan)
        self.most = catalogue().game(plan.game).game.seats[1]
        self.lines: list[str] = []
        self.played: list[list[str]] = []

    @override
    async def _main(self) -> None:
        await self._open(1, 2, 3)
        assert self._sessions[HOST].state.lobby.free == 0
        await self._comes(4)
        self._note()
        self._ready(*NAMES[:5])
        await self._until(lambda: self._plays(DOT))
        self._in_match(DOT)
        self._join(5)
        await self._until(lambda: EVE in self._sessions and self._sessions[EVE]._connection.is_here)
        assert self._plays(EVE)
        assert self._sessions[EVE].people == ()
        assert self._facts(EVE).waits
        self.lines = self._read_by(EVE)
        await self._until(lambda: not self._plays(HOST))
        await self._until(lambda: EVE in self._sessions[HOST].names)
        self._note()
        self._ready(*NAMES[:6])
        await self._until(lambda: self._plays(EVE) and self._sessions[EVE].people != ())
        self._in_match(EVE)

    def _in_match(self, name: str) -> None:
        last = self._sessions[name].state.matches.last
        assert last is not None
        pairs = zip(last.header.names, last.header.bots, strict=True)
        self.played.append([str(who) for who, level in pairs if level is None])


def test_a_laptop_that_comes_to_a_full_table_is_seated_as_soon_as_it_can_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody is refused: three play, and the fourth has the first seat that is free between two matches."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    evening = Coming(FOUR)
    report = evening.play()
    bot, three, during, after, last = evening.seated
    assert bot == [HOST, "a bot", ANN]
    assert three == during == [HOST, ANN, BOB]
    assert PLAYS_NEXT in evening.lines
    assert after == three
    assert last == [HOST, ANN, CY]
    assert not report.broken, report.broken


def test_at_a_table_without_a_number_of_seats_five_play_and_the_sixth_plays_the_next_match(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fifth laptop gets one bot's seat; the sixth, in mid-match, watches and then gets the other's."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    evening = Unbounded(SIX)
    report = evening.play()
    full, five, six = evening.seated
    assert full == [HOST, "a bot", "a bot", ANN, BOB, CY]
    assert five == [HOST, "a bot", ANN, BOB, CY, DOT]
    assert PLAYS_NEXT in evening.lines
    assert six == [*NAMES]
    assert [sorted(names) for names in evening.played] == [sorted(NAMES[:5]), sorted(NAMES)]
    assert not report.broken, report.broken


@pytest.mark.parametrize(
    "host", a_part([Seat(Face.JSON), Seat(watches=True)], 2), ids=["plays", "only narrates"]
)
def test_a_village_grows_by_a_chair_between_two_nights(monkeypatch: pytest.MonkeyPatch, host: Seat) -> None:
    """Whoever comes in mid-match plays the next, which the same machine narrates for one seat more."""
    monkeypatch.setattr(Person, "_leave", lambda _: None)
    bots = ("random",) * (4 + host.watches)
    seats = (host, *VILLAGE.seats[1:3], Seat(Face.JSON))
    evening = Village(replace(VILLAGE, seats=seats, bots=bots))
    report = evening.play()
    assert evening.narrators == [(7, HOST), (8, HOST)]
    assert CY in evening.seated[-1]
    assert (HOST in evening.seated[-1]) is not host.watches
    assert not report.broken, report.broken
