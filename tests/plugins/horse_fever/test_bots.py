"""Those who play Horse Fever without being people."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tavolata import Ask, Card, Track, View
from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, Chance
from tavolata_horse_fever import tavolata_bots
from tavolata_horse_fever.appraisal import Appraiser, helps
from tavolata_horse_fever.bots import EasyBot, HardBot, NormalBot
from tavolata_horse_fever.card_reader import CardReader
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.effects import Effects, Moment, worth
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.foresight import ALL, RACES, ROUNDS, Lane, gait, mixed, places, pool, running
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.auctions import LIMIT, auctions
from tavolata_horse_fever.rules.betting import first_bets, second_bets, tamper
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.lanes import lane_effects
from tavolata_horse_fever.rules.purchases import purchases
from tavolata_horse_fever.rules.running import arrived, moved, sprinted

from .paddock import WIN, B, G, K, Paddock, R, W, Y
from .simple_bot import SimpleBot

BOTS = (EasyBot, NormalBot, HardBot)
ODDS = (2, 3, 4, 5, 6, 7)
EFFECTS = {card.name: card.effects for card in (*ACTION_CARDS, *HORSES)}


def chosen(bot: Bot, paddock: Paddock, seed: int = 1) -> Any:
    """What this bot answers to the question that is open."""
    (ask,) = paddock.match.open
    return bot.choose(paddock.match.views(ask.seat), ask, Chance(seed))


def shown(paddock: Paddock, seat: int, *names: str) -> None:
    """Let a seat know these cards."""
    for name in names:
        card = paddock.card(name)
        paddock.source.known[seat][card.id] = paddock.source._faces[card.id]


def holds(paddock: Paddock, seat: int, name: str) -> None:
    """An Action card in a hand."""
    card = paddock.move(name, paddock.game.hands[seat])
    card._face = paddock._hidden
    shown(paddock, seat, name)


def lane(number: int, effects: Effects = ()) -> Lane:
    """A lane with these effects, if each has its own odds."""
    return running(number, ODDS[number], gait(effects), worth(effects, Moment.PHOTO, 0), ODDS)


def test_levels_differ() -> None:
    """Each bot of the package is for this game and has a name of its own."""
    bots = list(tavolata_bots())
    assert {game for game, _ in bots} == {"horse-fever"}
    assert [bot.level for _, bot in bots] == ["easy", "normal", "hard"]


# -- imagined races ---------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(st.permutations(ACTION_CARDS), st.permutations(HORSES), st.integers(0, RACES - 8))
def test_imagined_races_are_run_by_the_rules(cards: list[Any], horses: list[Any], first: int) -> None:
    """With a card and a Horse in each lane, but none that asks who is first, each race ends as it would."""
    positional = (Moment.FIRST, Moment.LAST)
    effects = [
        tuple(e for e in lane_effects(horse, [card]) if e.when not in positional)
        for card, horse in zip(cards, horses, strict=False)
    ][:6]
    found = places([lane(number, effects[number]) for number in range(6)])
    for race in range(first, first + 8):
        ranking = run(race, effects)
        assert len(ranking) == 6
        for place, number in enumerate(ranking):
            assert found[number][place] >> race & 1


def run(race: int, lanes: list[Effects]) -> list[int]:
    """An imagined race by the rules; who has not arrived in its rounds is as far as it got."""
    steps, sprints = pool()
    squares: tuple[int, ...] = (0,) * 6
    ranking: list[int] = []
    for number in range(ROUNDS):
        card = [next(n for n, races in row if races >> race & 1) for row in steps[number]]
        dice = [one for one in range(6) if sprints[number][one] >> race & 1]
        squares = sprinted(moved(squares, ODDS, lanes, card, start=number == 0), lanes, dice)
        ranking += [one for group in arrived(squares, ODDS, lanes) for one in group]
        squares = tuple(Track.OFF if one in ranking else square for one, square in enumerate(squares))
    rest = arrived(
        tuple(square + 12 if square != Track.OFF else Track.OFF for square in squares), ODDS, lanes
    )
    return ranking + [one for group in rest for one in group]


def test_every_imagined_race_has_a_card_for_each_row_and_one_or_two_sprints() -> None:
    """In each round each race is in exactly one number of squares a row; the cards are those of the box."""
    steps, sprints = pool()
    for number in range(ROUNDS):
        for row, squares in enumerate(steps[number]):
            assert sum(races for _, races in squares) == ALL
            assert {n for n, _ in squares} <= {card.steps[row] for card in MOVEMENT_CARDS}
        dice = [sum(mask >> race & 1 for mask in sprints[number]) for race in range(RACES)]
        assert set(dice) == {1, 2}


def test_felix_and_napoleon_are_foreseen_roughly() -> None:
    """A favourite that must stand when first wins less; an outsider that leaps when last wins more."""
    plain = [lane(number) for number in range(6)]
    felix, napoleon = EFFECTS["Felix Infernalis"], EFFECTS["Napoleon"]
    before = places(plain)
    held = places([lane(0, felix), *plain[1:]])
    leaping = places([*plain[:5], lane(5, napoleon)])
    assert held[0][0].bit_count() < before[0][0].bit_count() / 2
    assert leaping[5][0].bit_count() > before[5][0].bit_count()


def test_a_mixed_lane_is_each_of_its_lanes_in_their_races() -> None:
    """Half of the races with Globus, half without: in each race the place is that of the right lane."""
    rest = [lane(number) for number in range(1, 6)]
    plain, globus = lane(0), lane(0, EFFECTS["Globus Obscurus"])
    half = (1 << RACES // 2) - 1
    found = places([mixed([(half, globus), (ALL ^ half, plain)]), *rest])[0]
    one, other = places([globus, *rest])[0], places([plain, *rest])[0]
    assert found == [mine & half | theirs & ~half for mine, theirs in zip(one, other, strict=True)]
    assert one != other


def test_cards_of_others_are_guessed_from_their_bets() -> None:
    """A card behind the horse of its player helps it, one behind another horse hinders it."""
    paddock = Paddock(3).bets(1, K, WIN, 200).behind(K, "Magna").behind(R, "Globus")
    paddock.game.slipped[K] = paddock.game.slipped[R] = [paddock.table.ring[1]]
    told = Appraiser(paddock.match.views(0)).rumoured
    assert told[K][0] > told[K][1]
    assert told[R][0] < told[R][1]
    assert told[W] == (0, 0)
    shown(paddock, 0, "Globus")
    assert Appraiser(paddock.match.views(0)).rumoured[R] == (0, 0)


def test_imagined_deals_have_each_card_in_one_place_and_follow_the_bets() -> None:
    """A card behind the horse of its player mostly helps it; no deal has a face twice, or a seen one."""
    paddock = Paddock(3).bets(1, K, WIN, 200).behind(K, "Magna").behind(R, "Globus")
    paddock.game.slipped[K] = paddock.game.slipped[R] = [paddock.table.ring[1]]
    holds(paddock, 0, "Serum")
    holds(paddock, 2, "Herba")
    reader = CardReader(paddock.match.views(0))
    helping = [0, 0]
    for deal in reader.deals:
        assert len({card.number for card in deal} - {10}) == 3
        helping = [count + (helps(card) > 0) for count, card in zip(helping, deal, strict=False)]
    assert helping[0] > len(reader.deals) * 0.8 > len(reader.deals) * 0.2 > helping[1]
    shown(paddock, 0, "Globus")
    laid = CardReader(paddock.match.views(0)).laid
    assert list(laid[R]) == [(8,)]
    assert 8 not in {number for key in laid[K] for number in key}


# -- what the bots do --------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_bet_on_favourites(bot: type[Bot]) -> None:
    """Without a card on the table they bet on one of the two best rated, within the limits of the stake."""
    answer = chosen(bot(), Paddock(4).start(first_bets))
    assert answer.on[0] in (K, B)
    assert 200 <= answer.coins <= 1700


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_remember_what_they_have_played(bot: type[Bot]) -> None:
    """With its own Globus behind the favourite it does not bet on that; who has not played it may."""
    paddock = Paddock(3)
    paddock.behind(K, "Globus", "Serum")
    shown(paddock, 2, "Globus", "Serum")
    paddock.start(second_bets)
    answer = chosen(bot(), paddock)
    assert answer is None or answer[0] is not K
    paddock.match.play(None)
    assert chosen(bot(), paddock)[0] in (K, B)


def test_the_normal_bot_helps_its_horse_and_hinders_others() -> None:
    """Magna, and Fritz who takes red cards away, go to its own horse; Globus and Rochelle to another's."""
    for name, lane_ in (("Magna", R), ("Globus", K), ("Fritz", R), ("Rochelle", K)):
        paddock = Paddock(2).bets(0, R, WIN, 500).bets(1, K, WIN, 500)
        holds(paddock, 0, name)
        assert chosen(NormalBot(), paddock.start(tamper)).lane is lane_


