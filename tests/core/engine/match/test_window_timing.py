"""Windows at a table: the fastest hand wins over any lines, on any screens; nobody waits for ever."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.engine.match.races import Hand, Race, World

from tavolata import Refused
from tavolata._engine.match.entries import QUIET, REACT, SEAT, TIMEOUT
from tavolata._engine.match.match import Terms
from tavolata._engine.match.open_source import OpenSource
from tavolata._engine.match.source import TimedAnswer
from tavolata._engine.match.updates import WindowOpened
from tavolata._engine.match.window_timing import PATIENCE, WindowTiming
from tavolata._engine.match.worlds import new_match
from tavolata.bots import RandomBot
from tavolata.options import Options
from tavolata.reaction_times import FLOOR, GOES, SLACK

LINES = st.integers(0, 300).map(lambda ms: ms / 1000)
TAKES = st.lists(st.integers(FLOOR, 1500), min_size=3, max_size=3)


class Goes(Race):
    """One window, in which the first seat has the move."""

    rounds, goes = 1, True


def hands(slowest: int) -> st.SearchStrategy[list[Hand]]:
    """One to four honest hands, each on a line of its own, whose screens draw within so many milliseconds."""
    screens = st.integers(0, slowest).map(lambda ms: ms / 1000)
    return st.lists(st.builds(Hand, line=LINES, draws=screens, takes=TAKES), min_size=1, max_size=4)


@settings(max_examples=80, deadline=None)
@given(hands(SLACK))
def test_the_fastest_hand_wins_over_any_lines(them: list[Hand]) -> None:
    """Lines of up to 300 ms: each window goes to the least time, to the first seat if equal, and uncut."""
    world = World(them).run()
    assert world.peers
    assert all(peer.match.over for peer in world.peers)
    best = [min((hand.takes[number] or 0, seat) for seat, hand in enumerate(them)) for number in range(3)]
    assert world.results("winners") == [seat for _, seat in best]
    assert world.results("times") == [taken for taken, _ in best]
    assert not any(entry[0] == TIMEOUT for entry in world.log)


@settings(max_examples=60, deadline=None)
@given(LINES, TAKES, st.integers(0, 2000))
def test_a_liar_gains_no_more_than_the_slack(line: float, takes: list[int], claims: int) -> None:
    """Whatever it claims, what counts is what it took, less the slack at most."""
    world = World([Hand(), Hand(line=line, takes=takes, claims=min(claims, *takes))]).run()
    for taken, counted in zip(takes, world.results("times"), strict=True):
        assert counted >= max(FLOOR, taken - SLACK - 1)


@settings(max_examples=40, deadline=None)
@given(hands(900))
def test_the_next_window_waits_for_the_slowest_screen(them: list[Hand]) -> None:
    """No peer is shown the next number before all have drawn the last one."""
    world = World(them).run()
    for number in range(2):
        last_drawn = max(peer.drawn[number] for peer in world.peers)
        assert world.peers
        assert all(peer.opened[number + 1] >= last_drawn for peer in world.peers)


def test_by_arrival_the_near_one_would_win() -> None:
    """The far hand is faster, and comes later: it wins all the same."""
    world = World([Hand(takes=[400] * 3), Hand(line=0.2, takes=[300] * 3)]).run()
    assert [entry[1] for entry in world.claims()][::2] == [0, 0, 0]
    assert world.results("winners") == [1, 1, 1]


def test_whoever_goes_on_is_compared_like_who_reacts() -> None:
    """A move ends a window at its own time: a bang over a longer line counts if its hand was faster."""
    late = World([Hand(takes=[500], goes=True), Hand(line=0.2, takes=[501])], rounds=1, goes=True).run()
    assert late.results("winners") == [-1]
    quick = World([Hand(takes=[500], goes=True), Hand(line=0.2, takes=[499])], rounds=1, goes=True).run()
    assert quick.results("winners") == [1]


def test_a_peer_that_never_draws_costs_a_bounded_wait() -> None:
    """A screen that hangs holds nobody up for ever: the coordinator's patience ends the window."""
    world = World([Hand(takes=[300]), Hand(draws=1000.0)], rounds=1).run(60)
    assert world.results("winners") == [0]
    assert [entry[0] for entry in world.log].count(TIMEOUT) == 1
    assert world.now < PATIENCE + 2


