"""What a machine keeps of a match that is over: nothing that opens a hand."""

from __future__ import annotations

import tempfile
from collections.abc import Collection
from hashlib import blake2b
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import dealt
from tests.core.engine.peer.links import LooseLink
from tests.core.ui.rooms import ANN, BOB, OLGA, Room
from typing_extensions import override

from tavolata import Game, Outcome
from tavolata._engine.dealing.match_secret import MatchSecret
from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.peer.game_library import GameLibrary
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.storage import secret_files
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import HEAD_SIZE, Heads
from tavolata.ring import SEATS

LINEAGE = b"one of its logs."


class Wire(LooseLink):
    """The link of one of the machines: all hear each other at once."""

    def __init__(self, machines: Machines, key: bytes) -> None:
        super().__init__()
        self._machines = machines
        self._key = key
        self.heads = machines.heads

    @override
    def now(self) -> float:
        return self._machines.now

    @override
    def propose(self, *body: Any) -> bool:
        self._machines.proposed.append((self._key, pack(body)))
        return True

    @override
    def heard(self, peer: bytes) -> float | None:
        return self._machines.now

    @property
    @override
    def voters(self) -> Collection[bytes]:
        return self._machines.agents


class Machines:
    """Machines at one table, each with a bot, over one log in this process.

    Args:
        count: how many there are; all deal together.
    """

    def __init__(self, count: int) -> None:
        catalogue = Catalogue()
        self.now = 0.0
        self.heads = Heads(bytes(HEAD_SIZE))
        self.proposed: list[tuple[bytes, bytes]] = []
        self.agents: dict[bytes, Machine] = {}
        for party in range(1, count + 1):
            key = key_of(party)
            library = GameLibrary("conto", lambda name: (catalogue.game(name), catalogue.bots(name)))
            self.agents[key] = Machine(library, key, PeerSettings("", "easy"), Wire(self, key))
        self.host = key_of(1)
        rules = self.agents[self.host].state.lobby.rules
        self._apply(self.host, pack((log_bodies.FOUND, "conto", rules.rules_id, count, {}, "fair")))
        for number, key in enumerate(self.agents):
            enter = (log_bodies.ENTER, bytes([number]) * 8, f"P{number}", False, "easy", bytes(32))
            self._apply(key, pack(enter))
        edition = catalogue.game("conto").info.edition
        self._apply(self.host, pack((log_bodies.EDITION, *edition, False)))

    def _apply(self, author: bytes, body: bytes) -> None:
        chain = blake2b(self.heads.chain + author + body, digest_size=32).digest()
        for agent in self.agents.values():
            agent.state.apply(Stamp(author, chain, LINEAGE), body)
        self.heads.note(self.heads.number + 1, chain)

    @property
    def number(self) -> int:
        """The number of the last entry."""
        return self.heads.number

    def start(self) -> None:
        """The host starts, and all say IN."""
        terms = self.agents[self.host].state.lobby.terms().plain()
        self._apply(self.host, pack((log_bodies.START, pack(terms), b"")))
        while not self.is_playing:
            self.work()

    def work(self) -> None:
        """Everybody says what it has to say, and a second passes."""
        for agent in self.agents.values():
            agent.new_asks()
            agent.prepare()
            agent.work()
        said, self.proposed = self.proposed, []
        for author, body in said:
            self._apply(author, body)
        self.now += 1

    @property
    def is_playing(self) -> bool:
        """Whether a match is running."""
        return self.agents[self.host].state.matches.running is not None


def found_in(folder: Path, secrets: list[bytes]) -> int:
    """In how many places of the files below a folder one of these stands."""
    files = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert files
    return sum(data.count(secret) for data in files for secret in secrets)


def test_who_has_ended_no_turn_contradicts_who_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By other code a turn may end there and not here: that is another state, and the match is void."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    machines = Machines(3)
    machines.start()
    last = machines.agents[machines.host].state.matches.last
    assert last is not None
    for number, is_void in ((machines.number + 100, False), (machines.number, True)):
        machines._apply(key_of(2), pack((log_bodies.STATE, last.header.id, number, b"ended")))
        machines.work()
        for agent in machines.agents.values():
            assert (agent.state.matches.difference is not None) is is_void


def test_no_machine_is_in_on_terms_that_name_other_code_than_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the log lets them stand: they say of party 2 what its machine did not say."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    machines = Machines(3)
    for agent in machines.agents.values():
        agent.state.lobby.editions.unlike = True
    machines._apply(key_of(2), pack((log_bodies.EDITION, "9", bytes(16), True, True)))
    terms = machines.agents[machines.host].state.lobby.terms().plain()
    machines._apply(machines.host, pack((log_bodies.START, pack(terms), b"")))
    machines.work()
    barrier = machines.agents[machines.host].state.matches.barrier
    assert barrier is not None
    assert barrier.missing == (key_of(2),)


@pytest.mark.battery
def test_after_the_end_no_file_of_any_machine_has_a_secret_of_the_match() -> None:
    """While they play each secret is on the disk once; then in no file, and no machine remembers it."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setenv("TT_DATA_DIR", folder)
        drawn: list[bytes] = []
        store = secret_files.store

        def noting(nonce: bytes, secret: bytes) -> None:
            drawn.append(secret)
            store(nonce, secret)

        patch.setattr(secret_files, "store", noting)
        machines = Machines(3)
        machines.start()
        assert len(set(drawn)) == 3
        assert found_in(Path(folder), drawn) == 3
        for _ in range(20):
            machines.work()
        for agent in machines.agents.values():
            assert dealt(agent).deal.laid.slots  # there are hands to be opened
            agent.playing.vote_to_end()
        patch.setattr(Game, "unfinished", lambda self, t: Outcome((SEATS[1],)))
        machines.work()
        assert not machines.is_playing
        for agent in machines.agents.values():
            assert agent.state.matches.match is not None
            assert agent.state.matches.match.outcome == Outcome((SEATS[1],))
        derived = [MatchSecret(secret, b"").dealing for secret in drawn]
        assert found_in(Path(folder), drawn + derived) == 0
        for agent in machines.agents.values():
            secret = agent.playing._secret
            assert (secret.of_match, secret.keys) == (None, None)
            assert dealt(agent).dealer is None


def test_a_game_that_was_refused_is_on_no_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Three are too many for the new game: each machine still has the old one, and its match begins."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    room = Room(OLGA)
    driver: Any = room.session._log_driver
    cards: list[bytes] = []
    driver.driver = SimpleNamespace(endpoint=SimpleNamespace(introduce=cards.append))
    room.enter(OLGA, ANN, BOB)
    room.say(OLGA, log_bodies.GAME, "sides", 1, 4, {"rounds": 3})
    assert room.session.game == room.session.state.lobby.rules.name == "sides"
    edition = room.session._library.loaded.info.edition
    room.say(OLGA, log_bodies.EDITION, *edition, False)
    room.say(OLGA, log_bodies.GAME, "pairs", 1, 2, {"rounds": 3})
    assert room.session.game == room.session.state.lobby.rules.name == "sides"
    assert len(cards) == 1
    room.start()
    room.session._machine.close()
