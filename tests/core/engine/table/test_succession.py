"""Who keeps the table: by the host's own word, or by votes of those who don't hear it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tavolata._engine.match.entries import NUMBER
from tavolata._engine.match.updates import Ended, Notice
from tavolata._engine.table import log_bodies
from tavolata._engine.table.table_state import TableState
from tavolata._ui.i18n import Translator

from .test_table_state import (
    ANN,
    BOB,
    BOX,
    EVE,
    HOST,
    agreed,
    founded,
    play,
    put,
    reasons,
    said_in,
    started,
)


def vote(state: TableState, *voters: bytes, yes: bool = True) -> None:
    for voter in voters:
        put(state, voter, log_bodies.VOTE_HOST, yes)


def test_more_than_half_of_the_seated_replace_a_host_that_they_do_not_hear() -> None:
    """One of three is not enough; the first of the voters by place keeps the table then."""
    state = founded(ANN, BOB)
    vote(state, BOB)
    assert state.roster.host == HOST
    state.out.clear()
    vote(state, ANN)
    assert state.roster.host == ANN
    told = [(one.message, one.params) for one in state.out if isinstance(one, Notice)]
    assert told == [("{name} is the host now.", {"name": "P1"})]
    assert not reasons(put(state, ANN, log_bodies.SET, {"rounds": 5}))


def test_one_guest_of_two_never_replaces_a_host() -> None:
    """A single word moves nobody."""
    state = founded(ANN)
    vote(state, ANN)
    assert state.roster.host == HOST


def test_watchers_and_strangers_have_no_vote() -> None:
    """Only who sits at the table says who keeps it."""
    state = founded(ANN, BOB)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    vote(state, BOB, EVE, b"x" * 32)
    assert state.roster.host == HOST


def test_a_vote_is_withdrawn_when_the_host_is_heard_again() -> None:
    """Votes that were taken back don't count."""
    state = founded(ANN, BOB)
    vote(state, BOB)
    vote(state, BOB, yes=False)
    vote(state, ANN)
    assert state.roster.host == HOST


def test_any_word_of_the_hosts_voids_the_votes() -> None:
    """Whoever speaks is there."""
    state = founded(ANN, BOB)
    vote(state, BOB)
    put(state, HOST, log_bodies.CHAT, "here I am")
    vote(state, ANN)
    assert state.roster.host == HOST


def test_a_host_that_was_voted_away_has_its_place_back_with_its_first_word() -> None:
    """What was decided about somebody is undone by that person's own word."""
    state = founded(ANN, BOB)
    vote(state, ANN, BOB)
    put(state, HOST, log_bodies.CHAT, "here I am")
    assert (state.roster.host, state.succession.displaced) == (HOST, [])


def test_of_two_hosts_that_were_voted_away_the_first_comes_before_the_second() -> None:
    """The second gives way when the first is back."""
    state = founded(ANN, BOB)
    vote(state, ANN, BOB)
    vote(state, BOB, HOST)  # the first one's word gives it the table back before it votes
    assert state.roster.host == HOST
    vote(state, ANN, BOB)
    state.succession.votes = {BOB}
    state.succession.displaced = [HOST, ANN]
    state.roster.host = BOB
    put(state, ANN, log_bodies.CHAT, "back")
    assert (state.roster.host, state.succession.displaced) == (ANN, [HOST])
    put(state, HOST, log_bodies.CHAT, "back, too")
    assert (state.roster.host, state.succession.displaced) == (HOST, [])


def test_a_host_that_was_voted_away_and_removed_comes_back_as_anybody_else() -> None:
    """Once the table has taken its place, nothing that it says gives it the table."""
    state = founded(ANN, BOB)
    vote(state, ANN, BOB)
    put(state, ANN, log_bodies.KICK, HOST)
    put(state, HOST, log_bodies.ENTER, b"h" * 8, "P0", False, None, BOX)
    put(state, HOST, log_bodies.CHAT, "here I am")
    assert (state.roster.host, state.roster.belongs(HOST), state.succession.displaced) == (ANN, True, [])


def test_the_host_chooses_its_heir() -> None:
    """One's own word is enough about oneself; only who sits here can be the heir."""
    state = founded(ANN, BOB)
    assert reasons(put(state, HOST, log_bodies.HEIR, EVE))
    put(state, HOST, log_bodies.HEIR, BOB)
    assert state.roster.host == BOB
    put(state, HOST, log_bodies.CHAT, "well done")
    assert state.roster.host == BOB


def test_who_looks_on_or_is_away_does_not_act_for_the_host() -> None:
    """While the host is away, its powers rest until it is back or the table has voted."""
    state = founded(ANN, BOB)
    put(state, ANN, log_bodies.STATUS, HOST, False)
    put(state, ANN, log_bodies.SET, {"rounds": 9})
    assert state.lobby.options == {"rounds": 3}


def deals(state: TableState, peer: bytes) -> bool:
    """Whether the match takes from this machine what it waits for."""
    assert state.matches.match is not None
    source = state.matches.match.source
    before = len(source.entries)
    play(state, peer, NUMBER, source.wants.number if source.wants else 0, 0)
    return len(source.entries) > before


def test_who_deals_alone_deals_to_the_end_although_another_hosts() -> None:
    """The cards are on that machine: it deals after a new host, and the match can't do without it."""
    state = started(ANN, BOB)
    put(state, HOST, log_bodies.HEIR, ANN)
    assert (state.roster.host, deals(state, ANN), deals(state, HOST)) == (ANN, False, True)
    assert state.dealing[1] == {"name": "P0"}
    assert state.matches.why_no_decision(state.roster.places[1]) is None
    assert state.matches.why_no_decision(state.roster.places[0]) is not None
    assert (state.lobby.rests_on(ANN), state.lobby.rests_on(HOST)) == (False, True)
    assert any(isinstance(one, Ended) for one in put(state, HOST, log_bodies.LEAVE))
    assert (state.lobby.closed, state.roster.host) == (False, ANN)


def test_a_host_that_is_back_in_a_match_does_not_deal_what_another_began() -> None:
    """The first word of a host that was voted away gives it the table, and not the cards."""
    state = founded(ANN, BOB)
    vote(state, ANN, BOB)
    put(state, ANN, log_bodies.START, agreed(state), b"")
    for peer in (ANN, BOB):
        put(state, peer, *said_in(state, peer))
    put(state, HOST, *said_in(state, HOST))
    assert (state.roster.host, deals(state, HOST), deals(state, ANN)) == (HOST, False, True)


@given(st.lists(st.tuples(st.sampled_from([ANN, EVE, b"x" * 32]), st.booleans()), max_size=20))
def test_one_conspirator_of_three_never_gets_the_table(said: list[tuple[bytes, bool]]) -> None:
    """Whatever one seat, a watcher and a stranger say, and in which order, the host stays."""
    state = founded(ANN, BOB)
    put(state, EVE, log_bodies.ENTER, b"e" * 8, "Eve", True, None, BOX)
    for author, yes in said:
        vote(state, author, yes=yes)
        assert state.roster.host == HOST


def test_a_dealer_that_hosts_no_more_is_not_called_the_host() -> None:
    """In mid-match the table passes to somebody else; the notice names who deals, and no host."""
    state = started(ANN)
    put(state, HOST, log_bodies.HEIR, ANN)
    assert state.roster.host == ANN
    assert Translator("en").text(*state.dealing) == "P0 deals and could see every card."
