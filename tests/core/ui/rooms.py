"""Tables of peers in many situations, with the sessions of those who sit there: no socket, no clock."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.world import key_of, secret_of, seed_of
from tests.core.engine.peer.agents import LEVEL, library_of
from tests.core.engine.peer.test_peer import NORA, Family, Reader
from tests.core.engine.review.signed import TABLE, SignedLog, fixed
from tests.core.engine.table.test_going_on import MISSING, Heap, died
from tests.core.engine.table.test_table_state import Guess, GuessOptions, Pairs
from typing_extensions import override

from tavolata import Outcome, Table, one_of
from tavolata._engine.match.game_info import GameInfo
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import LobbyChanged, Notice, Update
from tavolata._engine.network.known_peers import KnownPeers, keep_names, known_names
from tavolata._engine.peer import peer
from tavolata._engine.peer.companions import Companion
from tavolata._engine.peer.connection import SessionEnd
from tavolata._engine.peer.game_library import Found, GameLibrary
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.peer.peer_settings import PeerSettings
from tavolata._engine.plugins.catalogue import LoadedGame
from tavolata._engine.plugins.loader import NoSuchGame
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.table import log_bodies
from tavolata._engine.table.heads import Heads
from tavolata.bots import RandomBot
from tavolata.messages import N_
from tavolata.teams import Teams
from tavolata_protocol import entries as wire
from tavolata_protocol.codes import RANDOM_BYTES, make_code
from tavolata_protocol.errors import LocalError
from tavolata_protocol.identity import PeerId
from tavolata_protocol.membership import Configuration

OLGA, ANN, BOB, WIM = 1, 2, 3, 4
"""The machines: the host's, two guests' and a watcher's. Nora plays on the host's."""
NAMES = {OLGA: "Olga", ANN: "Ann", BOB: "Bob Dylan", WIM: "Wim"}
SIZES = ("KEY_SIZE", "TAG_SIZE")
VERBS = {
    value: name
    for name, value in vars(log_bodies).items()
    if name.isupper() and name[0] != "_" and type(value) is int and name not in SIZES
}
BOX = bytes(32)
MATCH_ID = 32


class Wide(Guess):
    """A game for four, which asks everybody again and again."""

    seats = (2, 4)

    @override
    async def turn(self, t: Table[GuessOptions]) -> Outcome | None:
        """A question to each."""
        for seat in t.ring:
            await t.ask(seat, one_of([0, 1, 2]), N_("Which?"))
        return None


class Sides(Wide):
    """A game that can be played in teams."""

    name, title = "sides", "Sides"
    teams = Teams((2,))


class Village(Wide):
    """A game with a narrator, which can be played in teams."""

    name, title, narrator = "village", "Village", True
    teams = Teams((2,))


GAMES = {game.name: game for game in (Wide, Pairs, Sides, Village)}


def find(name: str) -> Found:
    """The games of these machines."""
    if name not in GAMES:
        raise NoSuchGame(N_("There is no game {game}."), game=name)
    rules = GAMES[name]
    info = GameInfo(
        rules.name, rules.title, "", rules.seats, 0, "0", rules.rules_id, "", "", ""
    )  # fmt: skip
    return LoadedGame(info, rules), {LEVEL: RandomBot, "hard": RandomBot}


class Deeds:
    """All that a session does to the log, to itself and to its people, in words."""

    def __init__(self, session: PeerSession, *, orphaned: bool = False) -> None:
        self._session = session
        self.said: list[str] = []
        self._leads = not orphaned
        driver: Any = session._log_driver
        driver.propose = self._propose
        driver.tick_in = lambda seconds: None
        driver.pump = lambda: self.said.append("pumps")
        driver.round_trip = lambda peer: 40
        driver.log.may_take_over = lambda now: not self._leads
        driver.take_over = self._take_over
        session._met._keep = lambda people: self.said.append(f"keeps {[name for name, _ in people]}")  # type: ignore[method-assign]

    def _take_over(self) -> None:
        if self._leads:
            raise LocalError
        self.said += ["takes over", "pumps"]

    def _propose(self, body: bytes) -> bool:
        self.said.append("proposes " + _worded(unpack(body)))
        return True

    def take(self) -> list[str]:
        """What was done since."""
        session, said = self._session, self.said
        connection = session._connection
        if connection.is_going:
            said.append(
                "suspends" if connection.end is SessionEnd.SUSPENDED else f"leaves: {connection.end.name}"
            )
        if session._coordinator._wanted >= 0:
            said.append("begins")
        connection.end, connection.is_going, session._coordinator._wanted = SessionEnd.FELL, False, -1
        out = session.state.out
        said += [f"tells {_update(one)}" for one in out]
        out.clear()
        self.said = []
        return said


def _update(update: Update) -> str:
    match update:
        case Notice(message, params):
            return f"{message} {dict(params)}"
        case LobbyChanged(whole=whole):
            return f"lobby {whole}"
        case _:
            return type(update).__name__


def _worded(body: Any) -> str:
    verb, *rest = body
    if verb == log_bodies.CODE:
        return "CODE"
    if verb == log_bodies.COMPANION:
        tag, said = rest
        return f"for {tag[:1].decode()}: " + _worded(said)
    return " ".join([VERBS[verb], *map(_plain, rest)])


def _plain(value: Any) -> str:
    known = {key_of(party): name for party, name in NAMES.items()} | {key_of(OLGA) + NORA: "Nora"}
    if isinstance(value, bytes):
        return known.get(value, f"<{len(value)} bytes>")
    if isinstance(value, list | tuple):
        return "[" + " ".join(map(_plain, value)) + "]"
    return "<id>" if isinstance(value, str) and len(value) == MATCH_ID else str(value)


class Room:
    """A table whose log this test writes, as one machine sees it.

    Args:
        me: whose machine.
        rules: the game.
        dealer: who deals.
        watch: whether its player only looks on.
    """

    def __init__(self, me: int, rules: Any = Wide, dealer: str = "host", *, watch: bool = False) -> None:
        self.log = SignedLog()
        log = SimpleNamespace(
            table=TABLE, relayed=lambda _: (), size=0, configuration=Configuration(), leader=None,
            note_digest=lambda number, digest: None, commit_index=0, pending=(),
        )  # fmt: skip
        self.now = 1000.0
        driver: Any = SimpleNamespace(
            log=log, now=lambda: self.now, tick_in=lambda _: None, propose=self._hear,
            damaged=False, way=SimpleNamespace(fall=lambda: None),
        )  # fmt: skip
        self._own: list[bytes] = []
        self.me = me
        settings = PeerSettings(NAMES[me], watch=watch)
        library = GameLibrary(rules.name, find, lambda: GAMES)
        self.session = PeerSession(driver, key_of(me), library, settings, met=KnownPeers())
        link: Any = self.session._link
        link.heads, link.trip, link.heard = Heads(self.log.base), lambda _: 0, lambda _: self.now
        self.session._connection.nonce = bytes([me]) * 8
        self.session._credentials._keep_name = lambda name: None
        self.say(OLGA, log_bodies.FOUND, rules.name, rules.rules_id, 4, {"rounds": 3}, dealer)

    def _hear(self, body: bytes) -> bool:
        self._own.append(body)
        return True

    def say(self, party: int, *body: Any) -> None:
        """Somebody says something, and it is final."""
        self._final(self.log.say(party, pack(body)))

    def _final(self, data: bytes) -> None:
        session = self.session
        entry = wire.read_entry(data, session._link.heads.chain)
        session._machine.final(session._link.heads.last, data)
        session._on_entry(entry)
        session._link.heads.note(entry.number, entry.chain)

    def enter(self, *parties: int, watch: bool = False) -> None:
        """These come to the table."""
        for party in parties:
            self.say(party, log_bodies.ENTER, bytes([party]) * 8, NAMES[party], watch, None, BOX)

    def enter_nora(self, nonce: bytes = b"n" * 8) -> None:
        """Nora comes to the table by the host's machine."""
        self.say(OLGA, log_bodies.COMPANION, NORA, [log_bodies.ENTER, nonce, "Nora", False, None, BOX])

    def start(self) -> None:
        """The host, whose machine this is, begins a match that it deals alone."""
        self.say(OLGA, log_bodies.START, pack(self.session.state.lobby.terms().plain()), b"")
        start_barrier = self.session.state.matches.barrier
        assert start_barrier is not None
        for party in set(NAMES) - {self.me}:
            if key_of(party) in start_barrier.parties:
                secret, nonce = secret_of(party, start_barrier.header_hash), seed_of(party + 200)
                number = start_barrier.parties.index(key_of(party)) + 1
                mailbox = secret.named_mailbox(wire.first_lineage(TABLE), number, nonce, fixed)
                self.say(party, log_bodies.IN, start_barrier.header_hash, nonce, mailbox)
        self.session._machine.prepare()
        self.session._machine.work()
        while self._own:
            self._final(self.log.say(self.me, self._own.pop(0)))
            self.session._machine.prepare()
            self.session._machine.work()
        assert self.session.state.matches.running is not None

    def read(self, log: SignedLog) -> None:
        """Read what is said at the same table, as another machine has it."""
        for data in log.wires[len(self.log.wires) :]:
            self._final(data)


