"""The tree of a thinker: ends that are known for sure, and playouts that say again what did best."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain, repeat
from random import Random

import pytest

from tavolata import (
    N_,
    Ask,
    Choice,
    Game,
    Options,
    Outcome,
    Seat,
    Table,
    Teams,
    View,
    Zone,
    one_of,
    option,
)
from tavolata._engine.match.replies import Replies
from tavolata._engine.match.search import Budget, WorldSearch, _Tally, usual_worth
from tavolata.bots import Bot, Chance, RandomBot, SearchBot
from tavolata.sim import Simulation


@dataclass(frozen=True, kw_only=True)
class Stones(Options):
    """How many lie there, and whether a die takes some away."""

    stones: int = option(10, "How many stones lie there.", low=2, high=20)
    wind: bool = option(False, "Whether a die takes one away now and then.")


class Nim(Game[Stones]):
    """Who takes the last stone wins."""

    name, title, seats, options = "nim", N_("Nim"), (2, 2), Stones
    left: int
    mover: Seat

    def setup(self, t: Table[Stones]) -> None:
        """Lay the stones."""
        self.left, self.mover = t.options.stones, t.first_seat

    async def turn(self, t: Table[Stones]) -> Outcome | None:
        """One to three stones are taken."""
        if t.options.wind and self.left > 1 and await t.randrange(6) == 0:
            self.left -= 1
        self.left -= await t.ask(
            self.mover,
            one_of([Choice(number) for number in range(1, min(3, self.left) + 1)]),
            N_("How many do you take?"),
            N_("{seat} takes some."),
            seat=self.mover,
        )
        if not self.left:
            return Outcome((self.mover,))
        self.mover = t.ring.next(self.mover)
        return None

    def zones(self, t: Table[Stones], viewer: Seat | None) -> Iterable[Zone]:
        """Nothing to see."""
        return ()


@dataclass(frozen=True, kw_only=True)
class Ends(Options):
    """Who wins."""

    wins: int = option(1, "Which seat wins, counted from the first to move.", low=0, high=1)


class Fuse(Game[Ends]):
    """Whoever begins says how long it takes until one of the two has won, whatever anybody does."""

    name, title, seats, options = "fuse", N_("Fuse"), (2, 2), Ends
    left: int
    mover: Seat

    def setup(self, t: Table[Ends]) -> None:
        """Nothing burns yet."""
        self.left, self.mover, self.first = 0, t.first_seat, t.first_seat

    async def turn(self, t: Table[Ends]) -> Outcome | None:
        """The first answer is the length; the others are of no use."""
        said = await t.ask(
            self.mover,
            one_of([Choice(number) for number in ((1, 2) if self.left else (2, 4, 3, 1))]),
            N_("How long?"),
            N_("{seat} waits."),
            seat=self.mover,
        )
        self.left = self.left - 1 if self.left else int(said)
        if not self.left:
            return Outcome((t.ring.after(self.first, t.options.wins),))
        self.mover = t.ring.next(self.mover)
        return None

    def zones(self, t: Table[Ends], viewer: Seat | None) -> Iterable[Zone]:
        """Nothing to see."""
        return ()


class Fork(Game[Options]):
    """One way is long; the other one ends the match at once."""

    name, title, seats = "fork", N_("Fork"), (2, 2)
    left: int

    def setup(self, t: Table[Options]) -> None:
        """It's a hundred steps."""
        self.left = 100

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """All can be gone in the first turn alone."""
        self.left -= await t.ask(
            t.first_seat,
            one_of([Choice(1), Choice(100 if self.left == 100 else 2)]),
            N_("How far?"),
            N_("{seat} goes."),
            seat=t.first_seat,
        )
        return None if self.left > 0 else Outcome((t.first_seat,))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        """Nothing to see."""
        return ()


class First(Bot):
    """Always says the first thing."""

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """What is first."""
        return ask.question.nth(0)


class Ahead(SearchBot):
    """A bot that looks ahead, by no clock."""

    playouts = 60
    looks_ahead = True


class Three(Bot):
    """Takes three where it can, else anything."""

    def choose(self, view: View[Nim], ask: Ask[int], chance: Chance) -> int:
        """What it takes."""
        legal = view.legal(ask)
        return 3 if 3 in legal else chance.pick(legal)


def at(stones: int, wind: bool = False) -> tuple[Simulation[Nim], View[Nim], Ask[int]]:
    """A match with so many stones, and its first question."""
    match = Simulation(Nim, options=Stones(stones=stones, wind=wind), seed=1)
    ask = match.open[0]
    return match, match.view(ask.seat), ask


