"""What a peer's session tells its people when some go on without others: one session without sockets."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.match.races import Race
from tests.core.engine.peer.agents import LEVEL, AgentTable, library_of
from tests.core.engine.review.signed import TABLE
from tests.core.engine.table.test_going_on import MISSING, Heap, died, wish
from typing_extensions import override

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked, Began, Closed, Notice, Update, WindowOpened
from tavolata._engine.network.log_driver import Tick
from tavolata._engine.network.table_errors import TableLost, TableRefused
from tavolata._engine.peer.companions import Companion
from tavolata._engine.peer.connection import SessionEnd
from tavolata._engine.peer.peer import SAVED, PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.storage.match_file import StoreError
from tavolata._engine.storage.ways_back import WayFile
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads
from tavolata._engine.table.lobby import LOOKS_ON
from tavolata.bots import RandomBot
from tavolata_protocol import entries as wire
from tavolata_protocol.membership import Configuration

NORA = b"n" * log_bodies.TAG_SIZE


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder for match files and secrets, on a disk that need not be waited for."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setattr(os, "fsync", lambda number: None)


class Reader:
    """A session that reads a log entry by entry, and has no sockets.

    Args:
        table: whose log it reads.
        party: which machine it is.
        person: whether a person sits there.
        folder: where its files are.

    Attributes:
        compared: the entries after which it noted the digest of its state.
    """

    def __init__(self, table: AgentTable, party: int, folder: Path, *, person: bool) -> None:
        self._table, self._key = table, key_of(party)
        self.compared: list[int] = []
        log = SimpleNamespace(
            table=TABLE, relayed=lambda _: (), size=0, configuration=Configuration(), leader=None,
            note_digest=lambda number, _: self.compared.append(number),
        )  # fmt: skip
        driver: Any = SimpleNamespace(
            log=log, now=lambda: table.now, tick_in=lambda _: None, propose=lambda _: True,
            damaged=False, way=WayFile(folder / "none.way"),
        )  # fmt: skip
        settings = PeerSettings(f"P{party}", None if person else LEVEL)
        self.session = PeerSession(driver, self._key, library_of(table.rules, table.bot), settings)
        link: Any = self.session._link
        link.heads, link.trip, link.heard = Heads(table.log.base), lambda _: 0, table.heard
        self._read = 0
        self._folder = str(folder)

    def read(self) -> list[Update]:
        """Read what is new; what its people are told."""
        told: list[Update] = []
        with pytest.MonkeyPatch.context() as environment:
            environment.setenv("TT_DATA_DIR", self._folder)
            self._read_into(told)
        return told

    def _read_into(self, told: list[Update]) -> None:
        session = self.session
        session._connection.nonce = self._entered()
        for data in self._table.log.wires[self._read :]:
            entry = wire.read_entry(data, session._link.heads.chain)
            session._machine.final(session._link.heads.last, data)
            session._on_entry(entry)
            session._link.heads.note(entry.number, entry.chain)
            if session._connection.is_here:
                told += session._news()
            else:
                session.state.out.clear()
        self._read = len(self._table.log.wires)

    def _entered(self) -> bytes:
        """What marks its last ENTER in the log: it has said so itself."""
        heads, found = Heads(self._table.log.base), b""
        for data in self._table.log.wires:
            entry = wire.read_entry(data, heads.chain)
            heads.note(entry.number, entry.chain)
            match log_bodies.read(entry.body):
                case (log_bodies.ENTER, [bytes(nonce), *_]) if entry.author == self._key:
                    found = nonce
        return found

    def close(self) -> None:
        """Close its files."""
        self.session._machine.close()


def test_a_question_that_fell_with_the_old_match_is_not_late(tmp_path: Path) -> None:
    """Who was asked when the others went on with it is asked anew, and not told that time is up."""
    table = died(Heap)
    reader = Reader(table, 1, tmp_path / "reader", person=True)
    before = [one.ask for one in reader.read() if isinstance(one, Asked) and one.mine]
    assert before[-1] in reader.session._mine
    compared = len(reader.compared)
    wish(table, 1, 2)
    table.play()
    told = reader.read()
    assert any(isinstance(one, Began) for one in told)
    assert [one.ask.id for one in told if isinstance(one, Asked) and one.mine]
    assert not [one for one in told if isinstance(one, Closed)]
    assert before[-1] not in reader.session._mine
    assert len(reader.compared) > compared  # the new match begins in the turn of the old one, and differs
    reader.close()
    table.close()


@pytest.mark.parametrize("again", [True, False])
def test_who_comes_back_is_told_that_the_others_went_on(tmp_path: Path, again: bool) -> None:
    """Once it has read up to its arrival; somebody who has missed nothing is told nothing of that."""
    table = died(Heap)
    if again:
        wish(table, 1, 2)
        table.play(8)
    table.back(MISSING)
    table.play()
    reader = Reader(table, MISSING, tmp_path / "reader", person=False)
    told = reader.read()
    assert [one.params for one in told if isinstance(one, Notice) and one.message == LOOKS_ON] == (
        [{"name": "P3"}] if again else []
    )
    assert any(isinstance(one, Began) and one.again for one in told)
    reader.close()
    table.close()


class Family(AgentTable):
    """A table whose first machine serves Nora, who has the last seat; its bots take their time."""

    @override
    def _sit_down(self, party: int) -> None:
        if party < 3:
            super()._sit_down(party)
            self.machines[party].agent._settings.think = 3600.0 if party == 1 else 0.0
        else:
            self.nora(log_bodies.ENTER, b"first", "Nora", False, None, bytes(32))

    def nora(self, *body: Any) -> None:
        """What the first machine says for Nora."""
        self._say(1, log_bodies.COMPANION, NORA, list(body))


def header_of(table: AgentTable) -> Header:
    """The header of the match."""
    running = table.machines[1].agent.state.matches.running
    assert running is not None
    return running.header


def coming(table: Family, reader: Reader, nora: Companion) -> list[Update]:
    """Nora comes to the table; the questions and windows that she is told of."""
    nora.work()
    table.nora(log_bodies.ENTER, nora._nonce, "Nora", False, None, bytes(32))
    reader.read()
    nora.work()
    told = [nora._news.get_nowait() for _ in range(nora._news.qsize())]
    return [one for one in told if isinstance(one, Asked | WindowOpened)]


@contextlib.contextmanager
def served(reader: Reader) -> Iterator[Companion]:
    """Nora's session on her way to the table."""
    with reader.session.serve(NORA, "Nora", lambda _: None, watch=False) as nora:
        assert isinstance(nora, Companion)
        yield nora
        reader.session._connection.go_as(SessionEnd.OUT)  # nobody in this test would read that she leaves