def lobby(me: int, *, watch: bool = False, private: bool = False) -> PeerSession:
    """A lobby of three and a watcher, and Nora at the host's machine; whoever is Ann has a new key."""
    names = known_names()
    names.remember("ann", PeerId(key_of(9)))
    keep_names(names)
    room = Room(me, watch=watch)
    if private:
        room.say(OLGA, log_bodies.KEYS, bytes(32), make_code(bytes(RANDOM_BYTES)))
    room.enter(OLGA, ANN, BOB)
    room.enter(WIM, watch=True)
    room.enter_nora()
    return room.session


def moderated() -> PeerSession:
    """The host's table that is locked, of which somebody is banned and somebody muted."""
    room = Room(OLGA)
    room.enter(OLGA, ANN)
    room.enter(BOB, WIM, watch=True)
    room.say(OLGA, log_bodies.BAN, key_of(BOB), True)
    room.say(OLGA, log_bodies.LOCK, True)
    room.say(OLGA, log_bodies.MUTE, key_of(WIM), True)
    return room.session


def sides(me: int) -> PeerSession:
    """A lobby of a game in teams."""
    room = Room(me, Sides)
    room.enter(OLGA, ANN, BOB)
    room.say(OLGA, log_bodies.TEAMS, 2)
    return room.session