def test_the_hard_bot_helps_a_horse_that_it_may_win_with() -> None:
    """Magna goes to its own horse or to one that it may still bet on, Globus never to its own."""
    for name, others in (("Magna", (K,)), ("Globus", (R,))):
        paddock = Paddock(2).bets(0, R, WIN, 500).bets(1, K, WIN, 500)
        holds(paddock, 0, name)
        assert chosen(HardBot(), paddock.start(tamper)).lane not in others


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_spend_their_last_money_on_a_point(bot: type[Bot]) -> None:
    """In the last auction they go as high as they can without failing to repay; earlier they do not."""
    for turn, loan, limit in ((1, None, None), (6, None, 1500), (6, Loan.BANK, None)):
        paddock = Paddock(2, board=True).money(1500, 0).tokens(0, 0)
        paddock.game.turn_number = turn
        if loan:
            paddock.game.loans = [(paddock.table.ring[0], loan)]
        answer = chosen(bot(), paddock.start(auctions))
        assert answer == (LIMIT if limit else False)
        if limit:
            paddock.match.play(LIMIT)
            assert chosen(bot(), paddock) == limit


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_answer_the_low_auction_when_they_need_money(bot: type[Bot]) -> None:
    """Who can't cover the next least bet sells a point; who can keeps it."""
    for money, sells in ((100, True), (2000, False)):
        paddock = Paddock(2, board=True).money(money, 0).tokens(5, 0).start(auctions)
        assert chosen(bot(), paddock) == (LIMIT if sells else False)


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_sell_and_buy_when_it_pays(bot: type[Bot]) -> None:
    """What brings money in each turn is bought for double, and not sold for that."""
    paddock = Paddock(3, board=True).money(5000, 5000, 5000).has(1, "Daniel").start(purchases)
    paddock.match.play(Buy.TRADE)
    assert isinstance(chosen(bot(), paddock)[1], Card)
    paddock.match.play((paddock.table.ring[1], paddock.card("Daniel")))
    assert chosen(bot(), paddock) is False


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_buy_a_stable_that_pays(bot: type[Bot]) -> None:
    """With much money a stable is the best purchase of the first turn: a point, and prizes in each race."""
    assert chosen(bot(), Paddock(2, board=True).money(8000).start(purchases)) in (G, R, Y, W)


