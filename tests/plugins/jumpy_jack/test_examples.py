"""The worked examples of the source, as rehearsals, entry by entry."""

from __future__ import annotations

import pytest

from .course import Course_, order


def test_the_first_three_over_the_line_stand_on_the_podium_in_that_order() -> None:
    """The first horse is placed on square 1, the second on square 2, the third on square 3."""
    race = Course_("Y22 K21 R20", orders={0: "YKR", 1: "KYR"}).go("Y3 K4 R5")
    assert race.match.said()[1:] == [
        "P0 and P1 throw to see who goes first: 6, 1.",
        "P0 begins. And they're off!",
        "P0 throws a 3.",
        "Yellow (Y) thunders over the line: place 1!",
        "P1 throws a 4.",
        "Black (K) thunders over the line: place 2!",
        "P0 throws a 5.",
        "Red (R) thunders over the line: place 3!",
        "The race is over: yellow (Y), black (K), red (R).",
        "P0 wrote yellow (Y), black (K), red (R): 10 points.",
        "All three! That's a Jumpy Jack.",
        "P1 wrote black (K), yellow (Y), red (R): 2 points.",
    ]


@pytest.mark.parametrize(("paper", "points"), [("YGB", 2), ("YKB", 4), ("YKR", 10)])
def test_one_two_and_three_horses_on_predicted_squares(paper: str, points: int) -> None:
    """One gives 2 points, two give 4, three give 10."""
    assert Course_("R24", "YK...", orders={0: paper}).go("R1").points[0] == points


def test_two_on_a_square_block_all_that_follow() -> None:
    """A horse from behind can neither join them nor go past as long as they remain; then it can."""
    race = Course_("Y6 K6 R5")
    assert "R" not in race.throw(1)
    race.run("Y")
    assert "R" in race.throw(1)


def test_stop_takes_one_horse_that_alone_is_a_barrier() -> None:
    """Hedge 1 is occupied by one horse at a time, and blocks what comes from behind while it is."""
    race = Course_("Y2 K2").go("Y3")
    assert race.throw(3) == ["Y", "R", "G", "B"]
    assert "K" in race.run("Y").throw(3)


def test_double_blocked_is_not_moved_at_all() -> None:
    """If a barrier prevents the double move, the horse must not be moved at all."""
    race = Course_("Y10 K16 R16")
    assert "Y" not in race.throw(3)
    assert "Y" in race.run("K").throw(3)


def test_the_order_of_elimination_and_the_only_horse_left() -> None:
    """Square 5, then 4, then 3, then 2; four are out, and the only horse left stands on square 1."""
    race = Course_("Y14 K14 R13 G13").go("Y1 K1 R2 G2")
    assert race.podium == "BGRKY"
    assert race.match.said()[-5:] == [
        "Green (G) meets the hedge. The hedge wins: OUT, and down to place 2.",
        "Blue (B) is the only one left, and strolls to place 1.",
        "The race is over: blue (B), green (G), red (R).",
        "P0 wrote yellow (Y), black (K), red (R): 2 points.",
        "P1 wrote yellow (Y), black (K), red (R): 2 points.",
    ]


def test_restart_moves_again_with_the_next_throw() -> None:
    """It returns to the starting line and can be moved as of the next throw of the die."""
    race = Course_("Y19").go("Y1")
    assert race.at("Y") == 0
    assert race.go("Y6").at("Y") == 6


def test_four_players_in_two_teams_sit_crosswise() -> None:
    """Player 1, player 3, player 2, player 4: a player of the one team follows one of the other."""
    race = Course_(seats=4, teams=2)
    assert race.game.sides == ((0, 2), (1, 3))
    movers = []
    for _ in range(4):
        race.throw(1)
        movers.append(race.mover)
        race.run("Y")
    assert movers == [0, 1, 2, 3]


def test_with_two_out_the_next_one_out_is_third() -> None:
    """As soon as two horses have been eliminated, the next eliminated one comes in third."""
    race = Course_("R14", "...YK", orders={0: "GBR"}).go("R1 G1")
    assert race.podium == "..RYK"


def test_a_guess_of_all_three_gives_three_and_of_none_costs_one() -> None:
    """Each correct one gives a bonus point, three at the most; with none correct one point is lost."""
    race = Course_("R24", "YK...", orders={0: "GBY", 1: "BGY"}, guess="yes").go("R1")
    first, second = race.match.open
    race.match.play(
        {
            0: (1, order("BGY")),
            1: (0, order("YGB")),
        }
    )
    assert (first.seat, second.seat) == (0, 1)
    assert race.points == [3, -1]
