"""Matches between bots that would never end: each is cut short, whoever plays it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from tavolata import N_, Ask, Game, Options, Outcome, Seat, Table, View, Zone, one_of
from tavolata._engine.match.open_source import MOST_ANSWERS, Unended
from tavolata._engine.match.search import Budget, WorldSearch, usual_worth
from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, Chance, RandomBot, SearchBot
from tavolata.sim import Simulation


class Waits(Game[Options]):
    """It ends when someone says so, and is worth nothing until then."""

    name, title, seats = "waits", N_("Waits"), (2, 2)

    def setup(self, t: Table[Options]) -> None:
        """Nothing was asked yet."""
        self.asked = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Ask the same thing again."""
        self.asked += 1
        return Outcome((t.first_seat,)) if await t.ask(t.first_seat, one_of([False, True])) else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        """Nothing to see."""
        return ()


class Races(Waits):
    """It never asks anything, and opens a window each turn."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Whatever comes of the window, another one follows."""
        self.asked += 1
        await t.react({seat: one_of([True]) for seat in t.ring}, N_("Now!"), seconds=1)
        return None


class Dawdles(Bot):
    """It never ends a match, and counts its answers."""

    level, answers = "dawdles", 0

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        """Say no."""
        Dawdles.answers += 1
        return False


class Ends(Bot):
    """It ends a match with its first answer."""

    level = "ends"

    def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
        """Say yes."""
        return True


@pytest.mark.battery
@pytest.mark.parametrize("rules", [Waits, Races])
def test_a_match_of_bots_that_never_ends_is_stopped_and_tells_its_seed(rules: type[Game[Any]]) -> None:
    """It counts as endless after as many answers, or windows, as the kit's longest match has entries."""
    with pytest.raises(Unended, match=rf"{rules.name} with seed 7 hasn't ended after {MOST_ANSWERS}"):
        play(rules, rules.options(), [Dawdles(), Dawdles()], 7)


def test_a_playout_stops_when_its_patience_ends() -> None:
    """Between two answers somebody may stop it; a match that ends before is not disturbed."""
    Dawdles.answers = 0
    patience = iter([True, True, False])
    assert Simulation(Waits, 2, seed=1).rollout(Dawdles(), Chance(1), patient=lambda: next(patience)) is None
    assert Dawdles.answers == 3
    whole = Simulation(Waits, 2, seed=1).rollout(Ends(), Chance(1), patient=lambda: False)
    assert isinstance(whole, Outcome)


def test_a_playout_of_so_many_answers_stops_when_its_patience_ends() -> None:
    """So it does where rules can score a match that isn't over, and a playout has a number of answers."""
    Dawdles.answers = 0
    patience = iter([True, False])
    match = Simulation(Waits, 2, seed=1)
    assert match.rollout(Dawdles(), Chance(1), steps=1000, patient=lambda: next(patience)) is None
    assert Dawdles.answers == 2


def test_a_copy_of_what_was_stopped_can_be_played_on() -> None:
    """Only the world that was cut short is lost."""
    match = Simulation(Waits, 2, seed=1)
    assert match.clone().rollout(Dawdles(), Chance(1), patient=lambda: False) is None
    assert isinstance(match.rollout(RandomBot(), Chance(1)), Outcome)


@pytest.mark.parametrize("ahead", [True, False])
def test_a_search_looks_at_its_clock_in_the_middle_of_a_playout(ahead: bool) -> None:
    """Its time is over soon after the end, though its policy would never end; then the policy answers."""
    now = [0.0]

    class Ticks(Dawdles):
        def choose(self, view: View[Any], ask: Ask[Any], chance: Chance) -> Any:
            now[0] += 1.0
            return super().choose(view, ask, chance)

    match = Simulation(Waits, 2, seed=1)
    ask, budget = match.open[0], Budget(1000.0, 0, lambda: now[0])
    search = WorldSearch(match.view(ask.seat), ask, Ticks(), usual_worth, Chance(1), budget)
    thought = search.in_a_tree() if ahead else search.halved()
    assert now[0] <= 1000 + 2
    assert 0 not in [one.number for one in thought.weighed]  # the answer after which nothing ends


@pytest.mark.parametrize("ahead", [True, False])
def test_a_thinker_whose_playouts_never_end_answers_nevertheless(ahead: bool) -> None:
    """What could not be played to its end is dropped; of two answers the one that ends it is left."""

    class Thinks(SearchBot):
        level, playouts, policy, looks_ahead = "thinks", 4, Dawdles(), ahead

    match = Simulation(Waits, 2, seed=1)
    ask = match.open[0]
    assert Thinks().choose(match.view(ask.seat), ask, Chance(1)) is True


def test_a_playout_without_end_is_an_error_with_a_name() -> None:
    """`playout` promises an outcome, so it says what is wrong."""

    class Stubborn(Waits):
        async def turn(self, t: Table[Options]) -> Outcome | None:
            """Nothing ends it."""
            await t.ask(t.first_seat, one_of([False, True]))
            return None

    with pytest.raises(Unended, match="waits hasn't ended after"):
        Simulation(Stubborn, 2, seed=1).playout(Chance(1))
