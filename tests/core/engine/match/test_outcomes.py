"""Outcomes: what the rules return is checked, and points make winners and ranks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.test_table import played

from tavolata import Award, Game, Options, Outcome, Seat, Table, Teams, text
from tavolata.decks import Suit
from tavolata.errors import GameError
from tavolata.testing import rehearse

TWO = (Seat(0), Seat(1))


def ends_with(outcome: Any) -> type[Game[Any]]:
    """A game that ends at once, and so."""

    class Ends(Game[Options]):
        name, title, seats = "ends", "Ends", (2, 4)

        def setup(self, t: Table[Options]) -> None:
            """Nothing lies on the table."""

        async def turn(self, t: Table[Options]) -> Any:
            """Return it."""
            return outcome

    return Ends


@pytest.mark.parametrize(
    ("outcome", "why"),
    [
        ((TWO[0],), "no `Outcome`"),
        (Outcome((Seat(7),)), "no seat"),
        (Outcome((TWO[0], TWO[0])), "twice"),
        (Outcome((), scores=(1,)), "scores of 2 seats"),
        (Outcome((), scores=(1, 0.5)), "whole numbers"),  # type: ignore[arg-type] # that is what is wrong
        (Outcome((), scores=(1, 2**63)), "of 64 bits"),
        (Outcome((), scores=(-(2**63) - 1, 1)), "of 64 bits"),
        (Outcome((), team_scores=(1, 2**63)), "of 64 bits"),
        (Outcome((), statistics={"Deaths": (None, 2**63)}), "of 64 bits"),
        (Outcome((), series={"Points": ((1, 2), (1, 2**63))}), "of 64 bits"),
        (Outcome((), ranks=(1, 3)), "between 1 and 2"),
        (Outcome((TWO[1],), ranks=(1, 2)), "rank 1"),
        (Outcome([TWO[0]]), "no seat"),  # type: ignore[arg-type] # that is what is wrong
        (Outcome((), awards=(Award("Nerves", Seat(5)),)), "award"),
        (Outcome((), awards=(Award("Nerves", TWO[0], why="{n} times"),)), "no value for {n}"),
        (Outcome((), awards=[Award("Nerves", TWO[0])]), "tuple of `Award`"),  # type: ignore[arg-type] # so it is
        (Outcome((), awards=(Award("Nerves", TWO[0], n=0.5),)), "holds a float"),
        (Outcome((), statistics={"Deaths": (1,)}), "'Deaths'"),
        (Outcome((), statistics={"Deaths": (1, "two")}), "'Deaths'"),  # type: ignore[dict-item] # so it is
        (Outcome((), statistics={"Deaths": (1, True)}), "'Deaths'"),
        (Outcome((), statistics={"{n} deaths": (1, 2)}), "without fields"),
        (Outcome((), statistics={str(number): (1, 2) for number in range(25)}), "24 statistics"),
        (Outcome((), why="Ann gave up."), "is a `Text`"),  # type: ignore[arg-type] # that is what is wrong
        (Outcome((), why=text("{seat} gave up.")), "no value for {seat}"),
        (Outcome((), why=text("{seat} gave up.", seat={TWO[0]})), "holds a set"),
        (Outcome((), series={"Points": [(1, 2)]}), "tuple of rows"),  # type: ignore[dict-item] # so it is
        (Outcome((), series={"Points": ((1, 2), (1,))}), "'Points'"),
        (Outcome((), series={"Points": ((1, 2),) * 201}), "200 rows"),
        (Outcome((), series={str(number): () for number in range(5)}), "4 series"),
    ],
)
def test_what_can_be_no_outcome_is_an_error_of_the_game(outcome: Any, why: str) -> None:
    """It is refused where the rules return it, on every machine."""
    with pytest.raises(GameError, match=why):
        rehearse(ends_with(outcome), seats=2)


def test_a_whole_outcome_passes() -> None:
    """Statistics with gaps, 4 series of 200 rows, awards and a reason with plain values are kept."""
    outcome = Outcome(
        (TWO[1],), scores=(2**63 - 1, -(2**63)), ranks=(2, 1),
        statistics={str(number): (None, number) for number in range(24)},
        awards=(Award("Nerves", TWO[0], why="{n} times, {face}", n=3, face=Suit.CLUBS),),
        series={str(number): ((1, 2),) * 200 for number in range(4)},
        why=text("{seat} gave up.", seat=TWO[0]),
    )  # fmt: skip
    assert rehearse(ends_with(outcome), seats=2).outcome == outcome


def test_a_team_wins_whole() -> None:
    """Some of a team can't win without the others; without teams they can."""
    game = ends_with(Outcome((Seat(0), Seat(1))))
    game.teams = Teams((2,), size=(2, 2))
    with pytest.raises(GameError, match="A team wins whole"):
        rehearse(game, seats=4, teams=2)
    assert rehearse(game, seats=4).outcome == Outcome((Seat(0), Seat(1)))
    whole = ends_with(Outcome((Seat(0), Seat(2))))
    whole.teams = Teams((2,), size=(2, 2))
    assert rehearse(whole, seats=4, teams=2).outcome == Outcome((Seat(0), Seat(2)))


def test_points_of_a_team_are_added() -> None:
    """Seats 0 and 2 have 5 together and win, though seat 1 has most; a team shares its rank."""

    class Counts(ends_with(None)):  # type: ignore[misc] # a class made by a function is a base all the same
        teams = Teams((2,), size=(2, 2))

        async def turn(self, t: Table[Options]) -> Any:
            return Outcome.by_score(t, (3, 4, 2, 0))

    outcome = rehearse(Counts, seats=4, teams=2).outcome
    assert outcome == Outcome((Seat(0), Seat(2)), scores=(3, 4, 2, 0), ranks=(1, 2, 1, 2))
    alone = rehearse(Counts, seats=4).outcome
    assert alone == Outcome((Seat(1),), scores=(3, 4, 2, 0), ranks=(2, 1, 3, 4))


@pytest.mark.parametrize(
    ("scores", "lowest", "winners", "ranks"),
    [
        ((3, 9, 3), False, (1,), (2, 1, 2)),
        ((3, 9, 3), True, (0, 2), (1, 3, 1)),
        ((0, 0, 0), False, (0, 1, 2), (1, 1, 1)),
    ],
)
def test_points_make_winners_and_ranks(scores: Any, lowest: bool, winners: Any, ranks: Any) -> None:
    """Who has most, or least, wins; who ties shares a rank, and the next one is left out."""

    async def count(_: Any, t: Any) -> Outcome:
        return Outcome.by_score(t, scores, lowest=lowest)

    outcome = played(count, seats=3).game.got
    assert outcome == Outcome(tuple(map(Seat, winners)), scores=scores, ranks=ranks)
    with pytest.raises(GameError, match="3 scores for 2 seats"):
        played(count, seats=2)
