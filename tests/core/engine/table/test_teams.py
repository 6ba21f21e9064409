"""Teams at a table: who joins which, who sits where, and what the terms of the match say."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.engine.table.test_table_state import ANN, BOB, BOX, EVE, HOST, Alone, Guess, put

from tavolata import Game, Teams
from tavolata._engine.match.header import Header, OtherRules
from tavolata._engine.match.seating import SeatingError
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import Notice
from tavolata._engine.table import log_bodies, table_snapshot
from tavolata._engine.table.heads import head
from tavolata._engine.table.table_state import TableState


class Sides(Guess):
    """A game for two teams or three."""

    name = "sides"
    seats = (2, 6)
    teams = Teams(counts=(2, 3), size=(2, 3))


class Here(Alone):
    """A machine that has this game."""

    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        return Sides if game == "sides" else super().rules(game, rules_id)


def table(seats: int = 4) -> TableState:
    """A table of the host, Ann, Bob and Eve, in two teams."""
    state = TableState(Sides, me=HOST, local=Here(HOST))
    put(state, HOST, log_bodies.FOUND, "sides", 1, seats, {"rounds": 3}, "fair")
    for number, peer in enumerate((HOST, ANN, BOB, EVE)):
        put(state, peer, log_bodies.ENTER, bytes([number]) * 8, f"P{number}", False, None, BOX)
    put(state, HOST, log_bodies.TEAMS, 2)
    return state


def test_seats_alternate_by_team_as_people_chose() -> None:
    """Host and Ann join one team: they sit crosswise, and who has no wish is in the other."""
    state = table()
    put(state, HOST, log_bodies.TEAM, 1)
    put(state, ANN, log_bodies.TEAM, 1)
    header = state.lobby.terms()
    assert header.names == ("P2", "P0", "P3", "P1")
    assert header.teams == (0, 1, 0, 1)
    put(state, HOST, log_bodies.START, pack(header.plain()), state.roster.leader)
    assert [place.name for place in state.roster.places] == list(header.names)
    assert state.matches.barrier is not None


def test_rules_are_told_their_teams() -> None:
    """The header's teams are those of the table that the rules see; other rules refuse them."""
    header = Header.of(unpack(pack(table().lobby.terms().plain())))
    assert header.terms(Sides).teams == (0, 1, 0, 1)
    with pytest.raises(OtherRules, match="sides"):
        Header(**{**header.plain(), "teams": (0, 1, 2, 3)}).terms(Sides)
    with pytest.raises(TypeError):
        Header.of({**header.plain(), "teams": (0, 0, 0, 1)})


def test_a_team_takes_no_more_than_its_share() -> None:
    """The third who joins one of two teams of four is refused, in words; the others stay as they were."""
    state = table()
    for peer in (HOST, ANN):
        put(state, peer, log_bodies.TEAM, 0)
    told = put(state, BOB, log_bodies.TEAM, 0)
    assert not any(place.team == 0 for place in state.roster.places[2:])
    assert told == []  # the refusal is for Bob's own screen
    assert [place.team for place in state.roster.places] == [0, 0, -1, -1]


def test_nothing_begins_in_uneven_teams() -> None:
    """When one of four is gone the three can't form two teams; without teams they can begin."""
    state = table()
    put(state, EVE, log_bodies.LEAVE)
    with pytest.raises(SeatingError, match="players can't form 2 equal teams"):
        state.lobby.terms()
    put(state, HOST, log_bodies.START, pack({}), state.roster.leader)
    assert state.matches.barrier is None
    put(state, HOST, log_bodies.TEAMS, 0)
    assert state.lobby.terms().teams == ()


def test_only_the_host_parts_the_table_and_only_as_the_game_allows() -> None:
    """A guest's word, and a number of teams that the game does not have, change nothing."""
    state = table()
    put(state, ANN, log_bodies.TEAMS, 0)
    put(state, ANN, log_bodies.TEAM_LOT, bytes(16))
    put(state, HOST, log_bodies.TEAMS, 5)
    put(state, HOST, log_bodies.TEAM, 2)
    assert state.lobby.teams == 2
    assert [place.team for place in state.roster.places] == [-1] * 4


def test_teams_may_fit_fewer_than_there_are_seats() -> None:
    """At a table for five two teams are set, since four of them could play so; once a match runs, no more."""
    state = table(5)
    assert state.lobby.teams == 2
    header = state.lobby.terms()
    put(state, HOST, log_bodies.START, pack(header.plain()), state.roster.leader)
    put(state, HOST, log_bodies.TEAMS, 0)
    assert state.lobby.teams == 2


