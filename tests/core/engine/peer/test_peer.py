"""What a peer's session tells its people when some go on without others: one session without sockets."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.world import key_of, seed_of
from tests.core.engine.peer.agents import LEVEL, AgentTable, library_of
from tests.core.engine.review.signed import TABLE
from tests.core.engine.table.test_going_on import MISSING, Heap, died, wish

from tavolata._engine.match.updates import Asked, Began, Closed, Notice, Update
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads
from tavolata._engine.table.lobby import LOOKS_ON
from tavolata_protocol import entries as wire
from tavolata_protocol.membership import Configuration


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
            log=log, now=lambda: table.now, tick_in=lambda _: None, trip=lambda _: 0, heard=table.heard,
            propose=lambda _: True, damaged=False,
        )  # fmt: skip
        settings = PeerSettings(f"P{party}", None if person else LEVEL)
        self.session = PeerSession(driver, seed_of(party), library_of(table.rules, table.bot), settings)
        self.session._heads = Heads(table.log.base)
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
        for data in self._table.log.wires[self._read :]:
            entry = wire.read_entry(data, session._heads.chain)
            match log_bodies.read(entry.body):
                case (log_bodies.ENTER, [bytes(nonce), *_]) if entry.author == self._key:
                    session._nonce = nonce  # it has said so itself
            session._agent.final(session._heads.last, data)
            session._on_entry(entry)
            session._heads.note(entry.number, entry.chain)
            if session._caught_up:
                told += session._news()
            else:
                session.state.out.clear()
        self._read = len(self._table.log.wires)

    def close(self) -> None:
        """Close its files."""
        self.session._agent.close()


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