def test_nobody_waits_for_who_is_away() -> None:
    """When the log says that a player is away, the window is decided without it."""
    world = World([Hand(takes=[300]), Hand(draws=1000.0)], rounds=1)
    world.after(0.6, lambda: world.order((SEAT, 1, "away")))
    world.run(60)
    assert world.results("winners") == [0]
    assert not any(entry[0] == TIMEOUT for entry in world.log)


def test_without_anybody_time_ends_a_window() -> None:
    """Nobody reacts: the window's own seconds end it, once, and the match goes on."""
    world = World([Hand(), Hand()], rounds=2).run(200)
    assert world.results("winners") == [-1, -1]
    assert [entry[0] for entry in world.log].count(TIMEOUT) == 2


def test_each_peer_speaks_once_of_each_claim() -> None:
    """Two who react cost two claims and four times "nothing earlier", no more."""
    world = World([Hand(takes=[300]), Hand(line=0.05, takes=[320])], rounds=1).run()
    kinds = [entry[0] for entry in world.log]
    assert kinds.count(REACT) == 2
    assert kinds.count(QUIET) <= 4


@pytest.mark.parametrize(("seat", "answer"), [(1, 0), (0, GOES), (0, 7)])
def test_what_is_not_ones_own_to_do_is_refused(seat: int, answer: int) -> None:
    """Another window, an answer that is none, a move that is another's: refused here, and nothing is said."""
    world = World([Hand(), Hand()], rounds=1)
    world.run(0.5)
    peer = world.peers[0]
    window = peer.match.source.window
    assert window is not None
    before = len(world.log)
    if seat == 0:
        with pytest.raises(Refused):
            peer.timing.react(window.id, seat, answer, 300)
    with pytest.raises(Refused):
        peer.timing.react(window.id + 1, 0, 0, 300)
    assert len(world.log) == before


def test_a_second_key_in_one_window_is_too_late() -> None:
    """One reaction a seat: the first stands."""
    world = World([Hand(), Hand()], rounds=1)
    world.run(0.5)
    peer = world.peers[0]
    window = peer.match.source.window
    assert window is not None
    peer.timing.react(window.id, 0, 0, 300)
    with pytest.raises(Refused, match="too late"):
        peer.timing.react(window.id, 0, 0, 350)


def test_who_comes_back_is_told_of_the_open_window_and_of_what_is_left_to_do() -> None:
    """Not before all were told of it, not of a seat that has reacted, and not once it is closed."""
    source = OpenSource(7, [None, None], lambda _: None, hold=True)
    match = new_match(Goes, Terms(("Ann", "Bob"), Options()), source, lambda _: None)
    timing = WindowTiming(match, source.feed, lambda: 0.0, lambda _, __: None)
    match.run()
    window = source.window
    assert window is not None
    assert timing.still_open((0, 1)) is None
    timing.opening((0, 1))
    assert timing.still_open((0, 1)) == WindowOpened(window, (0, 1))
    timing.react(window.id, 1, 0, 300)
    assert timing.still_open((0, 1)) == WindowOpened(window, (0,))
    timing.react(window.id, 0, GOES, 900)
    timing.drawn(window.id)
    timing.work((0, 1), (), keeps_time=True)
    match.run()
    assert source.window is None
    assert timing.still_open((0, 1)) is None


def test_a_bot_is_silent_once_its_machine_has_said_that_nothing_comes() -> None:
    """Of two bots on one machine one is before the person's move; the other, too late, breaks nothing."""
    now = 0.0
    reflexes: dict[int, TimedAnswer] = {1: (0, 719), 2: (0, 850)}
    source = OpenSource(7, [None, RandomBot(), RandomBot()], lambda _: None, hold=True)
    match = new_match(Goes, Terms(("Ann", "Bob", "Cleo"), Options()), source, lambda _: None)
    timing = WindowTiming(match, source.feed, lambda: now, lambda _, seat: reflexes[seat])
    match.run()
    assert source.window is not None
    timing.opening((0,))
    timing.drawn(source.window.id)
    timing.react(source.window.id, 0, GOES, 800)
    while not match.over and now < 2:
        now += 0.001
        timing.work(range(3), [1, 2], keeps_time=True)
        match.run()
    assert match.over
    assert isinstance(match.game, Goes)
    assert match.game.winners == [1]