def dealt(me: int, *, watch: bool = False) -> PeerSession:
    """A match that the host deals alone, from which Ann is away; nobody has answered for minutes."""
    host = Room(OLGA)
    host.enter(OLGA, ANN, BOB)
    host.enter(WIM, watch=True)
    host.start()
    host.say(OLGA, log_bodies.STATUS, key_of(ANN), False)
    room = host
    if me != OLGA:
        room = Room(me, watch=watch)
        room.read(host.log)
        host.session._machine.close()
    room.session._machine.new_asks()
    room.now += 300
    return room.session


def village(me: int, *, running: bool) -> PeerSession:
    """A table whose narrator, the host, has no seat; in a match, Ann has been away from it for minutes."""
    host = narrator()
    if running:
        host.start()
        host.say(OLGA, log_bodies.STATUS, key_of(ANN), False)
    else:
        host.say(OLGA, log_bodies.TEAMS, 2)
    room = host
    if me != OLGA:
        room = Room(me, Village)
        room.read(host.log)
        host.session._machine.close()
    room.session._machine.new_asks()
    room.now += 300
    return room.session


def narrator() -> Room:
    """The lobby of a narrator without a seat, who hosts Ann and Bob."""
    host = Room(OLGA, Village, watch=True)
    host.enter(OLGA, watch=True)
    host.enter(ANN, BOB)
    return host


@contextlib.contextmanager
def fair(alive: int = 2) -> Iterator[PeerSession]:
    """A match that all three deal together, after minutes in which only so many were heard."""
    table = died(Heap)
    for party in range(alive + 1, MISSING):
        table.kill(party)
    table.now += 200
    table.wait(70)
    machine = table.machines[1]
    driver: Any = SimpleNamespace(
        log=SimpleNamespace(configuration=Configuration(), leader=None, size=0),
        way=SimpleNamespace(fall=lambda: None),
    )  # fmt: skip
    driver.now, driver.tick_in, driver.propose = lambda: table.now, lambda _: None, lambda _: True
    driver.damaged = False
    driver.log.table = driver.log.relayed = None
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(peer, "Machine", lambda *_: machine.agent)
        session = PeerSession(driver, key_of(1), library_of(Heap, RandomBot), PeerSettings("P1"))
    link: Any = session._link
    link.trip, link.heard = lambda _: 0, table.heard
    machine.said = Said(session)
    yield session
    table.close()


class Said(list[bytes]):
    """What a machine of a table says, by the mouth of a session."""

    def __init__(self, session: PeerSession) -> None:
        self._session = session

    @override
    def append(self, body: bytes) -> None:
        self._session._log_driver.propose(body)


@contextlib.contextmanager
def family(folder: Path) -> Iterator[tuple[PeerSession, TableSession]]:
    """The same with Nora, whom the first machine serves: its session and hers."""
    table = Family(Heap, 3, RandomBot, person=1)
    reader = Reader(table, 1, folder, person=True)
    table.answers_to = lambda _: False
    table.play()
    reader.read()
    with reader.session.serve(NORA, "Nora", lambda _: None, watch=False) as nora:
        assert isinstance(nora, Companion)
        nora._introduced = True  # she's in the log already
        yield reader.session, nora
        reader.session._connection.is_going = True
    reader.close()
    table.close()
