"""The people whom one machine serves: seats, words and names of their own, and one party with one key."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.table.test_table_state import (
    ANN,
    BOB,
    BOX,
    EVE,
    HOST,
    founded,
    play,
    put,
    reasons,
    start,
)

from tavolata._engine.match.entries import ANSWER
from tavolata._engine.match.header import FAIR
from tavolata._engine.match.header import HOST as HOST_DEALS
from tavolata._engine.match.updates import Notice, Said, Update
from tavolata._engine.table import log_bodies, table_state
from tavolata._engine.table.log_bodies import TAG_SIZE
from tavolata._engine.table.table_state import TableState

NORA, UGO = (bytes([number]) * TAG_SIZE for number in (21, 22))


def says(state: TableState, machine: bytes, tag: bytes, *body: Any) -> list[Update]:
    """What a machine says for somebody whom it serves."""
    return put(state, machine, log_bodies.COMPANION, tag, list(body))


def come(state: TableState, machine: bytes, tag: bytes, name: str, *, watch: bool = False) -> list[Update]:
    """Somebody comes to the table in a browser."""
    return says(state, machine, tag, log_bodies.ENTER, tag[:8], name, watch, None, BOX)


def family(*guests: bytes, dealer: str = FAIR, seats: int = 3) -> TableState:
    """A table whose host's machine serves Nora."""
    state = founded(*guests, seats=seats)
    state.lobby.dealer = dealer
    come(state, HOST, NORA, "Nora")
    return state


def named(state: TableState) -> list[str]:
    return [str(place.name) for place in state.roster.places]


def test_all_seats_of_a_machine_are_one_party() -> None:
    """The header has one key for the host and its companion: three people are two parties."""
    state = family(ANN)
    header = state.lobby.terms()
    assert (header.names, header.keys) == (("P0", "P1", "Nora"), (HOST, ANN, HOST))
    assert header.parties == (HOST, ANN)


def test_one_machine_alone_deals_by_itself_and_says_so() -> None:
    """Where all play on one machine, nobody can deal against anybody: its owner could see all hands."""
    state = family(seats=2)
    assert state.lobby.terms().dealer == HOST_DEALS
    assert "could see all hands" in state.dealing[0]
    told = [one.message for one in start(state) if isinstance(one, Notice)]
    assert any("could see all hands" in message for message in told)


def test_a_companion_has_readiness_looks_words_and_a_name_of_its_own() -> None:
    """What is said for Nora is Nora's, and leaves the host as it was."""
    state = family(ANN)
    says(state, HOST, NORA, log_bodies.READY, True)
    says(state, HOST, NORA, log_bodies.LOOK, 3, 4)
    says(state, HOST, NORA, log_bodies.RENAME, "Norina")
    [words] = says(state, HOST, NORA, log_bodies.CHAT, "hello")
    assert [place.ready for place in state.roster.places] == [False, False, True]
    assert [state.roster.look_of(seat) for seat in range(3)] == [None, None, (3, 4)]
    assert named(state) == ["P0", "P1", "Norina"]
    assert isinstance(words, Said)
    assert (words.name, words.text) == ("Norina", "hello")


@pytest.mark.parametrize("verb", sorted(set(log_bodies._SHAPES) - log_bodies._OF_COMPANIONS))
def test_nothing_that_is_a_machines_word_is_said_for_a_companion(verb: int) -> None:
    """No power of the host's, no vote and no entry of a match: such an entry is none."""
    fits = {int: 0, str: "", bytes: b"", bool: True, list: [], dict: {}}
    body = [verb, *(fits[kind[0] if isinstance(kind, tuple) else kind] for kind in log_bodies._SHAPES[verb])]
    assert log_bodies.of_companion(NORA, body) is None
    state = family(ANN)
    assert not says(state, HOST, NORA, *body)


def test_a_machine_speaks_for_nobody_elses_companion() -> None:
    """Under another machine's signature the same tag is another person, who is not here."""
    state = family(ANN)
    before = named(state)
    for body in ((log_bodies.READY, True), (log_bodies.RENAME, "Eva"), (log_bodies.LEAVE,)):
        says(state, ANN, NORA, *body)
    assert named(state) == before
    assert not state.roster.places[2].ready


