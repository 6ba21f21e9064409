"""The 22 Action cards, one by one, in a race or in the payments after it."""

from __future__ import annotations

import pytest

from tavolata_horse_fever.cards.action import ACTION_CARDS
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.rules.race import reveal

from .paddock import PLACE, WIN, B, G, K, Paddock, R, W

# With the usual movement cards green (1:4) and red (1:5) run two squares in each round, and arrive level
# in round 6; then green has the better odds.


def starred(**more: object) -> Paddock:
    return Paddock(board=True, starred=True, characters=("Steve", "Viktor", "César"), **more)  # type: ignore[arg-type]


def test_without_cards_nothing_happens() -> None:
    """The measure of all that follows: two squares each time, green before red."""
    ride = Paddock().race(dice=[R, W])
    assert ride.runs[G] == [*ride.runs[R][:-1], 2] == [2] * 6
    assert ride.sprints[R] == [1]
    ride = Paddock().race()
    assert ride.ranking.index(G) + 1 == ride.ranking.index(R)


def test_action_01_magna_velocitas() -> None:
    """Four squares at the start, whatever the card says; then as usual."""
    assert Paddock().behind(R, "Magna Velocitas").race().runs[R][:2] == [4, 2]


def test_action_02_fortuna_benevola() -> None:
    """One square more at the start."""
    assert Paddock().behind(R, "Fortuna Benevola").race().runs[R][:2] == [3, 2]


def test_action_03_flagellum_fulguris() -> None:
    """A sprint is one square longer, each time."""
    assert Paddock().behind(R, "Flagellum Fulguris").race(dice=[R, R, R, W]).sprints[R] == [2, 2]


def test_action_04_herba_magica() -> None:
    """A sprint is two squares."""
    assert Paddock().behind(R, "Herba Magica").race(dice=[R, R, R, W]).sprints[R] == [2, 2]


def test_action_05_in_igni_veritas() -> None:
    """It wins the photo finish against better odds."""
    ride = Paddock().behind(R, "In Igni Veritas").race()
    assert ride.ranking.index(R) + 1 == ride.ranking.index(G)


def test_action_06_fustis_et_radix() -> None:
    """Two squares more when a movement card carries it over the line, and only then."""
    ride = Paddock().behind(R, "Fustis et Radix").race()
    assert ride.runs[R] == [2, 2, 2, 2, 2, 4]
    assert ride.ranking.index(R) < ride.ranking.index(G)


def test_action_07_vigor_ferreum() -> None:
    """Four squares when it is last, but not at the start, where all are."""
    ride = Paddock().behind(R, "Vigor Ferreum", "Globus Obscurus").race()
    assert ride.runs[R][:3] == [0, 4, 2]


def test_action_08_globus_obscurus() -> None:
    """It stands still at the start, and only there."""
    assert Paddock().behind(R, "Globus Obscurus").race().runs[R][:2] == [0, 2]


def test_action_09_aqua_putrida() -> None:
    """One square less at the start."""
    assert Paddock().behind(R, "Aqua Putrida").race().runs[R][:2] == [1, 2]


def test_action_10_serum_maleficum() -> None:
    """No sprint at all, whatever else lengthens it."""
    assert Paddock().behind(R, "Serum Maleficum", "Herba Magica").race(dice=[R, R]).sprints[R] == [0]


def test_action_11_venenum_veneficum() -> None:
    """A sprint is one square shorter: none, or one where it would have been two."""
    assert Paddock().behind(R, "Venenum Veneficum").race(dice=[R, R]).sprints[R] == [0]
    assert Paddock().behind(R, "Venenum Veneficum", "Flagellum").race(dice=[R, R]).sprints[R] == [1]


def test_action_12_mala_tempora() -> None:
    """It loses the photo finish in spite of its odds."""
    ride = Paddock().behind(G, "Mala Tempora").race()
    assert ride.ranking.index(R) < ride.ranking.index(G)


def test_action_13_xiii() -> None:
    """It stops on the line where the movement card would carry it further, and sprints from there."""
    assert Paddock().race().runs[K] == [2, 2, 3, 4, 4]
    ride = Paddock().behind(K, "XIII").race(dice=[W] * 8 + [K, K])
    assert ride.runs[K] == [2, 2, 3, 4, 1]
    assert ride.sprints[K] == [1]


def test_action_14_felix_infernalis() -> None:
    """It stands still when it is first, also with others; not at the start."""
    ride = Paddock().behind(K, "Felix Infernalis").race()
    assert ride.runs[K][:3] == [2, 0, 3]


def test_action_15_alfio_allibratore() -> None:
    """Its stable's odds rise by two rows, for good."""
    paddock = Paddock().behind(R, "Alfio Allibratore").play(reveal)
    assert paddock.game.odds[R] == 3


def test_action_16_fritz_finden() -> None:
    """Red cards in the lane have no effect; green ones have."""
    ride = Paddock().behind(R, "Fritz Finden", "Globus Obscurus", "Herba Magica").race(dice=[R, R])
    assert (ride.runs[R][0], ride.sprints[R]) == (2, [2])


def test_action_17_pecunia_non_olet() -> None:
    """All who have bet on the horse get 400 D once, won or lost; the others don't."""
    paddock = starred().money(1000, 1000, 1000).behind(R, "Pecunia Non Olet")
    paddock.bets(0, R, WIN).bets(0, R, PLACE).bets(1, R, WIN).bets(2, K, WIN)
    assert paddock.pay_out("WYKGRB").purse == [1000 - 200 + 400, 1000 - 100 + 400, 900]


def test_action_18_boss() -> None:
    """A guessed bet on the horse is worth a point more: 4 to win, 2 to place."""
    paddock = starred().tokens(0, 0, 0).behind(R, "Boss").bets(0, R, WIN).bets(1, R, PLACE).bets(2, K, PLACE)
    assert paddock.pay_out("RKWYBG").game.tokens == [4, 2, 1]


def test_action_19_steven_sting() -> None:
    """Its stable's odds fall by two rows, for good."""
    paddock = Paddock().behind(B, "Steven Sting").play(reveal)
    assert paddock.game.odds[B] == 5


def test_action_20_rochelle_recherche() -> None:
    """Green cards in the lane have no effect; red ones have."""
    ride = Paddock().behind(R, "Rochelle", "Globus Obscurus", "Herba Magica").race(dice=[R, R])
    assert (ride.runs[R][0], ride.sprints[R]) == (0, [1])


def test_action_21_armand_amende() -> None:
    """All who have bet on the horse pay 400 D once, won or lost."""
    paddock = starred().money(1000, 1000, 1000).behind(R, "Armand Amende")
    paddock.bets(0, R, WIN).bets(0, R, PLACE).bets(1, R, WIN).bets(2, K, WIN)
    assert paddock.pay_out("WYKGRB").purse == [1000 - 200 - 400, 1000 - 100 - 400, 900]


def test_action_22_boss_with_three_marks() -> None:
    """A guessed bet on the horse is worth a point less: 2 to win, none to place."""
    paddock = starred().tokens(0, 0, 0).behind(R, "Boss!!!").bets(0, R, WIN).bets(1, R, PLACE)
    assert paddock.pay_out("RKWYBG").game.tokens == [2, 0, 0]


@pytest.mark.parametrize("card", ACTION_CARDS, ids=str)
def test_each_action_card_has_a_test_of_its_name(card: ActionCard) -> None:
    """No card is left out here."""
    assert any(name.startswith(f"test_action_{card.number:02}_") for name in globals())
