"""Outcomes: what the rules return is checked, and points make winners and ranks."""

from __future__ import annotations

from typing import Any

import pytest
from tests.core.test_table import played

from tavolata import Award, Game, Options, Outcome, Seat, Table
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
        (Outcome((), ranks=(1, 3)), "between 1 and 2"),
        (Outcome((TWO[1],), ranks=(1, 2)), "rank 1"),
        (Outcome((), awards=(Award("Nerves", Seat(5)),)), "award"),
        (Outcome((), series={"Points": ((1, 2), (1,))}), "'Points'"),
        (Outcome((), series={"Points": ((1, 2),) * 201}), "200 rows"),
        (Outcome((), series={str(number): () for number in range(5)}), "4 series"),
    ],
)
def test_what_can_be_no_outcome_is_an_error_of_the_game(outcome: Any, why: str) -> None:
    """It is refused where the rules return it, on every machine."""
    with pytest.raises(GameError, match=why):
        rehearse(ends_with(outcome), seats=2)


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