def test_a_machine_that_is_not_here_serves_nobody() -> None:
    """Who has not come in brings nobody else in; nor does a tag of another length."""
    state = founded(ANN)
    assert not come(state, EVE, NORA, "Nora")
    assert not put(state, HOST, log_bodies.COMPANION, b"short", [log_bodies.CHAT, "hi"])
    assert named(state) == ["P0", "P1"]


def test_a_machine_serves_only_so_many() -> None:
    """One machine can't fill the table's memory with people."""
    state = founded(ANN)
    for number in range(table_state.MOST_SERVED + 5):
        come(state, ANN, number.to_bytes(TAG_SIZE, "big"), f"N{number}", watch=True)
    assert len(state.roster.companions(ANN)) == table_state.MOST_SERVED


def test_who_goes_in_mid_match_is_played_by_its_machine_and_may_come_back() -> None:
    """The seat stays its machine's: a bot plays there at once, until its player is back."""
    state = family(ANN)
    start(state)
    says(state, HOST, NORA, log_bodies.LEAVE)
    assert [place.unattended for place in state.roster.places] == [False, False, True]
    assert state.matches.seats_of(HOST) == [0, 2]
    assert state.matches.running
    come(state, HOST, NORA, "Nora")
    assert [place.unattended for place in state.roster.places] == [False] * 3
    says(state, HOST, NORA, log_bodies.LEAVE)
    state.matches.break_off()
    assert named(state) == ["P0", "P1"]


def test_who_goes_between_matches_has_left() -> None:
    """Its place is free, and it is somebody new when it comes again."""
    state = family(ANN)
    says(state, HOST, NORA, log_bodies.LEAVE)
    assert (named(state), state.lobby.free) == (["P0", "P1"], 1)


def test_the_machine_answers_for_all_its_seats_and_nobody_else_does() -> None:
    """An answer for Nora counts from the machine that serves her, and from no other."""
    state = family(ANN)
    start(state)
    running = state.matches.running
    assert running is not None
    for author in (ANN, EVE):
        before = len(running.match.source.entries)
        play(state, author, ANSWER, 2, 0, 1)
        assert len(running.match.source.entries) == before
    play(state, HOST, ANSWER, 2, 0, 1)
    assert len(running.match.source.entries) == before + 1


def test_a_machine_that_leaves_takes_its_people_along() -> None:
    """Between matches the places of its companions are free, and its watchers are gone, too."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    come(state, ANN, UGO, "Ugo", watch=True)
    put(state, ANN, log_bodies.LEAVE)
    assert named(state) == ["P0"]
    assert not state.roster.watchers


def test_a_machine_that_is_not_heard_is_away_with_all_its_people() -> None:
    """Presence is a machine's: nobody reports a companion apart from it."""
    state = family(ANN)
    come(state, ANN, UGO, "Ugo")
    state.roster.leader = HOST
    put(state, HOST, log_bodies.STATUS, ANN, False)
    assert [place.status for place in state.roster.places if place.peer == ANN] == ["away"]
    assert state.roster.watchers == {ANN + UGO: "Ugo"}, "the table was full"


def test_no_companion_becomes_the_host() -> None:
    """When the host leaves, the next machine's own player keeps the table."""
    state = family(ANN, BOB, seats=3)
    come(state, ANN, UGO, "Ugo")
    put(state, HOST, log_bodies.LEAVE)
    assert state.roster.host == ANN


def test_the_host_shows_a_companion_out_and_keeps_it_out() -> None:
    """Kick and ban are about a person: the machine that serves it stays."""
    state = founded(ANN, seats=3)
    come(state, ANN, NORA, "Nora")
    put(state, HOST, log_bodies.BAN, ANN + NORA, True)
    assert named(state) == ["P0", "P1"]
    assert reasons(come(state, ANN, NORA, "Nora")) == []  # told on its own machine alone
    assert named(state) == ["P0", "P1"]
    assert not reasons(put(state, ANN, log_bodies.READY, True))


def test_the_refusal_of_a_companion_is_for_it_alone() -> None:
    """Two people at one machine don't read each other's refusals."""
    state = family(ANN)
    [refusal] = says(state, HOST, NORA, log_bodies.RENAME, "P1")
    assert isinstance(refusal, Notice)
    assert (refusal.wrong, refusal.to) == (True, HOST + NORA)
