"""Those who play Jumpy Jack without being people."""

from __future__ import annotations

from math import fsum, isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata import Ask, Branch, View
from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, Chance
from tavolata_jumpy_jack import tavolata_bots
from tavolata_jumpy_jack.board import COURSES, Course
from tavolata_jumpy_jack.bots import EasyBot, HardBot, NormalBot
from tavolata_jumpy_jack.foresight import after_next_throw, odds, promise, reasons
from tavolata_jumpy_jack.moves import Standing, movable, moved
from tavolata_jumpy_jack.options import JumpyJackOptions
from tavolata_jumpy_jack.orders import ORDERS, horses_of
from tavolata_jumpy_jack.rules import JumpyJack
from tavolata_jumpy_jack.suspicion import Suspicion, best_guess

from .course import LETTERS, STANDARD, Course_, order, standing

BOTS = (EasyBot, NormalBot, HardBot)


def chosen(bot: Bot, race: Course_) -> str:
    """The letter of the horse that this bot moves here."""
    ask = race.match.open[0]
    horse = bot.choose(race.match.views(ask.seat), ask, Chance(1))
    return next(letter for letter, one in LETTERS.items() if one is horse)


def test_levels_differ() -> None:
    """Each bot of the package is for this game and has a name of its own."""
    bots = list(tavolata_bots())
    assert {game for game, _ in bots} == {"jumpy-jack"}
    assert [bot.level for _, bot in bots] == ["easy", "normal", "hard"]


def test_the_easy_bot_spurs_its_own_horses_into_anything() -> None:
    """It moves its first horse, also into the hedge; if none of its own may run, any other."""
    race = Course_("Y14", orders={0: "YKR"})
    race.throw(1)
    assert chosen(EasyBot(), race) == "Y"
    race = Course_("Y5 K4 R4 G6", orders={0: "KRB"})
    race.throw(1)
    assert chosen(EasyBot(), race) == "B"


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_better_bots_look_at_the_hedges(bot: type[Bot]) -> None:
    """They keep their own horse off OUT, and finish with it when they can."""
    race = Course_("Y14 K3", orders={0: "YKR"})
    race.throw(1)
    assert chosen(bot(), race) != "Y"
    race = Course_("Y22 K21", orders={0: "YKR"})
    race.throw(4)
    assert chosen(bot(), race) == "Y"


@pytest.mark.parametrize("bot", BOTS)
def test_who_may_not_see_the_paper_plays_all_the_same(bot: type[Bot]) -> None:
    """A bot that stands in for somebody, without the paper, still moves a legal horse."""
    race = Course_()
    race.throw(3)
    race.match.match.source.sealed[0].clear()
    assert chosen(bot(), race) in "YKRGB"


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_is_a_function_of_its_view(bot: type[Bot]) -> None:
    """A new bot in mid-race does what one does that has followed it, and so does one from another match."""
    first, other = bot(), bot()
    race = Course_("Y3 K7 G9", seats=3, orders={0: "GKY", 1: "RBY", 2: "BRG"})
    stranger = Course_("Y9 K1", seats=3)
    stranger.throw(2)
    chosen(other, stranger)
    for throw in (3, 5, 2, 6, 4):
        race.throw(throw)
        horse = chosen(first, race)
        assert horse == chosen(bot(), race) == chosen(other, race)
        race.run(horse)


def test_the_hard_bot_reads_a_prediction_from_the_moves() -> None:
    """Somebody who keeps a horse off OUT and pushes another is believed to have written them."""
    suspicion = Suspicion()
    race = Course_("", seats=2, orders={0: "GBY", 1: "RKB"})
    normal = NormalBot()
    for throw in (6, 3, 2, 5, 4, 1, 6, 2, 3, 5, 4, 6, 6, 2, 5, 1):
        race.throw(throw)
        if race.game.race > 1:
            break
        race.run(chosen(normal, race))
    suspicion.follow(STANDARD, 2, race.game.moves)
    for side, letters in ((0, "GBY"), (1, "RKB")):
        true = ORDERS.index(tuple("YKRGB".index(letter) for letter in letters))
        assert suspicion.beliefs[side][true] > 2 / 60
        assert isclose(fsum(suspicion.beliefs[side]), 1)


