"""The 13 Assistants, one by one."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata_horse_fever.cards.loans import Loan
from tavolata_horse_fever.cards.objectives import Goods
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.ending import holding, owed
from tavolata_horse_fever.rules.purchases import purchases

from .paddock import Paddock, Y


def with_(name: str, seat: int = 0) -> Paddock:
    return Paddock(board=True).has(seat, name).money(3000, 3000, 3000)


def bought(paddock: Paddock, *answers: Any) -> Paddock:
    """Seat 0 has made its first purchase."""
    paddock.start(purchases)
    paddock.match.play(*answers)
    return paddock


def test_assistant_23_adalbert_diplomatsch() -> None:
    """Objectives cost nothing."""
    paddock = bought(with_("Adalbert"), Buy.OBJECTIVE)
    assert paddock.purse[0] == 3000


def test_assistant_24_tommy_style() -> None:
    """Assistants cost nothing."""
    assert bought(with_("Tommy Style").deck("Daniel"), Buy.ASSISTANT, "Daniel Jackson").purse[0] == 3000


def test_assistant_25_francisco_caballos() -> None:
    """Horses cost nothing."""
    assert bought(with_("Francisco").deck("Varonne"), Buy.HORSE, "Varonne").purse[0] == 3000


def test_assistant_26_franz_galopp() -> None:
    """A stable costs 600 D less: at 1:6 700 D instead of 1300."""
    assert bought(with_("Franz Galopp"), Y).purse[0] == 3000 - 700


@pytest.mark.parametrize(("loan", "name", "repaid"), [
    (Loan.UNDERWORLD, "Michele Cuorlione", 4000), (Loan.BANK, "Aronne Dal Banco", 1500),
    (Loan.UNDERWORLD, "Aronne Dal Banco", 5000), (Loan.BANK, "Michele Cuorlione", 2500),
])  # fmt: skip
def test_assistants_27_michele_cuorlione_and_28_aronne_dal_banco(loan: Loan, name: str, repaid: int) -> None:
    """Michele makes the underworld content with 4000 D, Aronne the bank with 1500 D; not the other one."""
    paddock = bought(with_(name), loan)
    assert owed(paddock.game, paddock.table.ring[0]) == repaid


def test_assistant_29_didier_addition() -> None:
    """Passing brings 800 D."""
    assert bought(with_("Didier"), Buy.PASS).purse[0] == 3800


def test_assistant_30_justice_bros() -> None:
    """They count as two Assistants for the Objective."""
    paddock = with_("Justice Bros")
    assert holding(paddock.game, paddock.table.ring[0], Goods.ASSISTANTS) == 2


def test_assistant_31_brian_ofist() -> None:
    """At payments the player on the right pays 200 D: the seat before."""
    paddock = with_("Brian O'Fist", seat=1).pay_out("RYWKBG")
    assert paddock.purse == [2800, 3200, 3000]


def test_assistant_32_pedro_pugno() -> None:
    """At payments the player on the left pays 200 D: the seat after."""
    paddock = with_("Pedro Pugno", seat=1).pay_out("RYWKBG")
    assert paddock.purse == [3000, 3200, 2800]


def test_assistant_33_daniel_jackson() -> None:
    """At payments the bank pays 300 D."""
    assert with_("Daniel Jackson", seat=2).pay_out("RYWKBG").purse == [3000, 3000, 3300]


def test_assistant_34_cedric_copieur() -> None:
    """Who buys it swaps it at once for another player's Assistant."""
    paddock = with_("Daniel Jackson", seat=1).deck("Cédric")
    bought(paddock, Buy.ASSISTANT, "Cédric Copieur", (1, paddock.card("Daniel")))
    names = [[str(card.face) for card in pile] for pile in paddock.game.assistants]
    assert names == [["Daniel Jackson"], ["Cédric Copieur"], []]


def test_assistant_35_francois_riche() -> None:
    """800 D once, for who buys it from the deck."""
    paddock = bought(Paddock(board=True).money(3000).deck("François"), Buy.ASSISTANT, "François Riche")
    assert paddock.purse[0] == 3000 - 400 + 800
    paddock.match.play(*[Buy.PASS] * 5)
    assert paddock.pay_out("RYWGBK").purse[0] == 3400 + 400
