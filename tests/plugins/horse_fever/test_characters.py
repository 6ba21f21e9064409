"""The 12 characters, one by one: as the rulebook has them, and three as their cards do."""

from __future__ import annotations

import pytest

from tavolata.errors import OptionError
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.rules.betting import second_bets, tips
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import PLACE, WIN, B, G, K, Paddock, R, W, Y


def with_(name: str) -> Paddock:
    return Paddock(board=True, starred=True, characters=(name, "Steve", "Viktor"))


@pytest.mark.parametrize(("name", "stable", "money"), [
    ("Cranio Mercanti", K, 3400), ("Steve McSkull", B, 3600), ("Viktor von Schädel", G, 3800),
    ("César Crâne", R, 4000), ("Cranéo Cervantes", Y, 4200), ("Sigvard Skalle", W, 4400),
])  # fmt: skip
def test_characters_who_own_a_stable(name: str, stable: object, money: int) -> None:
    """Each of the six owns the stable on its row, and begins with its money and two points."""
    paddock = Paddock(characters=(name,))
    assert paddock.game.stables_of(paddock.table.ring[0]) == [stable]
    assert (paddock.purse[0], paddock.points[0]) == (money, 2)


@pytest.mark.parametrize(("name", "stable", "money"), [
    ("Cranéo Cervantes", W, 4400), ("Sigvard Skalle", Y, 4200), ("Steve McSkull", B, 3600),
])  # fmt: skip
def test_characters_as_printed(name: str, stable: object, money: int) -> None:
    """With `printed_cards` two of them change rows and money."""
    paddock = Paddock(characters=(name,), printed_cards=True)
    assert paddock.game.stables_of(paddock.table.ring[0]) == [stable]
    assert paddock.purse[0] == money


def test_character_antonio_vesuvio() -> None:
    """He may bet twice in the second round, and begins with 3000 D."""
    paddock = with_("Antonio")
    assert (paddock.purse[0], paddock.points[0]) == (3000, 1)
    paddock.start(second_bets)
    paddock.match.play(None, None, (K, WIN), 100)
    assert paddock.asked() == [0]
    paddock.match.play((B, WIN), 100)
    assert len(paddock.game.bets) == 2
    assert not paddock.match.open


def test_character_eric_change() -> None:
    """After the first bets he may move any stable two rows up or down, every turn."""
    for change, odds in (((R, 2), 3), ((R, -2), 7), ((Y, 2), 4), (None, 5)):
        paddock = with_("Eric")
        assert paddock.purse[0] == 5000
        paddock.play(tips, change)
        assert paddock.game.odds[change[0] if change else R] == odds


def test_character_miss_double() -> None:
    """In the second round she may buy again what she has bought in the first."""
    paddock = with_("Miss Double").deck("Varonne", "The Fury")
    assert paddock.purse[0] == 5000
    paddock.start(purchases)
    paddock.match.play(Buy.HORSE, "Varonne", Buy.PASS, Buy.PASS)
    assert Buy.HORSE in paddock.kind.values


def test_character_miss_paris() -> None:
    """Her place bets are won by the fourth horse, too. She begins with 5000 D, or 3000 as printed."""
    paddock = with_("Miss Paris").tokens(0, 0, 0).bets(0, R, PLACE, 500).bets(1, R, PLACE, 500)
    assert paddock.pay_out("YWGRKB").game.tokens == [1, 0, 0]
    assert paddock.purse[0] == 5000 - 500 + 1000
    printed = Paddock(board=True, starred=True, printed_cards=True, characters=("Miss Paris",))
    assert printed.purse[0] == 3000


def test_character_oliver_oil() -> None:
    """He has nothing but 6000 D."""
    paddock = with_("Oliver")
    assert (paddock.purse[0], paddock.points[0]) == (6000, 1)
    assert paddock.game.effects_of(paddock.table.ring[0]) == ()


def test_character_otto_von_alt() -> None:
    """Action cards cost him nothing, and use the purchase."""
    paddock = with_("Otto")
    paddock.start(purchases)
    paddock.match.play(Buy.ACTIONS)
    assert paddock.purse[0] == 4000
    assert len(paddock.game.hands[0]) == 2
    assert paddock.asked() == [1]


def test_starred_characters_stay_in_the_box() -> None:
    """Without the option nobody draws one, and the Family Game refuses the option with a reason."""
    for board in (False, True):
        paddock = Paddock(6, board=board)
        assert paddock.table.ring
        assert all(len(paddock.game.stables_of(seat)) == 1 for seat in paddock.table.ring)
    with pytest.raises(OptionError, match="unless mode is board"):
        HorseFeverOptions.parse({"starred": "yes"})
    assert HorseFeverOptions.parse({"starred": "yes", "mode": "board"}).starred
