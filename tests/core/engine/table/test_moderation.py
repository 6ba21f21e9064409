"""What the host may do about people at its table, and what it may not do to a seat of a running match."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._engine.match.source import Stamp
from tavolata._engine.match.state import pack
from tavolata._engine.match.updates import Said
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.log_bodies import LEFT, TAG_SIZE
from tavolata._engine.table.moderation import BANNED, EXPELLED, LOCKED, PLAYS
from tavolata._engine.table.table_keys import new_code, new_keys
from tavolata._engine.table.table_state import TableState
from tavolata._text import Verbatim
from tavolata_protocol.equivocation import Equivocation, sign_commit
from tavolata_protocol.identity import Identity

from .test_table_state import ANN, BOB, BOX, EVE, HOST, Alone, founded, new_state, put, reasons, started

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
    assert put(state, EVE, log_bodies.CHAT, "hello") == [
        Said(Verbatim("Eve"), Verbatim("hello"), (), mine=False)
    ]


@pytest.mark.parametrize("heir", [log_bodies.HEIR, log_bodies.LEAVE])
def test_who_was_muted_and_becomes_the_host_is_heard(heir: int) -> None:
    """Nobody could lift it; whom its machine serves is heard, too, and it counts again once another hosts."""
    state = founded(ANN, BOB)
    nora = bytes(TAG_SIZE)
    put(state, HOST, log_bodies.MUTE, ANN, True)
    put(state, HOST, heir, *([ANN] if heir == log_bodies.HEIR else []))
    put(state, ANN, log_bodies.COMPANION, nora, [log_bodies.ENTER, b"n" * 8, "Nora", True, None, BOX])
    assert state.roster.host == ANN
    for words in (
        put(state, ANN, log_bodies.CHAT, "hello"),
        put(state, ANN, log_bodies.COMPANION, nora, [log_bodies.CHAT, "hello"]),
    ):
        assert [one.text for one in words if isinstance(one, Said)] == ["hello"]
    put(state, ANN, log_bodies.HEIR, BOB)
    assert state.moderation.is_muted(ANN)
    put(state, BOB, log_bodies.MUTE, ANN, False)
    assert not state.moderation.is_muted(ANN)


@pytest.mark.parametrize(
    "verb", [(log_bodies.KICK, HOST), (log_bodies.BAN, HOST, True), (log_bodies.KICK, EVE)]
)
def test_nobody_shows_out_the_host_or_a_stranger(verb: tuple[Any, ...]) -> None:
    """The host itself is no target, nor is somebody who is not there."""
    state = founded(ANN)
    assert reasons(put(state, HOST, *verb))
    assert [place.peer for place in state.roster.places] == [HOST, ANN]
    assert not state.moderation.banned


LIAR = Identity(b"l" * 32)
LINEAGE = b"l" * 16


def proof_of(lineage: bytes = LINEAGE, signer: Identity = LIAR) -> Equivocation:
    """Two ends of one log, signed by one machine."""
    return Equivocation(*(sign_commit(signer, lineage, 1, 8, chain) for chain in (b"1" * 32, b"2" * 32)))


def show(state: TableState, author: bytes, proof: bytes) -> None:
    state.apply(Stamp(author, b"", LINEAGE), pack([log_bodies.EXPEL, proof]))


@pytest.mark.parametrize("author", [HOST, ANN, EVE])
def test_who_signed_two_logs_is_out_for_good(author: bytes) -> None:
    """Anybody may show the proof; the liar leaves, can't come back, and no ban can be lifted."""
    state = founded(ANN, LIAR.peer)
    show(state, author, proof_of().pack())
    assert not state.roster.is_here(LIAR.peer)
    put(state, LIAR.peer, log_bodies.ENTER, b"l" * 8, "Liar", False, None, BOX)
    assert not state.roster.is_here(LIAR.peer)
    put(state, HOST, log_bodies.BAN, LIAR.peer, False)
    assert state.moderation.why_not_enter(LIAR.peer) == EXPELLED


def test_who_signed_two_logs_leaves_a_running_match() -> None:
    """A seat is beyond the host, and not beyond a proof."""
    state = started(ANN, LIAR.peer)
    show(state, ANN, proof_of().pack())
    assert [place.status for place in state.roster.places if place.peer == LIAR.peer] == [LEFT]


def test_a_host_that_signed_two_logs_is_no_longer_the_host() -> None:
    """Another keeps the table."""
    state = founded(ANN)
    state.roster.host = LIAR.peer
    state.roster.watchers[LIAR.peer] = Verbatim("Liar")
    show(state, ANN, proof_of().pack())
    assert state.roster.host in (HOST, ANN)


@pytest.mark.parametrize("what", ["of another lineage", "forged", "no proof"])
def test_a_void_proof_expels_nobody(what: str) -> None:
    """Each copy checks the proof itself."""
    state = founded(ANN, LIAR.peer)
    packed = proof_of().pack()
    forged = packed[:-1] + bytes([packed[-1] ^ 1])
    said = {"of another lineage": proof_of(b"x" * 16).pack(), "forged": forged, "no proof": b"nothing"}
    show(state, ANN, said[what])
    assert state.roster.is_here(LIAR.peer)
    assert not state.moderation.expelled


def test_who_begins_with_a_snapshot_knows_who_is_out() -> None:
    """Newcomers don't let a liar back in."""
    state = founded(ANN, LIAR.peer)
    show(state, ANN, proof_of().pack())
    late = new_state(EVE)
    table_snapshot.install(late, table_snapshot.take(state, bytes(40)), Alone(EVE).rules)
    assert late.moderation.why_not_enter(LIAR.peer) == EXPELLED