def test_the_hard_bot_sees_through_somebody_who_is_loyal_to_a_horse() -> None:
    """Whoever spurs one horse into anything, also into OUT, is believed to want it first."""
    suspicion = Suspicion()
    race = Course_("", seats=2, orders={0: "GBY", 1: "RKB"})
    for throw in (4, 3, 4, 4, 6, 6, 6, 2):
        race.throw(throw)
        race.run(chosen(EasyBot(), race))
    assert race.game.podium[-1] is LETTERS["R"]
    suspicion.follow(STANDARD, 2, race.game.moves)
    first = fsum(one for one, (horse, _, _) in zip(suspicion.beliefs[1], ORDERS, strict=True) if horse == 2)
    assert first > 0.9


def test_the_hard_bot_fears_who_throws_next() -> None:
    """A horse before OUT promises less if the next to throw is believed to want it out than first."""

    def promised(next_wants: str) -> float:
        beliefs = [float(one == tuple("YKRGB".index(letter) for letter in next_wants)) for one in ORDERS]
        own = (0, 1, 2)
        return after_next_throw(
            STANDARD, standing("Y12 K3 R2"), beliefs, lambda now: promise(own, odds(STANDARD, now))
        )

    assert promised("GBK") < promised("YKR") - 0.3


class Watched(Bot):
    """A bot over whose shoulder one looks when it is to guess, at what the race has given away of it."""

    def __init__(self, bot: EasyBot, believed: list[float]) -> None:
        self._bot = bot
        self._believed = believed

    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        if isinstance(ask.question, Branch):
            game, suspicion = view.game, Suspicion()
            assert isinstance(game, JumpyJack)
            suspicion.follow(STANDARD, 2, game.moves)
            own = self._bot.own_order(view, game, ask.seat)
            assert own is not None
            self._believed.append(suspicion.beliefs[game.side_of(ask.seat)][ORDERS.index(own)])
        return self._bot.choose(view, ask, chance)


def test_the_hard_bot_hides_its_horses() -> None:
    """Over many races an observer believes in a hard bot's true order less than in a normal bot's."""
    hard: list[float] = []
    normal: list[float] = []
    for seed in range(4):
        bots = [Watched(HardBot(), hard), Watched(NormalBot(), normal)]
        play(JumpyJack, JumpyJackOptions(points=6, guess=True), bots, seed)
    assert len(hard) == len(normal) > 4
    assert 1.5 * fsum(hard) < fsum(normal)


def test_a_guess_follows_what_is_believed() -> None:
    """Where one order is all but certain it is guessed; without any clue a guess promises next to nothing."""
    sure = [0.001] * 60
    sure[17] = 1 - 0.059
    gain, guess = best_guess(sure)
    assert guess == horses_of(ORDERS[17])
    assert gain > 2.5
    assert best_guess([1 / 60] * 60)[0] < 0.5


def test_the_normal_bot_guesses_what_came_in() -> None:
    """Somebody is taken to have got what he wanted."""
    race = Course_("R24", "YK...", guess="yes").go("R1")
    ask = race.match.open[0]
    assert NormalBot().choose(race.match.views(0), ask, Chance(3)) == (1, tuple(order("YKR")))


throws = st.lists(st.tuples(st.integers(1, 6), st.integers(0, 4)), max_size=80)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(COURSES.values())), throws)
def test_the_odds_are_odds(course: Course, rides: list[tuple[int, int]]) -> None:
    """In every standing each horse ends somewhere, promises lie between 0 and 10, drives add up to one."""
    now = Standing()
    for throw, pick in rides:
        if now.over:
            break
        table = odds(course, now)
        assert table
        assert all(isclose(fsum(row), 1) for row in table)
        assert ORDERS
        assert all(0 <= promise(one, table) <= 10 + 1e-9 for one in ORDERS)
        why = reasons(course, now, throw)
        assert isclose(fsum(column[7] for column in why.values()), 1)
        ways = movable(course, now, throw)
        now = moved(course, now, ways[pick % len(ways)], throw)


def test_odds_of_a_race_that_is_over_are_certain() -> None:
    """What stands on the podium is sure, and worth its points."""
    table = odds(STANDARD, standing("G3 B4", "YKR.."))
    assert promise((0, 1, 2), table) == 10
    assert promise((1, 0, 2), table) == 2
