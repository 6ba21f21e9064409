"""Rulings 1 to 13 and 35: the race and the cards in its lanes."""

from __future__ import annotations

import pytest

from tavolata import Track
from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.horses import HORSES
from tavolata_horse_fever.cards.movement import MOVEMENT_CARDS
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.betting import tips
from tavolata_horse_fever.rules.lanes import lane_effects, remaining
from tavolata_horse_fever.rules.line_up import line_up
from tavolata_horse_fever.rules.payments import new_odds
from tavolata_horse_fever.rules.race import race, reveal
from tavolata_horse_fever.rules.running import Squares, arrived, moved, sprinted

from .paddock import CARDS, FLAT, PLACE, WIN, G, Paddock, R, W

ACTION = {card.name: card for card in ACTION_CARDS}
HORSE = {card.name: card for card in HORSES}
ODDS = (2, 3, 4, 5, 6, 7)
TWOS = (2, 2, 2, 2, 2, 2)


def after(
    squares: Squares, *cards: str, start: bool = False, horse: str = "", steps: tuple[int, ...] = TWOS
) -> int:
    """Where the first horse is after a movement card, with these Action cards and this Horse in its lane."""
    effects = lane_effects(HORSE.get(horse), [ACTION[name] for name in cards])
    return moved(squares, ODDS, [effects, *[()] * 5], steps, start=start)[0]


def test_ruling_01_the_finish_is_square_12() -> None:
    """A horse on 11 has not arrived, one on 12 has; who is further beyond it is ahead, without a limit."""
    assert arrived((11, 12, 13, 40, 0, Track.OFF), ODDS, [()] * 6) == [[3], [2], [1]]
    assert Paddock().game.track.marks == {12: "FINISH"}


def test_ruling_02_all_movement_cards_are_shuffled_for_each_race() -> None:
    """After a race all 23 are in the next one's deck; so are all Action cards at the next deal."""
    paddock = Paddock()
    paddock.race()
    used = len(paddock.game.moved)
    assert used >= 6
    paddock.race()
    assert len(paddock.game.moved) + len(paddock.game.movement) == 23


def test_ruling_02_a_deck_that_runs_out_is_shuffled_again() -> None:
    """With three movement cards only, the race goes on with those that were used."""
    paddock = Paddock()
    while len(paddock.game.movement) > 3:
        paddock.game.movement.move_to(paddock.game.character[0], [paddock.game.movement.top])  # type: ignore[arg-type]
    ride = paddock.race(cards=())
    assert len(ride.ranking) == 6
    assert max(map(len, ride.runs.values())) > 3


def test_ruling_03_letters_cancel_before_cards_are_removed() -> None:
    """Globus and Magna cancel each other before Fritz removes Globus; the option turns it round."""
    cards = ("Fritz Finden", "Globus Obscurus", "Magna Velocitas")
    assert Paddock().behind(R, *cards).race().runs[R][0] == 2
    assert Paddock(removal_first=True).behind(R, *cards).race().runs[R][0] == 4


def test_ruling_03_fritz_and_rochelle_act_together() -> None:
    """Neither keeps the other from acting, and no grey card is ever removed."""
    lane = [ACTION[name] for name in ("Fritz Finden", "Rochelle Recherche", "XIII", "Herba Magica", "Boss")]
    assert [card.name for card in remaining(lane)] == ["Fritz Finden", "Rochelle Recherche", "Boss"]


@pytest.mark.parametrize(("cards", "odds", "then"), [
    (["Alfio"], 3, 2), (["Alfio"], 2, 2), (["Steven"], 6, 7), (["Alfio", "Steven"], 2, 2),
    (["Alfio", "Steven"], 7, 7),
])  # fmt: skip
def test_ruling_03_shifts_of_odds_are_added_and_then_kept_on_the_blackboard(
    cards: list[str], odds: int, then: int
) -> None:
    """The sum counts, and nothing is rated better than 1:2 or worse than 1:7."""
    assert Paddock().odds(R=odds).behind(R, *cards).play(reveal).game.odds[R] == then


def test_ruling_04_a_shift_lasts_and_pays_before_the_new_odds() -> None:
    """A bet to win is paid at the odds that Alfio made, 1:3, and only then the stable moves on from there."""
    paddock = Paddock().money(1000, 0, 0).behind(R, "Alfio").bets(0, R, WIN, 500)
    paddock.pay_out("RYWGKB")
    assert paddock.purse[0] == 500 + 1500
    paddock.play(new_odds)
    assert paddock.game.odds[R] == 2


