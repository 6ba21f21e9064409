"""Those who play Il Conto, Prego! without being people."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, Chance
from tavolata_conto import tavolata_bots
from tavolata_conto.bots import EasyBot, HardBot, NormalBot
from tavolata_conto.calls import Please
from tavolata_conto.odds import known_to_all, seen_by
from tavolata_conto.options import ContoOptions
from tavolata_conto.rules import Conto

from .table import PLAIN, Dinner, called

ALL = {"oste": "yes", "saldo": "yes", "omaggi": "yes", "target": 5}


def losses(bots: list[type[Bot]], matches: int) -> Counter[type[Bot]]:
    """How many hands each kind of bot loses over some matches, seats rotating."""
    lost: Counter[type[Bot]] = Counter()
    for seed in range(matches):
        order = [bots[(place + seed) % len(bots)] for place in range(len(bots))]
        game = play(Conto, ContoOptions(hands=6), [bot() for bot in order], seed).match.game
        assert isinstance(game, Conto)
        for bot, counter in zip(order, game.losses, strict=True):
            lost[bot] += counter.value
    return lost


@pytest.mark.battery
def test_normal_pays_less_than_easy() -> None:
    """Two against two, it pays for clearly fewer hands."""
    lost = losses([EasyBot, NormalBot, EasyBot, NormalBot], 20)
    assert lost[NormalBot] * 20 < lost[EasyBot] * 19


@pytest.mark.battery
def test_hard_wins_more_than_its_share_among_three_normal_ones() -> None:
    """One of four would win 20 of 80 matches by chance."""
    won = 0.0
    for seed in range(80):
        mine = seed % 4
        bots = [HardBot() if seat == mine else NormalBot() for seat in range(4)]
        winners = [*map(int, play(Conto, ContoOptions(), bots, seed).outcome.winners)]
        won += winners.count(mine) / len(winners)
    assert won > 22


def test_hard_plays_as_normal_where_weighing_calls_loses_more() -> None:
    """With five seats its own way would win as often as chance, with eight half as often."""
    for seats, alike in ((5, True), (4, False)):
        ends = [
            [play(Conto, ContoOptions(), [bot() for _ in range(seats)], seed).outcome for seed in range(4)]
            for bot in (NormalBot, HardBot)
        ]
        assert (ends[0] == ends[1]) == alike


@pytest.mark.battery
@pytest.mark.parametrize("bot", [EasyBot, NormalBot, HardBot])
def test_bots_play_all_house_rules_to_the_end(bot: type[Bot]) -> None:
    """With Oste, Saldo and Omaggi together, at small and big tables, matches end with a winner."""
    for seats in (3, 8):
        assert play(Conto, ContoOptions.parse(ALL), [bot() for _ in range(seats)], seats).outcome.winners


def test_bots_know_their_own_hand_and_what_was_shown() -> None:
    """Counting, a bot adds the cards that others have shown; nobody knows more, whatever lies there."""
    dinner = Dinner(PLAIN).call("2", "1 2").call("2", "2 2")
    view = dinner.match.views(2)
    seen = seen_by(view)
    assert (seen.counts[2], seen.hidden, sum(seen.counts)) == (2, 10, 8)
    assert (seen_by(view, counting=False).counts[2], known_to_all(view).hidden) == (0, 16)
    assert seen.truth(called("2 2")) == 1000
    assert seen.truth(called("3 2")) < 1000


def test_a_bot_reckons_with_what_it_has_discarded() -> None:
    """Its discards are in no hand; others don't know them."""
    dinner = Dinner(PLAIN, PLAIN, saldo=True).call("2", "1 2").call("2", "1 2 1 A").bill().discard(1, "7")
    assert seen_by(dinner.match.views(1)).aside[7] == 1
    assert sum(seen_by(dinner.match.views(2)).aside) == 0


def test_the_better_bots_ask_when_they_know_better() -> None:
    """Of an impossible call they ask for the bill, and never of one that they see to be true."""
    for bot in (NormalBot(), HardBot()):
        dinner = Dinner(PLAIN).call("2", "1 2").call("2", "1 2 1 K")
        ask = dinner.match.open[0]
        view = dinner.match.views(2)
        made: Any = bot.choose(view, ask, Chance())
        assert len(made) == 2
        dinner.game.calls[-1] = (dinner.game.calls[-1][0], called("9 2 3 A"))
        assert bot.choose(view, ask, Chance()) == (Please.BILL,)


def test_a_bot_shows_again_what_was_shown() -> None:
    """Where it can make the same call with a card that everybody knows, it shows no other."""
    dinner = (
        Dinner("2 2 2 3 3 3 | 2 4 5 6 7 8 | 2 4 5 6 7 8").call("2", "1 2").call("2", "2 2").call("2", "3 2")
    )
    ask = dinner.match.open[0]
    chosen: Any = NormalBot().choose(dinner.match.views(0), ask, Chance())
    _, made = chosen
    assert 2 in made.call.dishes
    assert made.card.is_public


def test_levels_differ() -> None:
    """Each bot of the package is for this game and has a name of its own."""
    bots = list(tavolata_bots())
    assert {game for game, _ in bots} == {"conto"}
    assert len({bot.level for _, bot in bots} | {"random"}) == len(bots) + 1
