"""Those who play Horse Fever without being people."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata import OFF, Bot, Chance
from tavolata._engine.match.simulate import play
from tavolata_horse_fever import tavolata_bots
from tavolata_horse_fever.bots import EasyBot, NormalBot
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.effects import Effects, Moment
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.foresight import Outlook, imagine
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.auctions import auctions
from tavolata_horse_fever.rules.betting import first_bets, second_bets, tamper
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.lanes import lane_effects
from tavolata_horse_fever.rules.purchases import purchases
from tavolata_horse_fever.rules.running import arrived, moved, sprinted

from .paddock import WIN, B, G, K, Paddock, R, W

BOTS = (EasyBot, NormalBot)
ODDS = (2, 3, 4, 5, 6, 7)
PLAIN: list[Effects] = [()] * 6


def chosen(bot: Bot, paddock: Paddock, seed: int = 1) -> object:
    """What this bot answers to the question that is open."""
    (ask,) = paddock.match.open
    return ask.kind.value_of(bot.choose(paddock.match.views(ask.seat), ask, ask.kind, Chance(seed)))


def test_levels_differ() -> None:
    """Each bot of the package is for this game and has a name of its own."""
    bots = list(tavolata_bots())
    assert {game for game, _ in bots} == {"horse-fever"}
    assert [bot.level for _, bot in bots] == ["easy", "normal"]


@settings(max_examples=30, deadline=None)
@given(st.permutations(ACTION_CARDS), st.permutations(HORSES), st.integers(0, 2**32))
def test_imagined_races_are_run_by_the_rules(cards: list[object], horses: list[object], seed: int) -> None:
    """With a card and a Horse in each lane, but none that asks who is first, each race ends as it would."""
    positional = (Moment.FIRST, Moment.LAST)
    lanes = [
        tuple(e for e in lane_effects(horse, [card]) if e.when not in positional)  # type: ignore[arg-type, list-item]
        for card, horse in zip(cards, horses, strict=False)
    ][:6]
    races = imagine(8, Chance(seed))
    found = Outlook(races, ODDS, lanes).places()
    counts = [[0] * 6 for _ in LANES]
    for race in races:
        for place, lane in enumerate(run(race, lanes)):
            counts[lane][place] += 1
    assert found == counts


def run(race: tuple[list[tuple[int, ...]], list[frozenset[int]]], lanes: list[Effects]) -> list[int]:
    """A race by the rules; who has not arrived in the imagined rounds is as far as it got."""
    squares: tuple[int, ...] = (0,) * 6
    ranking: list[int] = []
    for number, (steps, dice) in enumerate(zip(*race, strict=True)):
        squares = sprinted(moved(squares, ODDS, lanes, steps, start=number == 0), lanes, sorted(dice))
        ranking += [lane for group in arrived(squares, ODDS, lanes) for lane in group]
        squares = tuple(OFF if lane in ranking else square for lane, square in enumerate(squares))
    left = [lane for lane in range(6) if lane not in ranking]
    rest = arrived(tuple(square + 12 if square != OFF else OFF for square in squares), ODDS, lanes)
    return ranking + [lane for group in rest for lane in group if lane in left]


def test_felix_and_napoleon_are_foreseen_roughly() -> None:
    """A favourite that must stand when first wins less; an outsider that leaps when last wins more."""
    races = imagine(400, Chance(5))
    plain = Outlook(races, ODDS, PLAIN).places()
    felix, napoleon = ACTION_CARDS[13].effects, HORSES[3].effects
    assert Outlook(races, ODDS, PLAIN).places(0, felix)[0][0] < plain[0][0] / 2
    assert Outlook(races, ODDS, PLAIN).places(5, napoleon)[5][0] > plain[5][0]
    assert Outlook(races, ODDS, [felix, *PLAIN[1:]]).places()[0][0] < plain[0][0] / 2


def test_the_normal_bot_bets_on_favourites() -> None:
    """Without a card on the table it bets on one of the two best rated; the stake is within its limits."""
    answer = chosen(NormalBot(), Paddock(4).start(first_bets))
    assert isinstance(answer, dict)
    assert answer["bet"][0] in (K, B)
    assert 200 <= answer["stake"] <= 1700


def test_the_normal_bot_remembers_what_it_has_played() -> None:
    """With its own Globus behind the favourite it does not bet on that; who has not played it may."""
    paddock = Paddock(3)
    paddock.behind(K, "Globus", "Serum")
    for name in ("Globus", "Serum"):
        card = paddock.card(name)
        paddock.source.known[2][card.id] = paddock.source._faces[card.id]
    paddock.start(second_bets)
    answer = chosen(NormalBot(), paddock)
    assert isinstance(answer, dict)
    assert answer["bet"] is None or answer["bet"][0] is not K
    paddock.match.play({"bet": None, "stake": 200})
    answer = chosen(NormalBot(), paddock)
    assert isinstance(answer, dict)
    assert answer["bet"][0] in (K, B)


def test_the_normal_bot_helps_its_horse_and_hinders_others() -> None:
    """Magna goes to the horse that it has bet on, Globus to one that another has bet on."""
    for name, lanes in (("Magna", (R,)), ("Globus", (K, B, G))):
        paddock = Paddock(2).bets(0, R, WIN, 500).bets(1, K, WIN, 500)
        card = paddock.move(name, paddock.game.hands[0])
        card._face = paddock._hidden
        paddock.source.known[0][card.id] = paddock.source._faces[card.id]
        answer = chosen(NormalBot(), paddock.start(tamper))
        assert isinstance(answer, dict)
        assert answer["lane"] in lanes


def test_the_normal_bot_spends_its_last_money_on_a_point() -> None:
    """In the last auction it goes as high as it can without failing to repay; earlier it does not."""
    paddock = Paddock(2, board=True).money(1500, 0).tokens(0, 0)
    paddock.start(auctions)
    assert chosen(NormalBot(), paddock) is False
    paddock = Paddock(2, board=True).money(1500, 0).tokens(0, 0)
    paddock.game.turn_number = 6
    paddock.start(auctions)
    assert chosen(NormalBot(), paddock) is True


@pytest.mark.parametrize("bot", BOTS)
def test_bots_that_are_broke_do_not_buy(bot: type[Bot]) -> None:
    """With 300 D there is nothing to buy but time, or a loan."""
    paddock = Paddock(3, board=True).money(300, 300, 300).start(purchases)
    assert chosen(bot(), paddock) not in (Buy.ACTIONS, Buy.SALE, W)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_bot_is_a_function_of_its_view(bot: type[Bot], mode: Mode) -> None:
    """A new bot at each question plays the same match as one that sits there all the time."""

    class Fresh(Bot):
        level = "fresh"

        def choose(self, *about: object) -> object:  # type: ignore[override]
            return bot().choose(*about)  # type: ignore[arg-type]

    rules = HorseFeverOptions(mode=mode, starred=True, turns=2)
    one = play(HorseFever, rules, [bot(), bot(), bot()], 8)
    other = play(HorseFever, rules, [Fresh(), Fresh(), Fresh()], 8)
    assert one.log == other.log


@pytest.mark.battery
def test_the_normal_bot_wins_most_board_games_against_the_easy_one() -> None:
    """Of 12 matches of two against each other, seats changed, it wins 9 or more."""
    wins = 0
    for seed in range(12):
        bots: list[Bot] = [NormalBot(), EasyBot()] if seed % 2 else [EasyBot(), NormalBot()]
        outcome = play(HorseFever, HorseFeverOptions(mode=Mode.BOARD), bots, seed).outcome
        wins += outcome.winners == (1 - seed % 2,)
    assert wins >= 9