@pytest.mark.parametrize("bot", [NormalBot, HardBot])
def test_the_good_bots_line_up_a_horse_that_runs(bot: type[Bot]) -> None:
    """The Fury starts with four squares; Troy does nothing."""
    from tavolata_horse_fever.rules.line_up import line_up

    paddock = Paddock(2, board=True).has(0, "Troy", "The Fury").bets(0, K, WIN, 200).start(line_up)
    assert str(paddock.match.views(0).face(chosen(bot(), paddock))) == "The Fury"


@pytest.mark.parametrize("bot", BOTS)
def test_bots_that_are_broke_do_not_buy(bot: type[Bot]) -> None:
    """With 300 D there is nothing to buy but time, or a loan."""
    paddock = Paddock(3, board=True).money(300, 300, 300).start(purchases)
    assert chosen(bot(), paddock) in (Buy.PASS, *Loan)


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("mode", list(Mode))
def test_a_bot_is_a_function_of_its_view(bot: type[Bot], mode: Mode) -> None:
    """A new bot at each question plays the same match as one that sits there all the time."""

    class Fresh(Bot):
        level = "fresh"

        def choose(self, view: View, ask: Ask, chance: Chance) -> object:
            return bot().choose(view, ask, chance)

    rules = HorseFeverOptions(mode=mode, starred=mode is Mode.BOARD, turns=2)
    one = play(HorseFever, rules, [bot(), bot(), bot()], 8)
    other = play(HorseFever, rules, [Fresh(), Fresh(), Fresh()], 8)
    assert one.log == other.log


@pytest.mark.battery
@pytest.mark.parametrize("mode", list(Mode))
@pytest.mark.parametrize(
    ("bot", "weaker"),
    [(NormalBot, EasyBot), (NormalBot, SimpleBot), pytest.param(HardBot, SimpleBot, marks=pytest.mark.long)],
)
def test_better_bots_win_most_matches(bot: type[Bot], weaker: type[Bot], mode: Mode) -> None:
    """Two against two, seats changed: of 40 matches the better ones win more than half."""
    wins = 0
    for number in range(40):
        seats = [(bot, weaker)[(seat + number) % 2] for seat in range(4)]
        outcome = play(
            HorseFever, HorseFeverOptions(mode=mode), [one() for one in seats], number // 2
        ).outcome
        wins += seats[outcome.winners[0]] is bot
    assert wins > 20
