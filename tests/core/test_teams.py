"""Teams as rules see them: who plays with whom, who wins, and what can't be."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from tavolata import Game, Options, Outcome, Problem, Seat, Table, Teams, one_of, option
from tavolata._engine.match.header import Header, OtherRules
from tavolata._engine.match.outcomes import checked
from tavolata._engine.match.seating import SeatingError, in_teams
from tavolata._engine.match.simulate import play
from tavolata._engine.match.state import pack, unpack
from tavolata._engine.match.updates import Ended
from tavolata._engine.storage.recorded import outcome_of, plain_end
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import end_data
from tavolata._ui.words import Words
from tavolata.bots import RandomBot
from tavolata.errors import GameError, OptionError
from tavolata.sim import Simulation
from tavolata.testing import check_game, rehearse
from tavolata.testing.cases import cases


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


class Needs(Sound):
    """Never played without teams."""

    name = "needs"
    teams = Teams(counts=(2, 3), size=(2, 2), required=True)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Scores by team: the answer says how many points the first team has, the others have two."""
        points = await t.ask(t.ring[0], one_of([1, 2, 3]))
        return Outcome.by_team(t, [points, *[2] * (len(t.teams) - 1)])


def test_a_game_that_needs_teams_has_them_from_the_start() -> None:
    """Without a word four are in two teams, six in three; five are refused, with the numbers that fit."""
    assert rehearse(Needs, seats=4).table.teams == ((0, 2), (1, 3))
    assert rehearse(Needs, seats=6).table.teams == ((0, 3), (1, 4), (2, 5))
    for count in (0, 2):
        with pytest.raises(
            SeatingError, match=r"and 5 players can't form teams\. Player counts that work: 4, 6"
        ):
            rehearse(Needs, seats=5, teams=count)
    assert Simulation(Needs, 6).game is not None
    with pytest.raises(SeatingError, match="4, 6"):
        play(Needs, Options(), [RandomBot()] * 3, seed=1)
    header = Header("", "needs", "0", 1, {}, ("A", "B", "C", "D"), (None,) * 4)
    with pytest.raises(OtherRules, match="can't be played with those teams"):
        header.terms(Needs)
    assert replace(header, teams=(0, 1, 0, 1)).terms(Needs).teams == (0, 1, 0, 1)


def test_the_kit_plays_it_in_teams_only() -> None:
    """Its cases have four seats or six, and are always parted."""
    assert {(case.seats, case.teams) for case in cases(Needs, 12)} == {(4, 2), (6, 3)}
    check_game(Needs, matches=3, only=["random_playouts", "outcomes", "twice_the_same"]).expect()


def test_teams_have_scores_and_share_ranks() -> None:
    """With three teams and a tie, both teams win whole; the third has rank 3 in all its seats."""
    outcome = rehearse(Needs, seats=6, answers=[1]).outcome
    assert outcome == Outcome(
        (Seat(1), Seat(2), Seat(4), Seat(5)), scores=(1, 2, 2, 1, 2, 2), ranks=(3, 1, 1, 3, 1, 1),
        team_scores=(1, 2, 2),
    )  # fmt: skip
    assert rehearse(Needs, seats=4, answers=[3]).outcome == Outcome(
        (Seat(0), Seat(2)), scores=(3, 2, 3, 2), ranks=(1, 2, 1, 2), team_scores=(3, 2)
    )
    table = rehearse(Needs, seats=4).table
    assert Outcome.by_team(table, [4, 1], lowest=True, scores=(1, 2, 3, -1)).scores == (1, 2, 3, -1)
    with pytest.raises(GameError, match="3 scores for 2 teams"):
        Outcome.by_team(table, [1, 2, 3])
    with pytest.raises(GameError, match="a whole number of 64 bits for each team"):
        checked(replace(outcome, team_scores=(1, 2)), 6, rehearse(Needs, seats=6).table.teams)


def test_scores_of_teams_are_kept_and_told() -> None:
    """The file of a match and the JSON of its end have them; a file of before has none."""
    outcome = rehearse(Needs, seats=6, answers=[1]).outcome
    plain = unpack(pack(plain_end(Ended(outcome, bytes(16), None))))["outcome"]
    assert outcome_of(plain, None, "tests") == outcome
    plain.pop("team_scores")
    assert outcome_of(plain, None, "tests") == replace(outcome, team_scores=None)
    said = end_data(Ended(outcome, bytes(16), None), Words(Translator("en"), "tests", [*"ABCDEF"]))
    assert said["outcome"]["team_scores"] == [1, 2, 2]


@dataclass(frozen=True, kw_only=True)
class Ropes(Options):
    """House rules that hang on teams."""

    long: bool = option(False, "A longer rope.")

    def problems(self, seats: int, teams: int) -> Iterable[Problem]:
        """A long rope needs three teams."""
        if self.long and teams != 3:
            yield Problem("long", "A long rope needs three teams, not {n}.", n=teams)


class Roped(Needs):
    """With those."""

    options = Ropes


def test_house_rules_know_the_teams() -> None:
    """A problem may depend on how many teams there are; a method with the old parameters is refused."""
    rehearse(Roped, seats=6, options={"long": True})
    with pytest.raises(OptionError, match="needs three teams, not 2"):
        rehearse(Roped, seats=4, options={"long": True})
    with pytest.raises(GameError, match=r"test_teams.py, line \d+: `problems` of Old gets the number"):

        class Old(Options):
            def problems(self, seats: int) -> Iterable[Problem]:  # type: ignore[override]  # as it was
                return ()
