"""What holds in every race of Jumpy Jack, whatever the board, the players and the throws."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.replaying import replay

from tavolata import Track
from tavolata._engine.match.dealing import OneDealer
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.simulate import play
from tavolata._engine.match.worlds import new_match
from tavolata.bots import Bot, RandomBot
from tavolata_jumpy_jack.board import COURSES, HORSES, Course, Fate
from tavolata_jumpy_jack.bots import EasyBot, HardBot, NormalBot
from tavolata_jumpy_jack.moves import FREE, Standing, barrier, is_barrier, movable, moved, steps
from tavolata_jumpy_jack.options import JumpyJackOptions, Length, Start
from tavolata_jumpy_jack.orders import ORDER, bonus, right, worth
from tavolata_jumpy_jack.rules import JumpyJack

seeds = st.integers(0, 2**32)
courses = st.sampled_from(list(COURSES.values()))
throws = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 4)), max_size=120)
tables = st.lists(st.sampled_from([RandomBot, EasyBot, NormalBot]), min_size=2, max_size=8)
options = st.builds(
    JumpyJackOptions,
    board=st.sampled_from(Length),
    guess=st.booleans(),
    start=st.sampled_from(Start),
    points=st.integers(2, 20),
)
quick = settings(max_examples=60, deadline=None)


def ridden(course: Course, rides: list[tuple[int, int]]) -> list[tuple[Standing, int, int, Standing]]:
    """A race: each throw is given to one of the horses that may run; with all standings."""
    standing, story = Standing(), []
    for throw, pick in rides:
        if standing.over:
            break
        ways = movable(course, standing, throw)
        horse = ways[pick % len(ways)]
        after = moved(course, standing, horse, throw)
        story.append((standing, throw, horse, after))
        standing = after
    return story


@quick
@given(courses, throws)
def test_a_throw_is_never_lost(course: Course, rides: list[tuple[int, int]]) -> None:
    """Before every throw of a race each number can move the horse that is furthest on."""
    for standing, *_ in ridden(course, rides):
        ahead = max(standing.racing, key=lambda horse: standing.at[horse])
        for throw in range(1, 7):
            assert ahead in movable(course, standing, throw)


@quick
@given(courses, throws)
def test_squares_hold_what_they_may(course: Course, rides: list[tuple[int, int]]) -> None:
    """Never three on a square, two on STOP, or one on OUT and RESTART; a horse is on track or podium."""
    for *_, after in ridden(course, rides):
        for square in range(1, course.squares + 1):
            fate, horses = course.fate(square), after.at.count(square)
            assert horses <= {Fate.STOP: 1, Fate.OUT: 0, Fate.RESTART: 0}.get(fate, 2)
        assert after.at
        assert all(Track.OFF <= square <= course.squares for square in after.at)
        for horse in range(5):
            assert (after.at[horse] == Track.OFF) == (horse in after.podium)
        placed = [horse for horse in after.podium if horse != FREE]
        assert len(set(placed)) == len(placed)


@quick
@given(courses, throws)
def test_barriers_are_respected(course: Course, rides: list[tuple[int, int]]) -> None:
    """Whoever moved had no barrier up to its end; whoever may not has one within its way."""
    for before, throw, horse, _ in ridden(course, rides):
        for other in before.racing:
            end = before.at[other] + steps(course, before, other, throw)
            way = range(before.at[other] + 1, end + 1)
            walls = [square for square in way if is_barrier(course, before, square)]
            assert barrier(course, before, other, throw) == (walls[0] if walls else None)
            assert not (walls and other == horse)


@quick
@given(courses, throws)
def test_a_move_is_exact_and_doubled_from_double_alone(course: Course, rides: list[tuple[int, int]]) -> None:
    """The chosen horse runs as far as thrown, twice so from DOUBLE; nobody else stirs on the track."""
    for before, throw, horse, after in ridden(course, rides):
        far = 2 * throw if before.at[horse] == course.double else throw
        fate = course.fate(before.at[horse] + far)
        if fate in (Fate.GRASS, Fate.STOP, Fate.DOUBLE):
            assert after.at[horse] == before.at[horse] + far or len(after.racing) == 0
        elif fate is Fate.RESTART:
            assert after.at[horse] == 0
        else:
            assert after.at[horse] == Track.OFF
        for other in range(5):
            assert other == horse or after.at[other] in (before.at[other], Track.OFF)


@quick
@given(courses, throws)
def test_places_fill_from_both_ends(course: Course, rides: list[tuple[int, int]]) -> None:
    """Arrivals take the lowest free square, OUT the highest; what was placed stays; three make the end."""
    for before, throw, horse, after in ridden(course, rides):
        for was, is_ in zip(before.podium, after.podium, strict=True):
            assert was in (FREE, is_)
        if after.at[horse] == Track.OFF:
            fate = course.fate(before.at[horse] + steps(course, before, horse, throw))
            free = [place for place in range(5) if before.podium[place] == FREE]
            assert after.podium.index(horse) == (free[0] if fate is Fate.FINISH else free[-1])
        assert after.over == (FREE not in after.podium[:3])
        assert after.over or len(after.racing) > 1


@quick
@given(st.integers(0, 59), st.integers(0, 59))
def test_points_are_what_they_can_be(one: int, other: int) -> None:
    """A prediction is worth 0, 2, 4 or 10, a guess -1, 1, 2 or 3, and ten and three mean the same order."""
    first, second = (ORDER.nth(number) for number in (one, other))
    assert worth(first, second) in (0, 2, 4, 10)
    assert bonus(first, second) in (-1, 1, 2, 3)
    assert (worth(first, second) == 10) == (bonus(first, second) == 3) == (first == second)
    assert right(first, second) == right(second, first)


@pytest.mark.battery
@settings(max_examples=25, deadline=None)
@given(options, tables, seeds, st.integers(0, 4))
def test_matches_end_with_the_points_that_the_rules_say(
    rules: JumpyJackOptions, bots: list[type[Bot]], seed: int, teams: int
) -> None:
    """The winner has enough, more than all others, and mates share; its replay ends in the same state."""
    teams = teams if JumpyJack.teams.fit(teams, len(bots)) else 0
    played = play(JumpyJack, rules, [bot() for bot in bots], seed, teams)
    game: Any = played.match.game
    best = max(game.points)
    assert best >= rules.points
    assert game.points.count(best) == 1
    assert played.outcome.winners == game.sides[game.points.index(best)]
    assert played.outcome.scores == tuple(game.points[game.side_of(seat)] for seat in range(len(bots)))
    again = new_match(JumpyJack, played.match.terms, LogSource(len(bots), OneDealer()))
    replay(again, played.log)
    assert again.digest() == played.match.digest()


@pytest.mark.battery
@settings(max_examples=25, deadline=None)
@given(options, tables, seeds)
def test_the_moves_that_all_have_seen_make_the_standing(
    rules: JumpyJackOptions, bots: list[type[Bot]], seed: int
) -> None:
    """After every turn the race's moves, made again, lead to where the horses are; the mover goes round."""
    source = OpenSource(seed, [bot() for bot in bots], lambda _: None)
    match = new_match(JumpyJack, Terms(tuple("ABCDEFGH"[: len(bots)]), rules), source)
    game: Any = match.game

    def look() -> None:
        standing = Standing()
        for _, throw, horse in game.moves:
            standing = moved(COURSES[rules.board], standing, horse, throw)
        assert standing == game.standing
        assert [game.track.where(horse.value) for horse in HORSES] == list(standing.at)
        assert game.mover == (game.moves[-1][0] + 1) % len(bots)
        assert standing.over != game.racing

    match.on_turn = look
    match.run()
    assert match.outcome is not None


@pytest.mark.battery
def test_a_hard_bot_plays_every_kind_of_table() -> None:
    """Alone, in teams and guessing, on all boards, it plays whole matches and says no illegal word."""
    for length, teams, seats in zip(Length, (0, 2, 0), (2, 4, 5), strict=True):
        rules = JumpyJackOptions(board=length, guess=True, points=2)
        assert play(JumpyJack, rules, [HardBot() for _ in range(seats)], seats, teams).outcome.winners
