"""The ledger: every flow has a name, and a flow without one is found at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from tavolata._engine.match.simulate import play
from tavolata.bots import Bot, RandomBot
from tavolata.errors import PieceError
from tavolata_horse_fever.bots import EasyBot, NormalBot
from tavolata_horse_fever.options import HorseFeverOptions, Mode
from tavolata_horse_fever.rules import HorseFever
from tavolata_horse_fever.rules.ledger import Flow

from . import books
from .paddock import Paddock


def test_money_from_nowhere_is_found() -> None:
    """What moves past the books, from the bank, between players or as a point, does not balance."""
    wrongs: list[Callable[[Any], object]] = [
        lambda game: game.bank.pay(100, game.money[0]),
        lambda game: game.money.move(0, 1, 100),
        lambda game: game.tokens.__setitem__(1, 5),
        lambda game: game.money_books[Flow.START].__setitem__(0, 0),
    ]
    for wrong in wrongs:
        game = Paddock().game
        books.check(game)
        wrong(game)
        with pytest.raises(AssertionError):
            books.check(game)


def test_nobody_pays_what_is_not_there() -> None:
    """A purse does not go below zero, and then nothing is entered either."""
    game = Paddock(2).money(100, 100).game
    with pytest.raises(PieceError):
        game.pay(game.first, 200, Flow.PURCHASE)
    with pytest.raises(PieceError):
        game.hand_over(game.first, game.hands[1].owner, 200, Flow.TRADE)
    books.check(game)
    assert Flow.PURCHASE not in game.money_books


@pytest.mark.battery
def test_all_flows_occur() -> None:
    """Over some matches every name in the ledger is used, so none is there for nothing."""
    used: Counter[Flow] = Counter()
    kinds: list[type[Bot]] = [RandomBot, EasyBot, NormalBot]
    for seed in range(30):
        rules = HorseFeverOptions(mode=Mode.BOARD, starred=True)
        game = play(HorseFever, rules, [kind() for kind in (kinds * 2)[seed % 3 :][:3]], seed).match.game
        assert isinstance(game, HorseFever)
        used.update(game.money_books.keys() | game.point_books.keys())
    assert set(used) == set(Flow)