@pytest.mark.parametrize(("ranking", "odds"), [
    ("KBGRYW", "234567"), ("WYRGBK", "345456"), ("BKGRWY", "324576"),
])  # fmt: skip
def test_ruling_05_each_stable_moves_one_row_towards_its_place(ranking: str, odds: str) -> None:
    """From 1:2 to 1:7 in the order of the lanes: one row up, down, or none, all at the same time."""
    paddock = Paddock().arrived(ranking).play(new_odds)
    assert [paddock.game.odds[colour] for colour in LANES] == list(map(int, odds))


@pytest.mark.parametrize(("cards", "squares"), [
    (("Magna Velocitas", "Fortuna Benevola"), 5), (("Globus Obscurus", "Fortuna Benevola"), 1),
    (("Magna Velocitas", "Aqua Putrida"), 3), (("Globus Obscurus", "Aqua Putrida"), 0),
    (("Aqua Putrida",), 1),
])  # fmt: skip
def test_ruling_06_at_the_start_a_fixed_value_comes_first(cards: tuple[str, ...], squares: int) -> None:
    """A replaces what the card says, then B adds or takes one, and nobody runs backwards."""
    assert after((0,) * 6, *cards, start=True) == squares


def test_ruling_06_the_start_is_the_first_card_only() -> None:
    """In later rounds start cards do nothing."""
    assert after((3, 4, 5, 5, 5, 5), "Magna Velocitas", "Aqua Putrida") == 5


@pytest.mark.parametrize(("cards", "squares"), [
    ((), 1), (("Herba Magica", "Flagellum Fulguris"), 3), (("Venenum Veneficum",), 0),
    (("Serum Maleficum", "Herba Magica"), 0), (("Venenum Veneficum", "Flagellum Fulguris"), 1),
    (("Serum Maleficum", "Venenum Veneficum"), 0),
])  # fmt: skip
def test_ruling_07_the_length_of_a_sprint(cards: tuple[str, ...], squares: int) -> None:
    """One, or two with Herba; one more or less; never below none; with Serum none whatever else."""
    effects = lane_effects(None, [ACTION[name] for name in cards])
    assert sprinted((5,) * 6, [effects, *[()] * 5], [0])[0] == 5 + squares


def test_ruling_07_a_double_is_one_sprint_and_who_has_arrived_does_not_sprint() -> None:
    """Two equal dice move their horse once; a horse in the order of arrival not at all."""
    assert sprinted((5, Track.OFF, 5, 5, 5, 5), [()] * 6, [0, 0]) == (6, Track.OFF, 5, 5, 5, 5)
    assert sprinted((5, Track.OFF, 5, 5, 5, 5), [()] * 6, [1, 2]) == (5, Track.OFF, 6, 5, 5, 5)


def test_ruling_08_the_bonus_at_the_finish_is_for_movement_cards() -> None:
    """Fustis and La Longue Carabine add where a card carries the horse to 12 or more, never for a sprint."""
    assert after((10,) * 6, "Fustis et Radix") == 14
    assert after((10,) * 6, horse="La Longue Carabine") == 15
    assert after((9,) * 6, "Fustis et Radix") == 11
    ride = Paddock().behind(R, "Fustis et Radix").race(dice=[*[R, R] * 2, *[W] * 6, R, R])
    assert ride.runs[R] == [2, 2, 2, 2, 4]  # 2+1, 2+1, 2, 2, then 10 + 2 + 2
    ride = Paddock().behind(R, "Fustis et Radix").race(dice=[*[W] * 8, R, R])
    assert (ride.runs[R], ride.sprints[R]) == ([2, 2, 2, 2, 2, 4], [1])  # 11 + 2, and 2 more


def test_ruling_08_a_sprint_over_the_line_adds_nothing() -> None:
    """A horse on 11 that sprints is on 12, and no card of the finish acts."""
    fustis = lane_effects(None, [ACTION["Fustis et Radix"]])
    assert sprinted((11,) * 6, [fustis, *[()] * 5], [0])[0] == 12


def test_ruling_08_xiii_stops_on_the_line_and_sprints_count_in_full() -> None:
    """From 10 with 4 squares it ends on 12; a sprint of two takes it to 14."""
    assert after((10,) * 6, "XIII", steps=(4, 2, 2, 2, 2, 2)) == 12
    xiii = lane_effects(None, [ACTION["XIII"], ACTION["Herba Magica"]])
    assert sprinted((12,) * 6, [xiii, *[()] * 5], [0])[0] == 14


