"""The 7 Objectives and the 2 loans, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import Paddock, R, W, Y


def table(*goals: str) -> Paddock:
    """Three players with a stable each; seat by seat, the Objective that they hold."""
    paddock = Paddock(board=True).money(500, 500, 500)
    for seat, goal in enumerate(goals):
        if goal:
            paddock.has(seat, goal)
    return paddock


def won(paddock: Paddock) -> list[int]:
    """What each gains by Objectives at the end."""
    from tavolata_horse_fever.rules.ledger import Flow

    paddock.finish()
    return paddock.game.point_books.get(Flow.GOAL, [0, 0, 0])


def test_objective_most_stables() -> None:
    """Two points for who alone has most stables."""
    assert won(table("most stables", "most stables").owns(0, R)) == [2, 0, 0]


def test_objective_most_assistants() -> None:
    """The Justice Bros count as two."""
    paddock = table("most assistants", "most assistants").has(0, "Justice").has(1, "Daniel")
    assert won(paddock) == [2, 0, 0]


def test_objective_most_objectives() -> None:
    """Whoever has most of these cards, reached or not."""
    assert won(table("most objectives").has(0, "most money")) == [2 + 1, 0, 0]


def test_objective_most_horses() -> None:
    """Giumenta counts as two."""
    paddock = table("most horses", "most horses").has(0, "Giumenta").has(1, "Troy")
    assert won(paddock) == [2, 0, 0]


def test_objective_most_money() -> None:
    """Who has most Danari, after repaying."""
    assert won(table("most money", "most money").money(500, 800, 700)) == [0, 2, 0]


def test_objective_fewest_stables() -> None:
    """Who has fewest, which may be none."""
    paddock = table("fewest stables", "fewest stables")
    paddock.game.owners = {c: (o if o != 1 else None) for c, o in paddock.game.owners.items()}
    assert won(paddock) == [0, 2, 0]


def test_objective_fewest_points() -> None:
    """Who has fewest points before any Objective is paid."""
    paddock = table("fewest points", "most stables", "fewest points").tokens(2, 1, 1).owns(1, R)
    assert won(paddock) == [0, 2, 2]


@pytest.mark.parametrize("goods", ["assistants", "horses", "stables", "money"])
def test_most_of_what_nobody_has_pays_nobody(goods: str) -> None:
    """Where all have none, none of them has most."""
    paddock = table(f"most {goods}", f"most {goods}").money(0, 0, 0)
    paddock.game.owners = dict.fromkeys(paddock.game.owners)
    assert won(paddock) == [0, 0, 0]


def test_objectives_shared_are_worth_one() -> None:
    """With others level, one point each, also for those who don't hold the card: they just get nothing."""
    assert won(table("most stables")) == [1, 0, 0]


@pytest.mark.parametrize(("loan", "lent", "repaid"), [(Loan.BANK, 2000, 2500), (Loan.UNDERWORLD, 4000, 5000)])
def test_loans_of_bank_and_underworld(loan: Loan, lent: int, repaid: int) -> None:
    """2000 D for 2500 D, or 4000 D for 5000 D at the end; each kind once in a match."""
    paddock = Paddock(board=True).money(9000, 900, 900)
    paddock.start(purchases)
    paddock.match.play(loan, Buy.PASS, Buy.PASS)
    assert paddock.purse[0] == 9000 + lent
    assert paddock.refusing(loan) == "once per match"
    other: Any = next(one for one in Loan if one is not loan)
    assert other in paddock.kind.values
    paddock.match.play(Buy.PASS, Buy.PASS, Buy.PASS)
    assert paddock.finish().purse[0] == 9000 + lent + 400 - repaid


def test_white_and_yellow_are_for_sale() -> None:
    """Stables that nobody owns have their row's price."""
    paddock = Paddock(board=True).money(1100)
    paddock.start(purchases)
    assert W in paddock.kind.values
    assert paddock.refusing(Y) == "you have only {money} D"
