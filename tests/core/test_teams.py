"""Teams as rules see them: who plays with whom, who wins, and what can't be."""

from __future__ import annotations

import pytest

from tavolata import Game, Options, Outcome, Seat, Table, Teams, one_of
from tavolata._engine.match.seating import SeatingError, in_teams
from tavolata.errors import GameError
from tavolata.testing import check_game, rehearse


class Pull(Game[Options]):
    """Rope pulling: one question, and the team of who was asked wins."""

    name = "pull"
    title = "Pull"
    seats = (2, 6)
    teams = Teams(counts=(2, 3), size=(2, 3))

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """The first seat says who wins: its team, or, against the rules of teams, one of it alone."""
        fair = await t.ask(t.ring[0], one_of([True, False]))
        return Outcome(t.team(t.ring[0]) if fair else (t.ring[0],))


class Sound(Pull):
    """The same without the fault."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """A team wins."""
        return Outcome(t.team(await t.ask(t.ring[0], one_of(t.ring))))


def test_rules_read_who_plays_with_whom() -> None:
    """Of six seats in three teams the ones across are mates; without teams everybody is alone."""
    table = rehearse(Pull, seats=6, teams=3).table
    assert table.teams == ((0, 3), (1, 4), (2, 5))
    assert table.team(Seat(4)) == (1, 4)
    assert table.mates(Seat(4)) == (1,)
    alone = rehearse(Pull, seats=3).table
    assert alone.teams == ((0,), (1,), (2,))
    assert alone.mates(Seat(0)) == ()


def test_a_team_wins_whole() -> None:
    """An outcome with some of a team is the fault of the game."""
    match = rehearse(Pull, seats=4, teams=2, answers=[True])
    assert match.outcome == Outcome((Seat(0), Seat(2)))
    with pytest.raises(GameError, match="wins whole"):
        rehearse(Pull, seats=4, teams=2, answers=[False])


def test_the_teams_of_those_who_gave_up_lose() -> None:
    """By default the other team wins; where each team has lost somebody, those that are still there win."""
    match = rehearse(Pull, seats=4, teams=2)
    assert match.game.forfeit(match.table, (Seat(0),)).winners == (1, 3)
    assert match.game.forfeit(match.table, (Seat(0), Seat(1), Seat(2))).winners == (1, 3)


def test_the_kit_plays_with_teams_and_without() -> None:
    """The battery finds a split team in a match, and a sound game passes with each number of teams."""
    failed = check_game(Pull, matches=40, only=["outcomes"])
    assert not failed.passed
    assert "teams" in str(failed)
    assert check_game(Sound, matches=8, only=["random_playouts", "save_and_resume_everywhere"]).passed


def test_people_are_parted_as_they_wish() -> None:
    """Wishes count, the smallest team takes who has none, and too many in one team are refused."""
    assert in_teams([1, -1, 1, -1], 2) == ([1, 0, 3, 2], [0, 1, 0, 1])
    assert in_teams([1, -1, 1, -1], 2, alternate=False) == ([0, 1, 2, 3], [1, 0, 1, 0])
    with pytest.raises(SeatingError, match="uneven: 1, 3"):
        in_teams([1, 1, 1, -1], 2)


@pytest.mark.parametrize(
    "wrong", [{"counts": ()}, {"counts": (1,)}, {"counts": (9,)}, {"counts": (2,), "size": (3, 2)}]
)
def test_teams_that_cannot_be_are_refused_where_they_are_written(wrong: dict[str, tuple[int, ...]]) -> None:
    """No team, one team, more than have a name, and sizes the wrong way round."""
    with pytest.raises(ValueError, match="team"):
        Teams(**wrong)  # type: ignore[arg-type] # that is what is tried