@pytest.mark.parametrize("meanwhile", [True, False])
def test_who_comes_back_to_a_seat_is_asked_what_is_open(tmp_path: Path, meanwhile: bool) -> None:
    """Whether it was asked before it went or meanwhile; and it is told when a bot has answered after all."""
    table = Family(Heap, 3, RandomBot, person=1)
    reader = Reader(table, 1, tmp_path / "reader", person=True)
    table.answers_to = lambda _: not meanwhile
    table.play()
    reader.read()
    table.nora(log_bodies.LEAVE)
    reader.read()
    table.answers_to = lambda _: True
    table.play()
    asked = [one for one in reader.read() if isinstance(one, Asked) and one.ask.seat == 2]
    assert [one.mine for one in asked] == [False] * meanwhile
    with served(reader) as nora:
        [asked_again] = coming(table, reader, nora)
        assert isinstance(asked_again, Asked)
        assert (asked_again.ask.seat, asked_again.mine) == (2, True)
        assert [one for one in reader.session._mine if one.seat == 2] == [asked_again.ask]
        table._say(1, log_bodies.PLAY, header_of(table).id, (ANSWER, 2, asked_again.ask.id, 0), b"")
        assert [one.ask for one in reader.read() if isinstance(one, Closed)] == [asked_again.ask]
    reader.close()
    table.close()


def test_who_comes_back_is_not_asked_what_it_has_answered(tmp_path: Path) -> None:
    """The answer is on its way into the log: the question is open, and nobody owes it here."""
    table = Family(Heap, 3, RandomBot, person=1)
    reader = Reader(table, 1, tmp_path / "reader", person=True)
    table.play()
    [mine] = [one.ask for one in reader.read() if isinstance(one, Asked) and one.ask.seat == 2]
    reader.session.answer(mine, 0)
    table.nora(log_bodies.LEAVE)
    with served(reader) as nora:
        assert coming(table, reader, nora) == [Asked(mine, mine=False)]
    reader.close()
    table.close()


