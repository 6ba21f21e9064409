"""Jobs wake by their rows: over recorded schedules a peer says what it would if each event woke them all."""

from __future__ import annotations

import os
import random
import shutil
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import key_of
from tests.core.engine.match.races import Race
from tests.core.engine.peer.agents import LEVEL, AgentTable, library_of
from tests.core.engine.review.signed import TABLE
from tests.core.engine.table.test_going_on import Heap
from tests.core.games import Boasts, Liars

from tavolata import Game, _machine
from tavolata._engine.match.state import unpack
from tavolata._engine.network.log_driver import Tick
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.peer.tasks import ANYTHING, Job
from tavolata._engine.table import log_bodies
from tavolata.bots import RandomBot
from tavolata_protocol import entries as wire
from tavolata_protocol.grouplog import events
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration


class Sitter:
    """A session that reads a table's log, is woken like a peer, and notes what it would say.

    Args:
        table: whose log it reads.
        party: which machine it is.
        folder: where its files are.
        by_row: whether its jobs wake by their rows; otherwise each event wakes them all.
    """

    def __init__(self, table: AgentTable, party: int, folder: Path, *, by_row: bool) -> None:
        self._table, self._folder, self._read = table, folder, 0
        self._key = key_of(party)
        self.said: list[Any] = []
        self._due: float | None = 0.0
        endpoint = SimpleNamespace(peers=set, introduce=lambda _: None)
        log = SimpleNamespace(
            table=TABLE, relayed=lambda _: (), size=0, configuration=Configuration(), leader=None,
            note_digest=lambda *_: None, is_leader=False, away=set(), commit_index=0, pending=(),
        )  # fmt: skip
        driver: Any = SimpleNamespace(
            log=log, now=lambda: table.now, tick_in=self._tick_in, propose=self._propose,
            damaged=False, apart=False, pump=lambda: None,
            driver=SimpleNamespace(endpoint=endpoint, wake=lambda: None, bound=["127.0.0.1"], port=1),
            way=SimpleNamespace(keep=self._way, forget=lambda: self._way(None), fall=lambda: None),
        )  # fmt: skip
        self._ways: list[Any] = []
        self.session = PeerSession(
            driver, self._key, library_of(table.rules, table.bot), PeerSettings(f"P{party}", LEVEL)
        )
        link: Any = self.session._link
        link.trip, link.heard = lambda _: 0, table.heard
        if not by_row:
            self.session._jobs = tuple(Job(ANYTHING, job.call, job.always) for job in self.session._jobs)

    def _tick_in(self, seconds: float) -> None:
        when = self._table.now + seconds
        self._due = when if self._due is None else min(self._due, when)

    def _propose(self, body: bytes) -> bool:
        self.said.append(without_chance(unpack(body)))
        return True

    def _way(self, way: Any) -> None:
        if self._ways[-1:] != [way]:
            self._ways.append(way)

    def catch_up(self, others: list[Any]) -> None:
        """Take what is new in the log, then what the sockets say, then what is due."""
        with pytest.MonkeyPatch.context() as environment:
            shared = Path(os.environ["TT_DATA_DIR"]) / "secrets"
            if shared.exists():
                shutil.copytree(shared, self._folder / "secrets", dirs_exist_ok=True)
            environment.setenv("TT_DATA_DIR", str(self._folder))
            session, told = self.session, []
            for data in self._table.log.wires[self._read :]:
                entry = wire.read_entry(data, session._link.heads.chain)
                match log_bodies.read(entry.body):
                    case (log_bodies.ENTER, [bytes(nonce), *_]) if entry.author == self._key:
                        session._connection.nonce = nonce
                told.append(events.Final(entry))
                session._on(told[-1])
                session._news()
            self._read = len(self._table.log.wires)
            for event in others:
                session._on(event)
                session._news()
            for _ in range(5):
                if self._due is None or self._due > self._table.now:
                    break
                self._due = None
                session._on(Tick())
                session._news()


def without_chance(said: Any) -> Any:
    """What was said, without what chance has made: keys, boxes and nonces."""
    if isinstance(said, list | tuple):
        return tuple(map(without_chance, said))
    return None if isinstance(said, bytes) else said


@pytest.mark.battery
@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize(
    ("rules", "party", "dies"),
    [(Peek, 1, 3), (Peek, 2, 0), (Race, 2, 0), (Heap, 2, 1), (Boasts, 1, 0), (Liars, 1, 2)],
)
def test_what_is_said_does_not_hang_on_who_is_woken(
    rules: type[Game[Any]], party: int, dies: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Second by second it says the same, whether somebody dies, comes back, steps away, or all play on."""
    monkeypatch.setattr(_machine, "bits", lambda _: 7)
    chance = random.Random(f"{rules.name} {dies}")
    with closing(AgentTable(rules, 3, RandomBot)) as table:
        sitters = [Sitter(table, party, tmp_path / str(by_row), by_row=by_row) for by_row in (True, False)]
        for second in range(150):
            if dies and second == 12:
                table.kill(dies)
            if dies and second == 110:
                table.back(dies)
            if not dies and second == 20:
                table.step_away(3)
            table.now += 1
            table.round()
            net = [kind(PeerId(key_of(3))) for kind in (events.PeerAway, events.PeerBack)
                   if chance.random() < 0.2]  # fmt: skip
            for sitter in sitters:
                sitter.catch_up(net)
            one, other = (sitter.said for sitter in sitters)
            assert one == other, f"in second {second}"
        assert sitters[0]._ways == sitters[1]._ways
        assert len(sitters[0].said) > 3
        for sitter in sitters:
            sitter.session._machine.close()
