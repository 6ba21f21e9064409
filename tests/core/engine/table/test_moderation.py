"""What the host may do about people at its table, and what it may not do to a seat of a running match."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.updates import Said
from tavolata._engine.table import log_bodies
from tavolata._engine.table.moderation import BANNED, LOCKED, PLAYS
from tavolata._engine.table.table_keys import new_code, new_keys
from tavolata._engine.table.table_state import TableState

from .test_table_state import ANN, BOB, BOX, EVE, HOST, founded, put, reasons, started

POWERS: list[tuple[Any, ...]] = [
    (log_bodies.KICK, BOB),
    (log_bodies.BAN, BOB, True),
    (log_bodies.BAN, BOB, False),
    (log_bodies.LOCK, True),
    (log_bodies.MUTE, BOB, True),
    (log_bodies.HEIR, BOB),
    (log_bodies.CODE, new_code()),
]


def watched(*guests: bytes, running: bool = False) -> TableState:
    """A table at which EVE looks on."""
    state = (started if running else founded)(*guests)
    keys = new_keys()
    put(state, HOST, log_bodies.KEYS, keys.secret, keys.code)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    assert state.roster.watchers == {EVE: "Eve"}
    return state


@pytest.mark.parametrize("body", POWERS)
@pytest.mark.parametrize("author", [ANN, BOB, EVE, b"x" * 32])
@pytest.mark.parametrize("running", [False, True])
def test_nobody_but_the_host_has_the_hosts_powers(
    author: bytes, body: tuple[Any, ...], *, running: bool
) -> None:
    """What a guest, a watcher or a stranger says about others at the table is void."""
    state = watched(ANN, BOB, running=running)
    before = [repr(place) for place in state.roster.places], dict(state.roster.watchers), state.lobby.keys
    put(state, author, *body)
    after = [repr(place) for place in state.roster.places], dict(state.roster.watchers), state.lobby.keys
    assert (before, state.roster.host, state.moderation.locked) == (after, HOST, False)
    assert not state.moderation.banned
    assert not state.moderation.muted
    assert not state.moderation.shown_out


@pytest.mark.parametrize("verb", [(log_bodies.KICK, BOB), (log_bodies.BAN, BOB, True)])
def test_a_seat_of_a_running_match_is_beyond_the_host(verb: tuple[Any, ...]) -> None:
    """The host can't take a player's seat, and reads why; the player goes on."""
    state = started(ANN, BOB)
    assert reasons(put(state, HOST, *verb)) == [PLAYS]
    assert [place.peer for place in state.roster.places] == [HOST, ANN, BOB]
    assert not state.moderation.shown_out


@pytest.mark.parametrize("running", [False, True])
def test_a_watcher_is_shown_out_and_may_come_back(*, running: bool) -> None:
    """To be shown out is not to be banned."""
    state = watched(ANN, running=running)
    put(state, HOST, log_bodies.KICK, EVE)
    assert (state.roster.watchers, state.moderation.shown_out) == ({}, {EVE})
    put(state, EVE, log_bodies.ENTER, b"f" * 8, "Eve", True, None, BOX)
    assert (state.roster.watchers, state.moderation.shown_out) == ({EVE: "Eve"}, set())


def test_a_player_is_shown_out_between_matches() -> None:
    """The place is free again."""
    state = founded(ANN, BOB)
    put(state, HOST, log_bodies.KICK, ANN)
    assert [place.peer for place in state.roster.places] == [HOST, BOB]
    assert state.lobby.free == 1


def test_who_is_banned_does_not_come_back_until_the_ban_is_lifted() -> None:
    """The key of a banned peer is void at the door; the host lifts the ban."""
    state = watched(ANN)
    put(state, HOST, log_bodies.BAN, EVE, True)
    assert state.moderation.banned == {EVE: "Eve"}
    put(state, EVE, log_bodies.ENTER, b"f" * 8, "Eve", True, None, BOX)
    assert (state.roster.watchers, state.moderation.why_not_enter(EVE)) == ({}, BANNED)
    put(state, HOST, log_bodies.BAN, EVE, False)
    put(state, EVE, log_bodies.ENTER, b"g" * 8, "Eve", True, None, BOX)
    assert (state.roster.watchers, state.moderation.banned) == ({EVE: "Eve"}, {})


def test_at_a_locked_table_only_old_friends_come_in() -> None:
    """Who has a place or watches returns; nobody new does, until the host opens the door."""
    state = watched(ANN)
    put(state, HOST, log_bodies.LOCK, True)
    assert state.moderation.why_not_enter(BOB) == LOCKED
    put(state, BOB, log_bodies.ENTER, b"b" * 8, "Bob", False, None, BOX)
    put(state, ANN, log_bodies.STATUS, ANN, False)
    put(state, ANN, log_bodies.ENTER, b"c" * 8, "Ann", False, None, BOX)
    assert [(place.peer, place.status) for place in state.roster.places] == [(HOST, "here"), (ANN, "here")]
    put(state, HOST, log_bodies.LOCK, False)
    put(state, BOB, log_bodies.ENTER, b"d" * 8, "Bob", False, None, BOX)
    assert [place.peer for place in state.roster.places] == [HOST, ANN, BOB]


def test_who_is_muted_talks_and_whispers_to_nobody() -> None:
    """The host silences talk outside a seat, and lets it be heard again."""
    state = watched(ANN)
    put(state, HOST, log_bodies.MUTE, EVE, True)
    assert put(state, EVE, log_bodies.CHAT, "boo") == []
    assert put(state, EVE, log_bodies.WHISPER, [ANN], [b"", b""]) == []
    put(state, HOST, log_bodies.MUTE, EVE, False)
    assert put(state, EVE, log_bodies.CHAT, "hello") == [Said("Eve", "hello", (), mine=False)]


@pytest.mark.parametrize(
    "verb", [(log_bodies.KICK, HOST), (log_bodies.BAN, HOST, True), (log_bodies.KICK, EVE)]
)
def test_nobody_shows_out_the_host_or_a_stranger(verb: tuple[Any, ...]) -> None:
    """The host itself is no target, nor is somebody who is not there."""
    state = founded(ANN)
    assert reasons(put(state, HOST, *verb))
    assert [place.peer for place in state.roster.places] == [HOST, ANN]
    assert not state.moderation.banned