@pytest.mark.parametrize(("squares", "card", "then"), [
    ((5, 4, 4, 4, 4, 4), "Felix Infernalis", 5),  # first
    ((5, 5, 4, 4, 4, 4), "Felix Infernalis", 5),  # first with another
    ((4, 5, 4, 4, 4, 4), "Felix Infernalis", 6),
    ((5, Track.OFF, 4, 4, 4, 4), "Felix Infernalis", 7),  # somebody has arrived
    ((3, 4, 4, 4, 4, 4), "Vigor Ferreum", 7),
    ((3, 3, 4, 4, 4, 4), "Vigor Ferreum", 7),
    ((4, 3, 4, 4, 4, 4), "Vigor Ferreum", 6),
    ((4, Track.OFF, 4, Track.OFF, 5, Track.OFF), "Vigor Ferreum", 8),  # of those that still race
])  # fmt: skip
def test_ruling_09_who_is_first_and_who_is_last(squares: Squares, card: str, then: int) -> None:
    """First: nobody ahead and nobody arrived; last: nobody that races behind. Both before anybody moves."""
    assert after(squares, card) == then


def test_ruling_09_not_at_the_start() -> None:
    """On the starting line all are first and last, and it does not count."""
    assert after((0,) * 6, "Felix Infernalis", start=True) == 2
    assert after((0,) * 6, "Vigor Ferreum", start=True) == 2


def test_ruling_09_first_and_last_at_once() -> None:
    """With all level, or alone, the Action card beats the Horse."""
    assert after((5,) * 6, "Felix Infernalis", horse="Napoleon") == 5
    assert after((5, 4, 6, 4, 4, 4), "Felix Infernalis", horse="Napoleon") == 7
    assert after((5,) * 6, horse="Napoleon") == 9
    felix_and_vigor = remaining([ACTION["Felix Infernalis"], ACTION["Vigor Ferreum"]])
    assert felix_and_vigor == []  # the pair G: only one can remain


def test_ruling_10_squares_beyond_the_line_then_photo_cards_then_odds() -> None:
    """Further is first; among equals In Igni Veritas, then the odds, and Mala Tempora last."""
    lanes = [()] * 6
    assert arrived((12, 13, 12, 14, 0, 0), ODDS, lanes) == [[3], [1], [0], [2]]
    igni, mala = ([lane_effects(None, [ACTION[name]])] for name in ("In Igni Veritas", "Mala Tempora"))
    assert arrived((12,) * 4 + (0, 0), ODDS, [*mala, *lanes[:2], *igni, *lanes[:2]]) == [[3], [1], [2], [0]]


def test_ruling_10_equal_odds_are_for_the_first_player() -> None:
    """Whom nothing parts stand together, and the First Player says who is ahead, one after the other."""
    assert arrived((12, 12, 12, 0, 0, 0), (4, 3, 4, 5, 6, 7), [()] * 6) == [[1], [0, 2]]
    paddock = Paddock(first=1).odds(R=4).play(reveal)
    paddock.source._decks["movement"] = [[CARDS[card] for card in FLAT]]
    paddock.start(race, dice=[W] * 60)
    assert paddock.asked() == [1]
    assert set(paddock.kind.values) == {G, R}
    paddock.match.play(R)
    assert paddock.game.ranking.index(R) + 1 == paddock.game.ranking.index(G)


@pytest.mark.parametrize(("horse", "card", "symbol"), [
    ("The Fury", "Aqua Putrida", 1), ("Varonne", "Fortuna Benevola", 3), ("Bosson", "Magna Velocitas", 4),
    ("The Fury", "Herba Magica", 4),
])  # fmt: skip
def test_ruling_11_an_action_card_voids_a_horse_of_its_symbol(horse: str, card: str, symbol: int) -> None:
    """At the start the Horse's value does not count if any start card remains; another symbol leaves it."""
    assert after((0,) * 6, card, horse=horse, start=True) == symbol


def test_ruling_11_the_money_of_a_horse_stays() -> None:
    """Bosson is sent off by Magna Velocitas, and brings his 600 D all the same."""
    paddock = Paddock(board=True).money(0, 0, 0).owns(1, R).lines_up(R, "Bosson").behind(R, "Magna")
    assert paddock.pay_out("KBGYWR").purse[1] == 600 + 400