def test_who_comes_back_into_a_window_may_react(tmp_path: Path) -> None:
    """Else a table whose next move is its own would wait for it for ever."""
    table = Family(Race, 3, RandomBot, person=1)
    reader = Reader(table, 1, tmp_path / "reader", person=True)
    table.play()
    [opened] = [one for one in reader.read() if isinstance(one, WindowOpened)]
    table.nora(log_bodies.LEAVE)
    with served(reader) as nora:
        assert coming(table, reader, nora) == [WindowOpened(opened.window, (2,))]
    reader.close()
    table.close()


class Ending(Reader):
    """A session whose log breaks off; it notes how the log is left."""

    def __init__(self, table: AgentTable, folder: Path, fault: Exception | None) -> None:
        super().__init__(table, 1, folder, person=True)
        self.ways: list[str] = []
        self.said: list[int] = []

        async def events() -> AsyncGenerator[Tick]:
            yield Tick()
            if fault is not None:
                raise fault
            await asyncio.Event().wait()

        async def way(name: str) -> None:
            self.ways.append(name)

        driver: Any = self.session._log_driver
        driver.apart = False
        driver.events, driver.next_now = events, lambda: None
        driver.settle = driver.see_final = lambda _: way("")
        driver.close, driver.leave = lambda: way("closed"), lambda _: way("left")
        driver.propose = lambda body: self.said.append((log_bodies.read(body) or (-1, []))[0])
        self.session._jobs = ()
        self.session._connection._is_introduced = True
        self.session._way = SimpleNamespace(work=lambda: None)  # type: ignore[assignment] # no addresses here

    async def end(self, word: str, *, cancels: bool) -> None:
        """Read the session until it ends, or until its player goes with this word."""
        async with contextlib.aclosing(self.session.updates()) as updates:
            reading = asyncio.create_task(anext(updates, None))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            if word:
                getattr(self.session, word)()
            if cancels:
                reading.cancel()
            await reading


GOODBYE = [log_bodies.PLAY, log_bodies.LEAVE]


@pytest.mark.parametrize(
    ("fault", "word", "end", "way", "said"),
    [
        (KeyError("a fault"), "", SessionEnd.FELL, "closed", []),
        (OSError("the disk is full"), "", SessionEnd.FELL, "closed", []),
        (StoreError("full"), "", SessionEnd.FELL, "closed", []),
        (TableLost("shown out"), "", SessionEnd.SHOWN_OUT, "left", GOODBYE),
        (TableRefused("full"), "", SessionEnd.SHOWN_OUT, "left", GOODBYE),
        (None, "", SessionEnd.FELL, "closed", [log_bodies.PLAY]),
        (None, "step_away", SessionEnd.OUT, "left", GOODBYE),
    ],
)
def test_only_a_word_leaves_the_log(
    fault: Exception | None, word: str, end: SessionEnd, way: str, said: list[int], tmp_path: Path
) -> None:
    """An error and a signal leave the copy where it is, with which the match is resumed."""
    table = AgentTable(Heap, 2, RandomBot, person=1)
    table.answers_to = lambda _: False
    table.play()
    one = Ending(table, tmp_path / "reader", fault)
    one.read()
    with pytest.raises(type(fault) if fault is not None else asyncio.CancelledError):
        asyncio.run(one.end(word, cancels=fault is None))
    assert (one.session._connection.end, one.ways[-1], one.said) == (end, way, said)
    assert (one.session.how_to_return()[0] == SAVED) is (end is SessionEnd.FELL)
    table.close()


def test_a_goodbye_that_has_begun_is_said_to_its_end(tmp_path: Path) -> None:
    """Ctrl+C has the player step away and then cancels the reader, who may be on the way out by then."""
    table = AgentTable(Heap, 2, RandomBot, person=1)
    table.answers_to = lambda _: False
    table.play()
    one = Ending(table, tmp_path / "reader", None)
    one.read()
    driver: Any = one.session._log_driver

    async def settle(_: float) -> None:
        for _turn in range(5):
            await asyncio.sleep(0)

    driver.settle = settle
    one.session.step_away()
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(one.end("", cancels=True))
    assert (one.ways[-1], one.said) == ("left", GOODBYE)
    table.close()
