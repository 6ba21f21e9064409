"""Other code at a table: what a peer claims of its own, at any time, convicts nobody and lets nobody off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.core.engine.table.test_table_state import ANN, EVE, HOST, agreed, founded, put, said_in, start

from tavolata._engine.match.header import Header
from tavolata._engine.match.seating import SeatingError
from tavolata._engine.match.state import unpack
from tavolata._engine.match.updates import Notice
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import HEAD_SIZE
from tavolata._engine.table.lobby import PLAYS_UNLIKE, PROMISED, STRANGER
from tavolata._engine.table.matches import NOT_ALIKE, START_AGAIN, VOID, VOID_KEPT
from tavolata._engine.table.table_state import TableState

CODE, OTHER = bytes([1]) * 16, bytes([2]) * 16


def told(happened: list[Any]) -> list[str]:
    return [one.message for one in happened if isinstance(one, Notice)]


def says(
    state: TableState, peer: bytes, version: str, code: bytes, *, facts: bool = False, unlike: bool = False
) -> list[str]:
    """What people are told when a peer says its edition."""
    return told(put(state, peer, log_bodies.EDITION, version, code, facts, unlike))


def table(*, facts: bool = False, unlike: bool = False) -> TableState:
    """A table of three whose host has said by which code it plays."""
    state = founded(ANN, EVE)
    says(state, HOST, "1", CODE, facts=facts, unlike=unlike)
    return state


def test_only_the_host_says_by_which_code_the_table_plays() -> None:
    """Before the host has said it, nobody else's word counts; another game asks anew."""
    state = founded(ANN, EVE)
    says(state, EVE, "1", OTHER)
    assert state.lobby.editions.of_table is None
    says(state, HOST, "1", CODE)
    assert state.lobby.terms().code == CODE
    assert state.lobby.terms().codes == ()
    put(state, HOST, log_bodies.GAME, "guess", 1, 3, {"rounds": 3})
    assert state.lobby.editions.of_table is None


def test_a_version_with_the_same_rules_is_noted_and_plays() -> None:
    """The author promises it; the header says whose code is another one."""
    state = table()
    assert says(state, ANN, "2", OTHER) == [PROMISED]
    start(state)
    assert state.matches.running is not None
    assert state.matches.running.header.codes == (CODE, OTHER, CODE)


@pytest.mark.parametrize(("version", "facts"), [("1", False), ("2", True), ("dev", False)])
def test_no_match_begins_with_other_code(version: str, facts: bool) -> None:
    """The lobby says whose it is, a START is void, and without that machine a match begins."""
    state = table(facts=facts)
    assert says(state, EVE, version, OTHER, facts=facts) == [STRANGER]
    with pytest.raises(SeatingError, match=r"P2.s guess code differs from the table"):
        state.lobby.terms()
    says(state, EVE, "1", CODE)
    data = agreed(state)
    says(state, EVE, version, OTHER, facts=facts)
    put(state, HOST, log_bodies.START, data, b"")
    assert state.matches.barrier is None
    put(state, HOST, log_bodies.KICK, EVE)
    start(state)
    assert state.matches.running is not None
    assert state.matches.running.header.codes == ()


def test_a_table_for_other_code_judges_nobody() -> None:
    """With --unlike the match begins, says the code of each, and no lie costs it."""
    state = table(facts=True, unlike=True)
    assert says(state, EVE, "1", OTHER, facts=True) == [PLAYS_UNLIKE]
    assert NOT_ALIKE in told(start(state))
    running = state.matches.running
    assert running is not None
    assert running.header.codes == (CODE, CODE, OTHER)
    assert not running.match.table._facts.convicts


def claims_before(state: TableState) -> None:
    says(state, EVE, "1", OTHER, facts=True)
    says(state, EVE, "1", CODE, facts=True)


def nothing(state: TableState) -> None:
    pass


@pytest.mark.parametrize("before", [claims_before, nothing])
def test_nobody_is_let_off_by_a_claim_in_a_match(before: Callable[[TableState], None]) -> None:
    """At a table without --unlike all matches convict liars, whatever these say of their code, and when."""
    state = table(facts=True)
    before(state)
    put(state, HOST, log_bodies.START, agreed(state), b"")
    says(state, EVE, "1", OTHER, facts=True)
    assert state.matches.barrier is None, "the START has fallen"
    says(state, EVE, "1", CODE, facts=True)
    start(state)
    running = state.matches.running
    assert running is not None
    for code in (OTHER, CODE, bytes(16), b""):
        says(state, EVE, "1", code, facts=True, unlike=True)
        assert state.matches.running is running
        assert running.match.table._facts.convicts
        assert running.header.codes == ()


def test_a_start_that_falls_because_of_a_version_is_told() -> None:
    """The other version plays, but on other terms: people read that they have to start again."""
    state = table()
    put(state, HOST, log_bodies.START, agreed(state), b"")
    assert says(state, ANN, "2", OTHER) == [PROMISED, START_AGAIN]
    assert state.matches.barrier is None


def test_a_host_that_names_other_terms_is_refused() -> None:
    """START can't say of anybody's code what that machine did not say."""
    state = table()
    for change in ({"code": OTHER}, {"codes": (CODE, OTHER, CODE)}, {"api": 2}):
        put(state, HOST, log_bodies.START, agreed(state, **change), b"")
        assert state.matches.barrier is None


def test_the_header_takes_no_codes_that_cannot_be() -> None:
    """One for each seat, of the right length, and not all equal."""
    plain = unpack(agreed(table()))
    for codes in ([CODE], [CODE] * 3, [CODE, b"short", OTHER]):
        with pytest.raises(TypeError):
            Header.of({**plain, "codes": codes})
    assert Header.of({**plain, "codes": [CODE, OTHER, CODE]}).codes == (CODE, OTHER, CODE)


@pytest.mark.parametrize("changed", [{"code": "AQEB"}, {"keys": ["AQEB"] * 3}, {"strange": 1}])
def test_the_header_takes_nothing_of_another_kind(changed: dict[str, Any]) -> None:
    """A text is no bytes, also where it could be read as some; and every name is known."""
    with pytest.raises(TypeError):
        Header.of(unpack(agreed(table())) | changed)


def test_newcomers_learn_the_editions_from_the_snapshot() -> None:
    """What was said of the code goes with the state of the table."""
    state, other = table(unlike=True), founded()
    says(state, ANN, "2", OTHER)
    table_snapshot.install(other, table_snapshot.take(state, bytes(HEAD_SIZE)), lambda *_: state.lobby.rules)
    assert other.lobby.editions == state.lobby.editions


def test_a_void_match_names_the_code_of_both() -> None:
    """Where two machines differ, everybody reads what they said of their code."""
    state = table(unlike=True)
    says(state, ANN, "1", OTHER)
    start(state)
    running = state.matches.running
    assert running is not None
    said_in(state, HOST)
    put(state, HOST, log_bodies.STATE, running.header.id, 3, b"one")
    happened = put(state, ANN, log_bodies.STATE, running.header.id, 3, b"two")
    (notice,) = [one for one in happened if isinstance(one, Notice) and one.message in (VOID, VOID_KEPT)]
    assert notice.params["code"].startswith("01010101-")
    assert notice.params["other_code"].startswith("02020202-")
