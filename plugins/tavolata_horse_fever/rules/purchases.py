"""The purchases of the Board Game: two rounds, one thing in each (rulings 22 to 26, 31)."""

from __future__ import annotations

from typing import Any

from tavolata import N_, Card, Choice, Hand, Pile, Seat, one_of
from tavolata_horse_fever.cards.effects import Moment, worth
from tavolata_horse_fever.cards.loans import LOANS, Loan
from tavolata_horse_fever.colours import STABLES, Colour
from tavolata_horse_fever.rules.counter import (
    ROUNDS,
    STABLE,
    Buy,
    deck_of,
    price_for,
    stable_price,
    wares,
)
from tavolata_horse_fever.rules.dealing import announce
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.market import buy_from_a_player, sell_to_the_bank
from tavolata_horse_fever.rules.swapping import swap
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import DEALT, DRAWN, PASSING

WHAT = N_("What will you buy? You have {n} D.")
SHUFFLE = N_("Shuffle the deck before you draw?")
WHETHER = one_of([
    Choice(True, N_("yes"), verb=N_("Shuffle first")), Choice(False, N_("no"), verb=N_("Just draw")),
])  # fmt: skip
WHICH = N_("Which card will you keep?")


async def purchases(g: HorseFeverTable, t: T) -> None:
    """Two rounds, clockwise from the First Player."""
    announce(g, t)
    await t.shuffle(g.action, g.spent)
    g.bought = [[] for _ in t.ring]
    for number in ROUNDS:
        t.tell(N_("Purchases, round {number}."), number=number)
        for seat in g.around(t):
            await buy(g, t, seat, number)


async def buy(g: HorseFeverTable, t: T, seat: Seat, number: int) -> None:
    """Ask for one purchase. A player without a seller chooses again; no offer is made twice."""
    g.refused = []
    while True:
        done = True
        chosen = await t.ask(
            seat, wares(g, seat, number),
            WHAT, N_("{seat} looks at what's on offer."),
            otherwise=Buy.PASS, seat=seat, n=g.money[seat].value,
        )  # fmt: skip
        match chosen:
            case Colour():
                buy_stable(g, t, seat, chosen)
            case Loan():
                borrow(g, t, seat, chosen)
            case Buy.TRADE:
                done = await buy_from_a_player(g, t, seat)
            case Buy.SALE:
                done = await sell_to_the_bank(g, t, seat)
            case Buy.PASS:
                money = worth(g.effects_of(seat), Moment.PASSING, PASSING)
                g.receive(seat, money, Flow.PASSED)
                t.tell(N_("{seat} passes and gets {n} D."), seat=seat, n=money)
            case _:
                await buy_from_the_deck(g, t, seat, chosen)
        if done:
            break
    g.bought[seat].append(STABLE if isinstance(chosen, Colour) else chosen)


# -- buying from the bank --------------------------------------------------------------------------


def buy_stable(g: HorseFeverTable, t: T, seat: Seat, stable: Colour) -> None:
    """Sell a stable that nobody owns, at the price of its odds."""
    price = stable_price(g, g.effects_of(seat), stable)
    g.pay(seat, price, Flow.PURCHASE)
    g.owners[stable] = seat
    t.tell(N_("{seat} buys {name}, {stable}, for {n} D."),
           seat=seat, name=STABLES[stable], stable=stable.stable, n=price)  # fmt: skip


def borrow(g: HorseFeverTable, t: T, seat: Seat, loan: Loan) -> None:
    """Give a loan. A player gets each kind once in a match (22)."""
    g.loans.append((seat, loan))
    g.receive(seat, LOANS[loan].lends, Flow.LOAN)
    t.tell(N_("{seat} takes {loan}: {n} D."), seat=seat, loan=loan, n=LOANS[loan].lends)


async def buy_from_the_deck(g: HorseFeverTable, t: T, seat: Seat, what: Buy) -> None:
    """Sell two Action cards, or one card that the buyer chooses from four (23)."""
    price = price_for(g.effects_of(seat), what)
    g.pay(seat, price, Flow.PURCHASE)
    t.tell(N_("{seat} buys {what} for {n} D."), seat=seat, what=what, n=price)
    deck = deck_of(g, what)
    if what is Buy.ACTIONS:
        await t.deal(deck, [g.hands[seat]], each=min(DEALT, len(deck)))
        return
    await shuffle_if_wanted(g, t, seat, deck)
    card = await choose(g, t, seat, deck)
    if what is Buy.OBJECTIVE:
        g.objectives[seat].put(card)
        t.tell(N_("{seat} keeps one Objective, face down."), seat=seat)
    else:
        await show(g, t, seat, card, g.assistants if what is Buy.ASSISTANT else g.horses)


async def shuffle_if_wanted(g: HorseFeverTable, t: T, seat: Seat, deck: Pile[Any]) -> None:
    """Ask the buyer whether to shuffle, if cards have been put under the deck: only then can it matter."""
    if deck.name in g.stirred and await t.ask(seat, WHETHER, SHUFFLE, N_("{seat} eyes the deck."), seat=seat):
        await t.shuffle(deck)
        g.stirred.remove(deck.name)
        t.tell(N_("{seat} shuffles the deck first."), seat=seat)


async def choose(g: HorseFeverTable, t: T, seat: Seat, deck: Pile[Any]) -> Card[Any]:
    """Draw four cards, or fewer if there are fewer; keep one, put the others under the deck (23)."""
    for _ in range(min(DRAWN, len(deck))):
        g.aside.put(deck.take_top())
    await t.show(g.aside, [seat])
    card: Card[Any] = await t.ask(
        seat, one_of(g.aside), WHICH, N_("{seat} looks at {n} cards."),
        seat=seat, n=len(g.aside), verb=N_("Keep {choice}"),
    )  # fmt: skip
    g.aside.take(card)
    await g.put_under(t, deck, g.aside)
    return card


async def show(
    g: HorseFeverTable, t: T, seat: Seat, card: Card[Any], piles: list[Pile[Any]] | list[Hand[Any]]
) -> None:
    """Lay a bought card open before its owner, and do what it does when it is bought (26)."""
    await t.reveal([card])
    piles[seat].put(card)
    t.tell(N_("{seat} chooses {card}."), seat=seat, card=card)
    if gift := worth(card.face.effects, Moment.BOUGHT, 0):
        g.receive(seat, gift, Flow.GIFT)
        t.tell(N_("{card} earns {seat} {n} D."), card=card, seat=seat, n=gift)
    await swap(g, t, seat, card, piles)