@pytest.mark.parametrize("stones", range(2, 7))
def test_ends_are_backed_up_to_the_root(stones: int) -> None:
    """Whether the first to move wins is known for sure, and the search is over when it is."""
    _, view, ask = at(stones)
    bot = Ahead()
    bot.playouts = 2000
    thought = bot.weigh(view, ask, Chance(1))
    best = thought.weighed[0]
    assert best.wins == (1 if stones % 4 else 0)
    assert not stones % 4 or ask.question.nth(best.number) == stones % 4
    assert thought.playouts < 500


@pytest.mark.parametrize(("wins", "length"), [(0, 1), (1, 4)])
def test_a_win_comes_soon_and_a_loss_late(wins: int, length: int) -> None:
    """Where all answers win the quickest is given, and where all lose the one that holds out longest."""
    bot = Ahead()
    bot.playouts = 3000
    for seed in range(5):
        match = Simulation(Fuse, options=Ends(wins=wins), seed=seed)
        ask = match.open[0]
        best = bot.weigh(match.view(ask.seat), ask, Chance(seed)).weighed[0]
        assert (best.wins, ask.question.nth(best.number)) == (1 - wins, length)


def test_playouts_that_answer_well_find_more() -> None:
    """Of ten stones two must be taken: 60 playouts find it with 17 of 20 seeds, random ones with 12."""
    _, view, ask = at(10)
    found = [ask.question.nth(Ahead().weigh(view, ask, Chance(seed)).weighed[0].number) for seed in range(20)]
    assert found.count(2) >= 16


def test_the_same_chance_gives_the_same_thought() -> None:
    """Nothing of a search stays behind for the next one."""
    _, view, ask = at(13)
    bot = Ahead()
    assert len({bot.weigh(view, ask, Chance(3)) for _ in range(3)}) == 1


def test_only_guesses_are_replaced() -> None:
    """What the other bot says without random numbers stands, however badly it did."""
    _, view, ask = at(6)
    for policy, expected in ((Three(), {3}), (RandomBot(), {1})):
        replies = Replies(policy, 1000)
        for value in (1, 2, 3):
            replies.begin()
            replies.note(view, ask, value)
            replies.learn({0: 500 if value == 1 else 0, 1: 0})
        said = set()
        for key in range(8):
            replies.begin()
            said.add(replies.choose(view, ask, Chance(key)))
        assert said == expected


def test_a_reply_is_to_the_answer_before() -> None:
    """What did best after one answer is not said after another one; what was never tried comes first."""
    match, view, ask = at(10)
    replies = Replies(RandomBot(), 1000)
    for first, second, worth in ((1, 3, 900), (1, 2, 0), (1, 1, 0), (2, 2, 900), (2, 3, 0), (2, 1, 0)):
        replies.begin()
        replies.note(view, ask, first)
        replies.note(view, ask, 1)
        replies.note(view, ask, second)
        replies.learn({0: worth, 1: worth})
    for first, expected in ((1, {3}), (2, {2})):
        replies.begin()
        replies.note(view, ask, first)
        replies.note(view, ask, 1)
        assert {replies.best(view, ask, Chance(key)) for key in range(8)} == expected
    replies.begin()
    replies.note(view, ask, 3)
    assert replies.best(view, ask, Chance(1)) in {1, 2, 3}
    assert match.outcome is None


def test_nobody_replies_to_what_is_sealed() -> None:
    """An answer under seal is neither replied to nor counted."""
    _, view, ask = at(10)
    sealed = Ask(ask.id, ask.seat, ask.question, ask.you, sealed=True)
    replies = Replies(RandomBot(), 1000)
    for first, worth in ((2, 900), (3, 0), (1, 0)):
        replies.begin()
        replies.note(view, sealed, 2)
        replies.note(view, ask, first)
        replies.learn({0: worth, 1: worth})
    replies.begin()
    replies.note(view, sealed, 3)
    assert {replies.best(view, ask, Chance(key)) for key in range(8)} == {2}


