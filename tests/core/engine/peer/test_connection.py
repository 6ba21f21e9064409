"""A machine on its way to a table and from it."""

from __future__ import annotations

import asyncio
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.engine.dealing.peek import Peek
from tests.core.engine.dealing.world import key_of
from tests.core.engine.peer.agents import library_of
from tests.core.engine.peer.links import LooseLink

from tavolata._engine.dealing.authority import OwnWord
from tavolata._engine.network.table_errors import ReplicasDiffer, TableLost
from tavolata._engine.peer.connection import ROWS, Connection, NoRow, Presence, PresenceEvent
from tavolata._engine.peer.machine import Machine
from tavolata._engine.peer.peer_settings import PeerSettings, Waits
from tavolata._engine.storage.ways_back import WayBack
from tavolata.bots import RandomBot

WAY = WayBack("0" * 16, "Ann", None, ("127.0.0.1",), 1, {}, None)


class Wire:
    """A log driver without a log: it notes how it is left."""

    def __init__(self, *, apart: bool = False, fails: bool = False) -> None:
        self.apart, self._fails = apart, fails
        self.log = SimpleNamespace(last_number=0, configuration=())
        self.time, self.ways = 0.0, list[str]()

    def now(self) -> float:
        return self.time

    def tick_in(self, seconds: float) -> None:
        return

    async def settle(self, seconds: float) -> None:
        if self._fails:
            raise OSError("the disk is full")

    async def close(self) -> None:
        self.ways.append("closed")

    async def leave(self, seconds: float) -> None:
        self.ways.append(f"left in {seconds}")


def connection(wire: Any, way: WayBack | None = None) -> Connection:
    """A machine that has not arrived yet."""
    settings, link = PeerSettings("Ann", resumes=way, waits=Waits(goodbye=3.0)), LooseLink()
    machine = Machine(library_of(Peek, RandomBot), key_of(1), settings, link)
    return Connection(wire, machine, settings, link)


def gone(one: Connection) -> Connection:
    """The same when it has gone."""
    asyncio.run(one.go(lambda _: None, lambda: None))
    return one


def test_from_every_state_a_machine_can_go_and_who_has_gone_stays_so() -> None:
    """No row leads back into a table; from each state some word of the player leads out of it."""
    ends, ways = (
        {Presence.GONE, Presence.KEPT},
        {Presence.LEAVING, Presence.SUSPENDING, Presence.GONE, Presence.KEPT},
    )
    for (state, event), following in ROWS.items():
        assert following is state if state in ends else True
        assert following in ways if state in ways else True
        assert (following is Presence.PRESENT) is (event is PresenceEvent.ENTERED and state not in ways)
    for state, event in product(Presence, (PresenceEvent.QUIT, PresenceEvent.SUSPEND)):
        assert ROWS[state, event] in ways
    for state in set(Presence) - ends:
        assert ROWS[state, PresenceEvent.BROKEN] in ends


def test_an_event_without_a_row_is_a_fault_and_changes_nothing() -> None:
    """Tests turn the warning into an error; elsewhere it is shown, and the table goes on."""
    one = connection(Wire())
    with pytest.raises(NoRow, match="SETTLED while ARRIVING"):
        one.on(PresenceEvent.SETTLED)
    with pytest.warns(NoRow):
        one.on(PresenceEvent.CUT_OFF)
    assert one.state is Presence.ARRIVING


@pytest.mark.parametrize(
    ("way", "apart", "state", "said"),
    [
        (None, False, Presence.GONE, ["left in 3.0"]),
        (WAY, False, Presence.KEPT, ["closed"]),
        (None, True, Presence.GONE, []),
        (WAY, True, Presence.GONE, []),
    ],
)
def test_how_a_machine_goes_that_never_came(
    way: WayBack | None, apart: bool, state: Presence, said: list[str]
) -> None:
    """Who came to resume a match keeps its copy; whose copy counts no more says nothing."""
    wire = Wire(apart=apart)
    one = gone(connection(wire, way))
    assert (one.state, wire.ways) == (state, said)
    assert one.is_suspended is (state is Presence.KEPT)  # else it would be told to resume what isn't there
    one.leave(OwnWord.OUT)  # a key that was pressed late
    assert one.state is state


def test_a_departure_that_fails_leaves_the_copy_on_the_disk() -> None:
    """The fault comes through, and the log was neither left nor closed."""
    wire = Wire(fails=True)
    one = connection(wire)
    one.leave(OwnWord.OUT)
    with pytest.raises(OSError, match="disk"):
        gone(one)
    assert (one.state, wire.ways) == (Presence.GONE, [])


def test_a_void_match_makes_every_exit_an_error() -> None:
    """Also that of somebody who leaves by itself."""
    one = connection(Wire())
    one.say_how_it_ended()
    one.is_void = True
    one.leave(OwnWord.LEFT)
    with pytest.raises(ReplicasDiffer):
        one.say_how_it_ended()


def test_a_newcomer_gives_up_and_who_resumes_waits() -> None:
    """Fifteen seconds without an entry of the log are too long; the others of a match may take days."""
    for way in (None, WAY):
        wire = Wire()
        one = connection(wire, way)
        wire.log.last_number = 1
        one.keep_patience()
        wire.time = 14.0
        one.keep_patience()
        wire.time = 16.0
        if way is None:
            with pytest.raises(TableLost):
                one.keep_patience()
        else:
            one.keep_patience()
