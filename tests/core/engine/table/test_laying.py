"""Laying a table: from the terms of a match, the lobby of which they are the terms."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tests.core.engine.table.test_table_state import GuessOptions
from tests.core.engine.table.test_teams import Here, Sides

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.game_info import FINGERPRINT, MOST_CODE
from tavolata._engine.match.header import (
    BLIND,
    FAIR,
    HOST,
    IDLE,
    STAND_AFTER,
    STRICT,
    WAIT,
    Before,
    Header,
)
from tavolata._engine.match.seating import alternating
from tavolata._engine.table.table_state import TableState

MACHINES = [bytes([number]) * 32 for number in range(1, 5)]


@st.composite
def headers(draw: st.DrawFn) -> Header:
    """The terms of a match: up to six seats on up to four machines, of people, bots, and people served."""
    keys = tuple(draw(st.lists(st.sampled_from(MACHINES), min_size=2, max_size=6)))
    seats = range(len(keys))
    served = tuple(seat for seat in seats if draw(st.booleans()))
    bots = [draw(st.sampled_from((None, "easy"))) if seat not in served else None for seat in seats]
    for key in set(keys):  # a machine has one player of its own at most
        own = [seat for seat in seats if keys[seat] == key and seat not in served]
        bots = ["easy" if seat in own[1:] else level for seat, level in enumerate(bots)]
    counts = {4: (0, 2), 6: (0, 2, 3)}.get(len(keys), (0,))
    code = draw(st.binary(max_size=MOST_CODE))
    others = {key: draw(st.sampled_from((code[:FINGERPRINT], bytes(FINGERPRINT)))) for key in MACHINES}
    codes = tuple(others[key] for key in keys)
    return Header(
        id="",
        game=Sides.name,
        version=draw(st.sampled_from(("", "0.9"))),
        rules_id=Sides.rules_id,
        options=GuessOptions(rounds=draw(st.integers(1, 9))).plain(),
        names=tuple(draw(st.sampled_from((f"P{seat}", "x" * 24 + f" {seat}"))) for seat in seats),
        bots=tuple(bots),
        dealer=draw(st.sampled_from((FAIR, STRICT, HOST))) if len(set(keys)) > 1 else HOST,
        pace=draw(st.sampled_from((None, 0, 1.5))),
        keys=keys,
        policy=draw(st.sampled_from((WAIT, BLIND))),
        stand_after=draw(st.sampled_from((STAND_AFTER, 30))),
        idle=draw(st.sampled_from((IDLE, 30))),
        teams=alternating(draw(st.sampled_from(counts)), len(keys)),
        fixed=draw(st.booleans()),
        served=served,
        code=code,
        codes=() if set(codes) <= {code[:FINGERPRINT]} else codes,
        campaign=draw(st.sampled_from((None, Campaign("autumn")))),
    )


def laid(header: Header) -> TableState:
    """A table that was laid for a match."""
    state = TableState(Sides, me=b"", local=Here(b""))
    state.lobby.lay(header, header.keys[0])
    return state


@given(headers())
def test_a_table_that_was_laid_has_the_terms_that_it_was_laid_for(header: Header) -> None:
    """Bots, teams, people in browsers, house rules and policies: nothing is lost or invented."""
    assert laid(header).lobby.terms(header.pace) == header


@given(headers())
def test_a_match_that_goes_on_is_expected(header: Header) -> None:
    """The words about the match before are no terms of a lobby: the table waits for just this START."""
    onward = replace(header, id="0" * 32, before=Before("1" * 32, bytes(32), b"", ((0, "silent"),)))
    state = laid(onward)
    assert state.lobby.terms(header.pace) == header
    assert state.matches.next_header == replace(onward, id="")
