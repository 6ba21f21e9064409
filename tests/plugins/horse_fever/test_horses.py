"""The 10 Horses, one by one."""

from __future__ import annotations

from tavolata_horse_fever.cards.objectives import Goods
from tavolata_horse_fever.colours import LANES
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.ending import holding
from tavolata_horse_fever.rules.line_up import line_up
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import Paddock, R


def racing(name: str) -> Paddock:
    """Red, at 1:5, runs with this Horse."""
    return Paddock(board=True).owns(1, R).lines_up(R, name)


def lined_up(name: str) -> Paddock:
    """Seat 0 owns red alone, at 1:5, has this Horse, and lines it up."""
    paddock = Paddock(board=True).owns(0, R).has(0, name)
    paddock.game.owners = {**dict.fromkeys(LANES), R: paddock.table.ring[0]}
    return paddock.play(line_up, name)


def test_horse_36_costantino() -> None:
    """A sprint is two squares."""
    assert racing("Costantino").race(dice=[R, R]).sprints[R] == [2]


def test_horse_37_el_guapo() -> None:
    """When it is lined up, its stable's odds rise by two rows."""
    assert lined_up("El Guapo").game.odds[R] == 3


def test_horse_38_la_longue_carabine() -> None:
    """Three squares more when a movement card carries it over the line."""
    assert racing("La Longue Carabine").race().runs[R] == [2, 2, 2, 2, 2, 5]


def test_horse_39_napoleon() -> None:
    """Four squares when it is last, not at the start."""
    assert racing("Napoleon").behind(R, "Globus Obscurus").race().runs[R][:3] == [0, 4, 2]
    assert racing("Napoleon").race().runs[R][0] == 2


def test_horse_40_the_fury() -> None:
    """Four squares at the start."""
    assert racing("The Fury").race().runs[R][:2] == [4, 2]


def test_horse_41_varonne() -> None:
    """Two squares more at the start."""
    assert racing("Varonne").race().runs[R][:2] == [4, 2]


def test_horse_42_biscuit_de_mer() -> None:
    """When it is lined up, its stable's odds fall by two rows; at payments its owner gets 600 D."""
    paddock = lined_up("Biscuit De Mer")
    assert paddock.game.odds[R] == 7
    assert paddock.money(0, 0, 0).pay_out("KBGYRW").purse == [600, 0, 0]


def test_horse_43_bosson() -> None:
    """It stands still at the start; at payments its owner gets 600 D."""
    paddock = racing("Bosson").money(0, 0, 0)
    assert paddock.race().runs[R][:2] == [0, 2]
    paddock = racing("Bosson").money(0, 0, 0)
    assert paddock.pay_out("YWGRKB").purse == [0, 600, 200]  # and a prize for green


def test_horse_44_giumenta() -> None:
    """It counts as two Horses for the Objective, and does nothing in a race."""
    paddock = Paddock(board=True).has(0, "Giumenta")
    assert holding(paddock.game, paddock.table.ring[0], Goods.HORSES) == 2
    assert racing("Giumenta").race(dice=[R, R]).runs[R] == racing("Troy").race(dice=[R, R]).runs[R]


def test_horse_45_troy() -> None:
    """Who buys it swaps it at once for another player's Horse."""
    paddock = Paddock(board=True).has(1, "Napoleon").has(2, "The Fury").deck("Troy", "Varonne")
    paddock.start(purchases)
    paddock.match.play(Buy.HORSE, "Troy", (1, paddock.card("Napoleon")))
    names = [[str(card.face) for card in pile] for pile in paddock.game.horses]
    assert names == [["Napoleon"], ["Troy"], ["The Fury"]]
