"""The two sides of the loan cards (rulings 22, 30, 32)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from tavolata import N_
from tavolata_horse_fever.cards.effects import Moment


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a loan; `moment` is that of Assistants that change what is repaid."""

    lends: int
    repaid: int
    moment: Moment


class Loan(Enum):
    BANK = N_("a loan from the bank")
    UNDERWORLD = N_("a loan from the underworld")


LOANS = {
    Loan.BANK: Terms(2000, 2500, Moment.BANK_LOAN),
    Loan.UNDERWORLD: Terms(4000, 5000, Moment.UNDERWORLD_LOAN),
}
