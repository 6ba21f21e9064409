"""The campaign of a table: a later copy is taken, another history is refused, and every machine agrees."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.match.test_campaign import Heirlooms, after
from tests.core.engine.table.test_table_state import ANN, EVE, HOST, agreed, founded, put

from tavolata._engine.match.campaign import Campaign
from tavolata._engine.match.seating import SeatingError
from tavolata._engine.match.updates import Notice
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import HEAD_SIZE
from tavolata._engine.table.table_campaign import BRINGS, DIFFERS, STRANGER
from tavolata._engine.table.table_state import TableState

NEW = Campaign("autumn")
ONE = after(NEW, "a")


def told(happened: list[Any]) -> list[str]:
    return [one.message for one in happened if isinstance(one, Notice)]


def says(state: TableState, peer: bytes, copy: Campaign) -> list[str]:
    """What people are told when a machine says which copy it has."""
    return told(put(state, peer, log_bodies.CAMPAIGN, copy.packed()))


def busy(state: TableState) -> bool:
    return state.matches.is_busy


@pytest.fixture
def state() -> TableState:
    """A table of three whose host plays the first match's successor."""
    state = founded(ANN, EVE)
    state.lobby.rules = Heirlooms
    state.lobby.options = {}
    says(state, HOST, ONE)
    return state


def test_only_the_host_says_which_campaign_is_played() -> None:
    """Before it has said so nobody's word counts; what is no copy counts for nobody."""
    state = founded(ANN, EVE)
    says(state, HOST, ONE)
    assert state.matches.campaign.of_table is None, "the game has no campaigns"
    state.lobby.rules, state.lobby.options = Heirlooms, {}
    says(state, ANN, ONE)
    put(state, HOST, log_bodies.CAMPAIGN, b"?")
    put(state, HOST, log_bodies.CAMPAIGN, NEW.packed().replace(b"autumn", b"autum\xff"))
    assert state.matches.campaign.of_table is None
    says(state, HOST, ONE)
    assert state.lobby.terms().campaign == ONE
    put(state, HOST, log_bodies.CAMPAIGN, b"")
    assert state.lobby.terms().campaign is None


def test_a_later_copy_takes_the_place_of_the_tables(state: TableState) -> None:
    """All read who brought it, and have to say again that they are ready; an older one is no news."""
    put(state, ANN, log_bodies.READY, True)
    assert says(state, EVE, NEW) == []
    assert state.roster.place_of(ANN).ready  # type: ignore[union-attr] # she sits
    two = after(ONE, "b")
    assert says(state, EVE, two) == [BRINGS]
    assert not state.roster.place_of(ANN).ready  # type: ignore[union-attr] # as above
    assert state.lobby.terms().campaign == two
    assert says(state, ANN, ONE) == []
    assert says(state, b"\x07" * 32, after(two, "c")) == [], "who has no place brings nothing"
    assert state.lobby.terms().campaign == two


def test_no_match_begins_with_another_history(state: TableState) -> None:
    """A START is void, until that machine comes without the copy, or the table plays another campaign."""
    data = agreed(state)
    assert says(state, EVE, after(NEW, "z")) == [DIFFERS]
    assert says(state, EVE, after(NEW, "z")) == []
    with pytest.raises(SeatingError, match=STRANGER.partition("{campaign}")[0].format(name="P2")):
        state.lobby.terms()
    put(state, HOST, log_bodies.START, data, b"")
    assert not busy(state)
    says(state, EVE, NEW)
    put(state, HOST, log_bodies.START, data, b"")
    assert busy(state)
    assert says(state, EVE, after(NEW, "z")) == [DIFFERS], "nobody is told a second time that nothing begins"
    assert not busy(state), "the START has fallen"
    says(state, HOST, Campaign("winter"))
    assert state.lobby.terms().campaign == Campaign("winter")


def test_a_snapshot_has_the_campaign(state: TableState) -> None:
    """Who begins with a snapshot has the same terms, and knows whose copy is another one."""
    says(state, EVE, after(NEW, "z"))
    data = table_snapshot.take(state, bytes(HEAD_SIZE))
    other = founded(ANN)
    table_snapshot.install(other, data, lambda *_: Heirlooms)
    assert other.matches.campaign.of_table == ONE
    assert other.matches.campaign.others == {EVE: after(NEW, "z")}


def test_an_heir_takes_the_campaign_over_with_the_table(state: TableState) -> None:
    """When the host leaves or is voted away, what is played stays, and the heir may put another one there."""
    put(state, HOST, log_bodies.LEAVE)
    assert state.roster.host == ANN
    assert state.lobby.terms().campaign == ONE
    assert says(state, EVE, after(ONE, "b")) == [BRINGS]
    put(state, ANN, log_bodies.START, agreed(state), b"")
    assert busy(state)
    other = founded(ANN, EVE)
    other.lobby.rules, other.lobby.options = Heirlooms, {}
    says(other, HOST, ONE)
    for voter in (ANN, EVE):
        put(other, voter, log_bodies.VOTE_HOST, True)
    assert (other.roster.host, other.lobby.terms().campaign) == (ANN, ONE)
    says(other, ANN, Campaign("winter"))
    assert other.lobby.terms().campaign == Campaign("winter")