def test_ruling_11_the_example_of_the_rulebook() -> None:
    """Costantino with Serum Maleficum and Globus Obscurus: no square at the start, no sprint."""
    paddock = Paddock(board=True).lines_up(R, "Costantino").behind(R, "Serum Maleficum", "Globus")
    ride = paddock.race(dice=[R, R])
    assert (ride.runs[R][0], ride.sprints[R]) == (0, [0])


@pytest.mark.parametrize(("cards", "odds"), [
    ((), 3), (("Steven",), 7), (("Alfio",), 3), (("Alfio", "Steven"), 5), (("Steven", "Aqua Putrida"), 7),
])  # fmt: skip
def test_ruling_12_el_guapo_is_undone_by_an_odds_card(cards: tuple[str, ...], odds: int) -> None:
    """From 1:5 he goes to 1:3 at once; if an odds card remains in his lane, as if he had never done so."""
    paddock = Paddock(board=True).owns(0, R).has(0, "El Guapo")
    paddock.play(line_up, None, "El Guapo")
    assert paddock.game.odds[R] == 3
    assert paddock.behind(R, *cards).play(reveal).game.odds[R] == odds


def test_ruling_12_what_eric_has_changed_in_between_stays() -> None:
    """El Guapo 1:5 to 1:3, Eric down to 1:5; with Alfio and Steven together only Eric's change is left."""
    paddock = Paddock(board=True, starred=True, characters=("Eric", "Steve")).owns(0, R).has(0, "El Guapo")
    paddock.play(line_up, "El Guapo").play(tips, (R, -2))
    assert paddock.game.odds[R] == 5
    assert paddock.behind(R, "Alfio", "Steven").play(reveal).game.odds[R] == 7


def starred() -> Paddock:
    paddock = Paddock(board=True, starred=True, characters=("Steve", "Viktor", "César"))
    return paddock.money(900, 900, 900).tokens(0, 0, 0)


def test_ruling_13_money_once_a_player_points_once_a_bet() -> None:
    """Two bets on a horse bring 400 D once, and a point more each."""
    paddock = starred().behind(R, "Pecunia", "Boss").bets(0, R, WIN).bets(0, R, PLACE)
    paddock.pay_out("RKWYGB")
    assert paddock.game.tokens[0] == 4 + 2
    assert paddock.purse[0] == 700 + 500 + 200 + 400


def test_ruling_13_no_bet_is_worth_less_than_nothing() -> None:
    """Boss!!! takes the point of a place bet, and not more."""
    assert starred().behind(R, "Boss!!!").bets(0, R, PLACE).pay_out("KRWYGB").game.tokens[0] == 0


def test_ruling_13_both_pairs_on_one_horse_are_as_good_as_none() -> None:
    """Pecunia and Armand, Boss and Boss!!! outweigh each other."""
    paddock = starred().behind(R, "Pecunia", "Armand", "Boss", "Boss!!!").bets(0, R, WIN)
    paddock.pay_out("KRWYGB")
    assert paddock.purse[0] == 800
    assert paddock.game.tokens[0] == 0


def test_ruling_35_fritz_takes_red_and_rochelle_green() -> None:
    """Each removes its tone only, of what is left when letters have cancelled."""
    lane = [ACTION[name] for name in ("XIII", "Aqua Putrida", "Herba Magica")]
    assert remaining([*lane, ACTION["Fritz Finden"]]) == [ACTION["Herba Magica"], ACTION["Fritz Finden"]]
    assert remaining([*lane, ACTION["Rochelle Recherche"]]) == [*lane[:2], ACTION["Rochelle Recherche"]]


def test_the_movement_cards_have_their_sums() -> None:
    """Columns 57, 55, 52, 49, 48, 45; sixteen rows of 14, four of 12, one each of 15, 10 and 9."""
    assert len(MOVEMENT_CARDS) == 23
    table = [card.steps for card in MOVEMENT_CARDS]
    assert [sum(column) for column in zip(*table, strict=True)] == [57, 55, 52, 49, 48, 45]
    rows = sorted(map(sum, table))
    assert rows == [9, 10, *[12] * 4, *[14] * 16, 15]
    assert CARDS[83].steps == CARDS[98].steps
    assert CARDS[91].steps == CARDS[92].steps