def test_lots_part_everybody_evenly_and_alike_on_all_machines() -> None:
    """A seed gives each place a team, of equal sizes; another seed gives others."""
    drawn = set()
    for seed in range(8):
        state = table()
        told = put(state, HOST, log_bodies.TEAM_LOT, bytes([seed]) * 16)
        teams = tuple(place.team for place in state.roster.places)
        assert sorted(teams) == [0, 0, 1, 1]
        assert Notice("The teams have been drawn by lot.") in told
        drawn.add(teams)
    assert len(drawn) > 1


def test_lots_part_those_who_are_here() -> None:
    """Of five one is away: the other four form equal teams whatever the seed, and no team waits for it."""
    for seed in range(8):
        state = table(5)
        put(state, bytes([5]) * 32, log_bodies.ENTER, bytes([4]) * 8, "P4", False, None, BOX)
        put(state, HOST, log_bodies.TEAM_LOT, bytes(16))
        put(state, HOST, log_bodies.STATUS, ANN, False)
        put(state, HOST, log_bodies.TEAM_LOT, bytes([seed]) * 16)
        assert sorted(place.team for place in state.roster.here) == [0, 0, 1, 1]
        assert len(state.lobby.terms().teams) == 4
        away = next(place for place in state.roster.places if place.peer == ANN)
        assert away.team == -1


def test_who_is_away_fills_no_team() -> None:
    """While a player is away, somebody else can take the place in the team."""
    state = table()
    for peer in (HOST, ANN):
        put(state, peer, log_bodies.TEAM, 0)
    put(state, HOST, log_bodies.STATUS, ANN, False)
    put(state, BOB, log_bodies.TEAM, 0)
    assert [place.team for place in state.roster.here] == [0, 0, -1]


def test_the_hosts_bots_may_sit_before_it() -> None:
    """With a bot of its own on an earlier seat the host's own place is still the host's."""
    state = table(6)
    put(state, HOST, log_bodies.BOTS, ["random", "random"])
    put(state, HOST, log_bodies.TEAM, 1)
    header = state.lobby.terms()
    put(state, HOST, log_bodies.START, pack(header.plain()), state.roster.leader)
    own = state.roster.place_of(HOST)
    assert own is not None
    assert own.name == "P0"
    assert header.name_of(HOST) == "P0"


def test_a_newcomer_gets_the_teams_with_the_snapshot() -> None:
    """Who joins after the log was compacted knows how many teams there are and who is in which."""
    state, other = table(), TableState(Sides, me=EVE, local=Here(EVE))
    put(state, ANN, log_bodies.TEAM, 1)
    table_snapshot.install(other, table_snapshot.take(state, head(7, b"c" * 32)), Here(EVE).rules)
    assert other.lobby.teams == 2
    assert [place.team for place in other.roster.places] == [-1, 1, -1, -1]
    assert other.lobby.terms() == state.lobby.terms()


class Bound(Sides):
    """Never played without teams."""

    name = "bound"
    teams = Teams(counts=(2,), size=(2, 3), required=True)


class There(Here):
    """A machine that has both games."""

    def rules(self, game: str, rules_id: int) -> type[Game[Any]]:
        return Bound if game == "bound" else super().rules(game, rules_id)


def test_required_teams_are_there_from_the_start() -> None:
    """Nobody has to ask for them or can do without; three can't begin, and are told which numbers can."""
    state = TableState(Bound, me=HOST, local=There(HOST))
    put(state, HOST, log_bodies.FOUND, "bound", 1, 4, {"rounds": 3}, "fair")
    assert state.lobby.teams == 2
    for number, peer in enumerate((HOST, ANN, BOB)):
        put(state, peer, log_bodies.ENTER, bytes([number]) * 8, f"P{number}", False, None, BOX)
    put(state, HOST, log_bodies.TEAMS, 0)
    assert state.lobby.teams == 2
    with pytest.raises(SeatingError, match=r"and 3 players can't form teams\. Player counts that work: 4, 6"):
        state.lobby.terms()
    put(state, HOST, log_bodies.START, pack({}), state.roster.leader)
    assert state.matches.barrier is None
    put(state, EVE, log_bodies.ENTER, bytes([7]) * 8, "P3", False, None, BOX)
    assert state.lobby.terms().teams == (0, 1, 0, 1)
