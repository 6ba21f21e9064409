"""Purchases in the Board Game: what is on offer, its price, and why something is not (rulings 22, 31)."""

from __future__ import annotations

from enum import Enum
from typing import Any

from tavolata import N_, Choice, OneOf, Pile, Seat, Unavailable, one_of
from tavolata_horse_fever.cards.effects import Effects, Moment, has, worth
from tavolata_horse_fever.cards.loans import LOANS, Loan
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.rules.market import offers_to, wares_of
from tavolata_horse_fever.rules.table import HorseFeverTable
from tavolata_horse_fever.tables import CARD_PRICE, LOAN_CARDS, PASSING

ROUNDS = (1, 2)


class Buy(Enum):
    """The ways to use a purchase, apart from a stable (a `Colour`) and a loan (a `Loan`)."""

    ACTIONS = N_("two Action cards")
    OBJECTIVE = N_("an Objective")
    ASSISTANT = N_("an Assistant")
    HORSE = N_("a Horse")
    TRADE = N_("something from another player")
    SALE = N_("sell something to the bank")
    PASS = N_("pass")


STABLE = "stable"
"""The entry for a stable of any colour in the list of a seat's purchases."""


STALLS = {
    Buy.ACTIONS: Moment.ACTIONS_PRICE,
    Buy.OBJECTIVE: Moment.OBJECTIVE_PRICE,
    Buy.ASSISTANT: Moment.ASSISTANT_PRICE,
    Buy.HORSE: Moment.HORSE_PRICE,
}
"""What is bought from a deck, and the effects that make it cheaper."""
ONCE = (Buy.OBJECTIVE, Buy.ASSISTANT, Buy.HORSE)
"""What may be bought once in a phase, like a stable, in the order of `collections` (22)."""

BUYS = N_("Buy {choice}")
FOR = N_("{what}: {n} D")
STABLE_FOR = N_("{stable}: {n} D")
LOAN_OF = {
    Loan.BANK: N_("bank: {n} D, repay {repaid}"),
    Loan.UNDERWORLD: N_("underworld: {n} D, repay {repaid}"),
}
PASS_FOR = N_("pass and get {n} D")
TOO_DEAR = N_("you have only {money} D")
ONCE_ONLY = N_("once per turn")
NONE_LEFT = N_("none left")
TAKEN = N_("once per match")


def wares(g: HorseFeverTable, seat: Seat, number: int) -> OneOf:
    """Return the choices of a seat now, and the reasons against the others.

    Passing is always possible (22).
    """
    money, effects = g.money[seat].value, g.effects_of(seat)
    free = number == ROUNDS[-1] and has(effects, Moment.SECOND_ROUND)  # Miss Double (31)
    choices: list[Choice] = []
    unavailable: list[Unavailable] = []

    def offer(value: Any, label: str, cost: int, reason: str = "", verb: str = BUYS, **about: Any) -> None:
        if not reason and cost > money:
            reason = TOO_DEAR
        if reason:
            unavailable.append(Unavailable(label, reason, (value,), {**about, "money": money}))
        else:
            choices.append(Choice(value, label, verb=verb, params=about))

    for stall in STALLS:
        price = price_for(effects, stall)
        once = not free and stall in ONCE and stall in g.bought[seat]
        reason = ONCE_ONLY if once else "" if deck_of(g, stall) else NONE_LEFT
        offer(stall, FOR, price, reason, what=stall, n=price)
    stable_bought = not free and STABLE in g.bought[seat]
    for stable in LANES:
        if g.owners[stable] is None:
            price = stable_price(g, effects, stable)
            reason = ONCE_ONLY if stable_bought else ""
            offer(stable, STABLE_FOR, price, reason, stable=stable.stable, n=price)
    for loan, terms in LOANS.items():
        reason = TAKEN if (seat, loan) in g.loans else "" if len(g.loans) < LOAN_CARDS else NONE_LEFT
        repaid = worth(effects, terms.moment, terms.repaid)
        offer(loan, LOAN_OF[loan], 0, reason, N_("Borrow {n} D"), n=terms.lends, repaid=repaid)
    if offers_to(g, seat):
        offer(Buy.TRADE, Buy.TRADE.value, 0)
    if wares_of(g, seat):
        offer(Buy.SALE, Buy.SALE.value, 0, verb=N_("Sell something to the bank"))
    offer(Buy.PASS, PASS_FOR, 0, verb=N_("Pass and get {n} D"), n=worth(effects, Moment.PASSING, PASSING))
    return one_of(choices, unavailable=unavailable)


def price_for(effects: Effects, what: Buy) -> int:
    return worth(effects, STALLS[what], CARD_PRICE)


def stable_price(g: HorseFeverTable, effects: Effects, stable: Colour) -> int:
    return max(0, worth(effects, Moment.STABLE_PRICE, g.price_of(stable)))


def deck_of(g: HorseFeverTable, what: Buy) -> Pile[Any]:
    return g.action if what is Buy.ACTIONS else g.collections[ONCE.index(what)][0]