def test_with_luck_the_guesses_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a game with dice nothing is learned: what did best there did so by luck."""
    learned: list[int] = []
    monkeypatch.setattr(Replies, "learn", lambda *_: learned.append(1))
    for wind in (False, True):
        learned.clear()
        _, view, ask = at(13, wind)
        assert Ahead().weigh(view, ask, Chance(1)).playouts == 60
        assert bool(learned) is not wind


def test_where_the_time_is_over_in_the_first_world_nothing_is_compared() -> None:
    """The adviser's answer leads far, another one to the end at once: only the other one could be tried."""
    simulation = Simulation(Fork, 2)
    ask = simulation.open[0]
    times = chain([0.0, 0.0], repeat(2.0))
    budget = Budget(1.0, 0, lambda: next(times))
    view = simulation.view(ask.seat)
    thought = WorldSearch(view, ask, RandomBot(), usual_worth, Chance(1), budget, First()).halved()
    assert (thought.weighed, thought.playouts) == ((), 2)


class Tug(Game[Options]):
    """Two pull against two, and one of them says who wins."""

    name, title, seats, teams = "tug", N_("Tug"), (4, 4), Teams(counts=(2,), size=(2, 2))

    def setup(self, t: Table[Options]) -> None:
        """Nothing lies on the table."""

    async def turn(self, t: Table[Options]) -> Outcome | None:
        """Its team or the other one."""
        return Outcome(t.team(await t.ask(t.ring[0], one_of(t.ring))))


@pytest.mark.parametrize("ahead", [False, True])
def test_a_team_that_wins_alone_has_a_whole_win(ahead: bool) -> None:
    """People read the share of wins in percent: an answer that surely wins has a hundred."""
    simulation, bot = Simulation(Tug, 4, teams=2), SearchBot()
    bot.playouts, bot.looks_ahead = 40, ahead
    ask = simulation.open[0]
    weighed = bot.weigh(simulation.view(ask.seat), ask, Chance(1)).weighed
    found = {one.number: (one.wins, one.worth) for one in weighed if one.visits}
    assert found[0] == (1.0, 1000)
    assert found.items() <= {(number, (1.0 - number % 2, 1000 - 1000 * (number % 2))) for number in range(4)}
    assert ahead or len(found) == 4  # a tree stops at the first sure win


def test_a_team_wins_by_the_points_of_all_its_seats() -> None:
    """Where the fewest win together, fewer are better also for who has the most of its team, or of all."""
    for fewer, more in ((0, 1), (8, 9)):
        one, other = (ended((0, 2), points, 3, 0, 9) for points in (fewer, more))
        assert usual_worth(one, 0, 2) > usual_worth(other, 0, 2)


@pytest.mark.parametrize(("others", "worlds"), [(1, 20), (5, 20), (40, 20), (5, 8), (40, 8)])
def test_the_luckiest_of_many_is_not_better(others: int, worlds: int) -> None:
    """Where all answers are worth the same, the best of the others hardly ever stands out."""
    lots, left = Random(1), 0
    for _ in range(200):
        tallies = [_Tally() for _ in range(others + 1)]
        for tally in tallies:
            for world in range(worlds):
                tally.add(lots.randrange(1000), 0, world)
        advised, *tried = tallies
        best = max(tried, key=lambda one: one.mean)
        left += best.clearly_better(advised, others)
    assert left <= 200 // 4


def ended(winners: tuple[int, ...], *scores: int) -> Outcome:
    """A match that ended so; without scores, points were not counted."""
    return Outcome(tuple(map(Seat, winners)), scores=scores or None)


@pytest.mark.parametrize(("better", "worse", "seats"), [
    (ended((0,), 11, 10), ended((1,), 10, 11), 2),
    (ended((0,), 11, 10), ended((1,), 29, 30), 2),
    (ended((0,), 20, 10), ended((0,), 11, 10), 2),
    (ended((1,), 10, 11), ended((1,), 10, 20), 2),
    (ended((0,), 3, 9, 8), ended((1,), 4, 3, 19), 3),
    (ended((0, 1), 5, 5, 1), ended((1,), 4, 5, 1), 3),
    (ended((0, 1), 9, 9), ended((0, 1), 5, 5), 2),
    (ended((0, 1, 2), 5, 5, 5), ended((), 9, 9, 9), 3),
    (ended((0,)), ended(()), 2),
    (ended((0, 1, 2, 3, 4)), ended(()), 5),
    (ended((0, 1)), ended((0, 1, 2)), 3),
    (ended(()), ended((1,)), 2),
])  # fmt: skip
def test_above_all_a_win_then_points(better: Outcome, worse: Outcome, seats: int) -> None:
    """A win by a hair is worth more than a defeat by one, and of two alike the one with the greater lead."""
    assert usual_worth(better, 0) > usual_worth(worse, 0)
    worths = [usual_worth(one, seat) for one in (better, worse) for seat in range(seats)]
    assert min(worths) >= 0
    assert max(worths) <= 1000
