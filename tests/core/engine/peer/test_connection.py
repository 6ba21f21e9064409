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

from tavolata._engine.network.table_errors import ReplicasDiffer, TableLost
from tavolata._engine.peer.connection import Connection, SessionEnd
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
        self.way = SimpleNamespace(fall=lambda: None)
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


@pytest.mark.parametrize(("first", "second"), [*product(sorted(SessionEnd)[1:], repeat=2)])
def test_of_two_words_the_greater_one_counts(first: SessionEnd, second: SessionEnd) -> None:
    """Who left for good didn't only step away, and a suspended match stays suspended."""
    one = connection(Wire())
    one.go_as(first)
    one.go_as(second)
    assert one.is_going
    assert one.end is max(first, second)


@pytest.mark.parametrize("end", SessionEnd)
def test_the_copy_is_left_behind_only_after_a_goodbye(end: SessionEnd) -> None:
    """Leaving the log is what deletes its copy; whatever else ends it only closes it."""
    wire = Wire()
    one = connection(wire)
    one.go_as(end)
    gone(one)
    assert wire.ways == (
        ["left in 3.0"] if end in (SessionEnd.OUT, SessionEnd.SHOWN_OUT, SessionEnd.LEFT) else ["closed"]
    )
    assert one.end is end


@pytest.mark.parametrize("said", [None, *SessionEnd])
def test_after_an_error_nothing_is_said_or_deleted(said: SessionEnd | None) -> None:
    """Also when the player was about to leave: the fault may have come before the others know."""
    wire = Wire()
    one = connection(wire)
    if said is not None:
        one.go_as(said)
    one.fall()
    one.go_as(SessionEnd.LEFT)  # a key that was pressed late
    gone(one)
    assert (one.end, wire.ways) == (SessionEnd.FELL, ["closed"])


@pytest.mark.parametrize(
    ("said", "ways"),
    [(None, ["closed"]), (SessionEnd.OUT, ["left in 3.0"]), (SessionEnd.SUSPENDED, ["closed"])],
)
def test_who_is_cut_off_goes_as_it_has_said(said: SessionEnd | None, ways: list[str]) -> None:
    """A signal of the system isn't anybody's word, and doesn't take one back."""
    wire = Wire()
    one = connection(wire)
    if said is not None:
        one.go_as(said)
    one.cut_off()
    gone(one)
    assert (one.end, wire.ways) == (said or SessionEnd.FELL, ways)


@pytest.mark.parametrize("end", [SessionEnd.OUT, SessionEnd.SHOWN_OUT, SessionEnd.LEFT])
def test_who_came_to_resume_a_match_keeps_its_copy(end: SessionEnd) -> None:
    """Until it's at the table, nobody can hear its goodbye."""
    wire = Wire()
    one = connection(wire, WAY)
    one.go_as(end)
    gone(one)
    assert (one.end, wire.ways, one.is_resumable) == (SessionEnd.SUSPENDED, ["closed"], True)


@pytest.mark.parametrize("way", [None, WAY])
def test_a_copy_that_counts_no_more_resumes_nothing(way: WayBack | None) -> None:
    """Nothing is said either; else its player would be told to resume what isn't there."""
    wire = Wire(apart=True)
    one = connection(wire, way)
    one.go_as(SessionEnd.OUT)
    gone(one)
    assert (wire.ways, one.is_resumable) == ([], False)


def test_a_departure_that_fails_leaves_the_copy_on_the_disk() -> None:
    """The fault comes through, and the log was neither left nor closed."""
    wire = Wire(fails=True)
    one = connection(wire)
    one.go_as(SessionEnd.OUT)
    with pytest.raises(OSError, match="disk"):
        gone(one)
    assert not wire.ways


def test_a_void_match_makes_every_exit_an_error() -> None:
    """Also that of somebody who leaves by itself."""
    one = connection(Wire())
    one.say_how_it_ended()
    one.is_void = True
    one.go_as(SessionEnd.LEFT)
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
