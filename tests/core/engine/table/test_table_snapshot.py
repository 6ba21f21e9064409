"""Snapshots of the table state: who begins with one is at the same table as who read every entry."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.core.engine.table.test_table_state import (
    ANN,
    BOB,
    BOX,
    EVE,
    HOST,
    PEERS,
    Alone,
    founded,
    new_state,
    put,
    start,
)

from tavolata._engine.match.state import pack
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import head
from tavolata._engine.table.table_snapshot import TableSnapshot
from tavolata._engine.table.table_state import TableState
from tavolata.errors import MessageError

HEAD = head(7, b"c" * 32)

_peer = st.sampled_from(PEERS)
_entries = st.lists(
    st.tuples(
        _peer,
        st.one_of(
            st.tuples(
                st.just(log_bodies.ENTER),
                st.binary(min_size=8, max_size=8),
                st.sampled_from(["Ann", "Bob\x1b", "x" * 99]),
                st.booleans(),
                st.sampled_from([None, "random"]),
                st.just(BOX),
            ),
            st.tuples(st.just(log_bodies.LEAVE)),
            st.tuples(st.just(log_bodies.SET), st.sampled_from([{"rounds": 1}, {"rounds": 99}])),
            st.tuples(st.just(log_bodies.READY), st.booleans()),
            st.tuples(st.just(log_bodies.RENAME), st.sampled_from(["ann", "Bob", "Zoë", "Z\x1b", "x" * 99])),
            st.tuples(st.just(log_bodies.PAGES), st.integers(0, 70_000), st.sampled_from(["t" * 22, "?"])),
            st.tuples(st.just(log_bodies.LOOK), st.integers(-1, 8), st.integers(0, 7)),
            st.tuples(st.just(log_bodies.STATUS), _peer, st.booleans()),
            st.tuples(st.just(log_bodies.ADDRESS), _peer, st.just("10.0.0.1"), st.integers(0, 70_000)),
            st.tuples(st.just(log_bodies.BOTS), st.just(["random"])),
            st.tuples(st.just(log_bodies.KEYS), st.just(b"k" * 32), st.just("4C7KQM")),
            st.tuples(
                st.just(log_bodies.POLICY),
                st.sampled_from(["", "wait", "blind"]),
                st.just(60),
                st.integers(30, 3600),
                st.booleans(),
            ),
            st.tuples(st.just(log_bodies.KICK), _peer),
            st.tuples(st.just(log_bodies.BAN), _peer, st.booleans()),
            st.tuples(st.just(log_bodies.LOCK), st.booleans()),
            st.tuples(st.just(log_bodies.MUTE), _peer, st.booleans()),
            st.tuples(st.just(log_bodies.HEIR), _peer),
            st.tuples(st.sampled_from([log_bodies.TEAMS, log_bodies.TEAM]), st.integers(-1, 3)),
            st.tuples(st.just(log_bodies.TEAM_LOT), st.just(bytes(16))),
            st.tuples(st.just(log_bodies.VOTE_HOST), st.booleans()),
            st.tuples(
                st.just(log_bodies.GAME), st.just("pairs"), st.just(1), st.just(2), st.just({"rounds": 2})
            ),
        ),
    ),
    max_size=25,
)


def installed(state: TableState, me: bytes = EVE) -> TableState:
    """The table of a peer that begins with a snapshot of this one."""
    other = new_state(me)
    assert table_snapshot.install(other, table_snapshot.take(state, HEAD), Alone(me).rules) == HEAD
    return other


@given(_entries, _entries)
def test_who_begins_with_a_snapshot_goes_on_as_the_others_do(before: Any, after: Any) -> None:
    """Whatever happened before, and whatever happens then, both tables have the same snapshot in the end."""
    state = founded(ANN, BOB)
    for author, body in before:
        put(state, author, *body)
    other = installed(state)
    for author, body in after:
        put(state, author, *body)
        put(other, author, *body)
    assert table_snapshot.take(other, HEAD) == table_snapshot.take(state, HEAD)
    assert other.lobby.terms() == state.lobby.terms()


def test_the_next_match_begins_on_both_tables() -> None:
    """START and every IN are taken by who never saw the places being taken."""
    state = founded(ANN)
    other = installed(state, ANN)
    for table in (state, other):
        start(table)
    assert state.matches.running is not None
    assert other.matches.running is not None
    assert other.matches.running.header == state.matches.running.header


@pytest.mark.parametrize("name", ["x" * 24, "Аnn" + "x" * 21])
def test_names_that_were_told_apart_are_as_long_on_both_tables(name: str) -> None:
    """A number or a fingerprint behind a long name stays, and who is banned has the same name, too."""
    state = founded()
    for peer in (ANN, BOB, EVE):
        put(state, peer, log_bodies.ENTER, peer[:8], name, peer == EVE, None, BOX)
    put(state, HOST, log_bodies.BAN, EVE, True)
    other = installed(state)
    assert len(state.roster.places[2].name) > 24
    assert table_snapshot.take(other, HEAD) == table_snapshot.take(state, HEAD)
    assert other.lobby.terms() == state.lobby.terms()


def _changed(**change: Any) -> bytes:
    good = msgspec.msgpack.decode(table_snapshot.take(founded(ANN), HEAD), type=TableSnapshot)
    return msgspec.msgpack.encode(msgspec.structs.replace(good, **change))


@pytest.mark.parametrize(
    "data",
    [
        b"", b"\xc1", pack([1, 2]), b"\x91" * 5000,
        _changed(head=b"short"), _changed(game="chess"), _changed(rules_id=9), _changed(dealer="me"),
        _changed(options={"wings": 1}), _changed(policy="never"), _changed(stand_after=10**9),
        _changed(idle=1), _changed(dealer="caf-").replace(b"caf-", b"caf\xff"),
        _changed(places=(("Ann", b"short", None, True, "here", False),)),
        _changed(places=(("Ann", ANN, None, True, "dead", False),)),
        _changed(addresses={ANN: ("10.0.0.1", 0)}), _changed(keys=(b"short", "ABCDEF")),
    ],
)  # fmt: skip
def test_a_snapshot_that_no_table_can_have_is_a_sentence(data: bytes) -> None:
    """A leader that sends nonsense to a newcomer brings no traceback there, and changes nothing."""
    state = founded(BOB)
    before = table_snapshot.take(state, HEAD)
    with pytest.raises(MessageError):
        table_snapshot.install(state, data, Alone(HOST).rules)
    assert table_snapshot.take(state, HEAD) == before


def test_names_in_a_snapshot_reach_no_terminal_as_they_are() -> None:
    """Names that could move a cursor are cleaned as those of newcomers are."""
    state = new_state()
    nasty = "\x1b[2J\nAnn"
    data = _changed(
        places=((nasty, ANN, None, True, "here", False, True, -1, b""),),
        watchers={BOB: nasty},
        banned={EVE: nasty},
    )
    table_snapshot.install(state, data, Alone(HOST).rules)
    names = [state.roster.places[0].name, state.roster.watchers[BOB], state.moderation.banned[EVE]]
    assert [name.isprintable() for name in names] == [True, True, True]


LEFT_OUT = {
    "lobby": {"closed"},  # nobody comes any more
    "roster": {"me", "out"},
    "matches": {
        "barrier",
        "last",
        "expelled",
        "claims",
        "difference",
        "stamp",
        "stopping",
        "nudged",
        "continuation",
        "expected",
        "is_held",
        "look",
    },  # of a match; a snapshot is made between two
    "moderation": set[str](),
    "succession": set[str](),
}
"""What a snapshot need not have, by the part of the table that has it."""


@pytest.mark.parametrize("part", LEFT_OUT)
def test_what_a_part_of_the_table_remembers_is_in_the_snapshot(part: str) -> None:
    """Who adds an attribute to the table's state adds it here, or says why newcomers don't need it."""
    renamed = {"rules": "game"}
    holds = {renamed.get(name, name) for name in vars(getattr(new_state(), part)) if name[0] != "_"}
    assert holds - LEFT_OUT[part] <= set(TableSnapshot.__struct_fields__)
    assert holds
