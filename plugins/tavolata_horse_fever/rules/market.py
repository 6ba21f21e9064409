"""The market: trade between players, and sales to the bank (rulings 24 to 26)."""

from __future__ import annotations

from typing import Any

from tavolata import N_, Card, Choice, Seat, one_of
from tavolata_horse_fever.cards.action import ALL_ACTION, PLAIN_ACTION
from tavolata_horse_fever.colours import Colour, Stable
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.swapping import swap
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import CARD_PRICE, DEALT, half

Ware = Colour | Card[Any]
"""A thing that changes hands: a stable or a card."""

OBJECTIVE = "objective"
"""Any Objective of a player. Its owner chooses which one (24)."""

Offer = tuple[Seat, Any]
"""A seller, and a ware or `OBJECTIVE`."""

OBJECTIVE_OF = N_("an Objective from {seller}: {n} D")
WARE_OF = N_("{ware} from {seller}: {n} D")
SALE = N_("{ware}: {n} D")
BACK = Choice(None, N_("something else after all"), verb=N_("Go back"))
SELLS = one_of([
    Choice(True, N_("yes"), verb=N_("Sell")), Choice(False, N_("no"), verb=N_("Keep it")),
])  # fmt: skip

WHICH_WARE = N_("What do you want, and from which player?")
WHICH_OBJECTIVE = N_("Which Objective will you sell?")
WHAT_TO_SELL = N_("What will you sell to the bank?")
ASKS_WARE = N_("{buyer} offers you {n} D for {ware}. Will you sell?")
ASKS_OBJECTIVE = N_("{buyer} offers you {n} D for an Objective of your choice. Will you sell?")
BUYS_WARE = N_("{buyer} buys {ware} from {seller} for {n} D.")
BUYS_OBJECTIVE = N_("{buyer} buys an Objective from {seller} for {n} D.")


def price(g: HorseFeverTable, ware: Any) -> int:
    """Return the bank's price of a ware now, without discounts."""
    if isinstance(ware, Colour):
        return g.price_of(ware)
    is_action = isinstance(ware, Card) and ware.deck in (PLAIN_ACTION, ALL_ACTION)
    return CARD_PRICE // DEALT if is_action else CARD_PRICE


def named(ware: Ware) -> Stable | Card[Any]:
    return ware.stable if isinstance(ware, Colour) else ware


# -- from player to player -------------------------------------------------------------------------


def offers_to(g: HorseFeverTable, buyer: Seat) -> list[Offer]:
    """Return the offers that this seat can pay for and no one has refused in this purchase (24)."""
    offers: list[Offer] = []
    for seller in g.players:
        if seller == buyer:
            continue
        wares: list[Any] = [*g.stables_of(seller), *g.assistants[seller], *g.horses[seller]]
        wares += [OBJECTIVE] if g.objectives[seller] else []
        offers += [(seller, ware) for ware in wares if g.can_pay(buyer, 2 * price(g, ware))]
    return [offer for offer in offers if offer not in g.refused]


async def buy_from_a_player(g: HorseFeverTable, t: T, buyer: Seat) -> bool:
    """Ask for a ware and offer its owner double its price; return True if the owner sold it (24)."""
    choices = [_choice(g, offer) for offer in offers_to(g, buyer)]
    chosen: Offer | None = await t.ask(
        buyer, one_of([*choices, BACK]), WHICH_WARE,
        N_("{seat} looks at what the others have."), seat=buyer, verb=N_("Offer to buy {choice}"),
    )  # fmt: skip
    if chosen is None:
        return False
    seller, ware = chosen
    about: dict[str, Any] = {"buyer": buyer, "seller": seller, "n": 2 * price(g, ware)}
    asks, buys = ASKS_OBJECTIVE, BUYS_OBJECTIVE
    if ware != OBJECTIVE:
        about["ware"] = named(ware)
        asks, buys = ASKS_WARE, BUYS_WARE
    offered = N_("{buyer} makes {seller} an offer: {n} D.")
    if not await t.ask(seller, SELLS, asks, offered, otherwise=False, **about):
        g.refused.append(chosen)
        t.tell(N_("{seller} won't sell."), seller=seller)
        return False
    g.hand_over(buyer, seller, 2 * price(g, ware), Flow.TRADE)
    t.tell(buys, **about)
    await deliver(g, t, seller, buyer, ware)
    return True


def _choice(g: HorseFeverTable, offer: Offer) -> Choice:
    seller, ware = offer
    about = {"seller": seller, "n": 2 * price(g, ware)}
    if ware == OBJECTIVE:
        return Choice(offer, OBJECTIVE_OF, params=about)
    return Choice(offer, WARE_OF, params={**about, "ware": named(ware)})


async def deliver(g: HorseFeverTable, t: T, seller: Seat, buyer: Seat, ware: Any) -> None:
    """Give a ware to its new owner. The seller chooses an Objective; only buyer and seller know it."""
    if isinstance(ware, Colour):
        g.owners[ware] = buyer
    elif ware == OBJECTIVE:
        cards = g.objectives[seller]
        card = cards.top
        if len(cards) > 1:
            card = await t.ask(
                seller, one_of(cards), WHICH_OBJECTIVE, N_("{seat} chooses an Objective."),
                seat=seller, verb=N_("Sell {choice}"),
            )  # fmt: skip
        await t.show([card], [buyer])
        g.objectives[buyer].put(cards.take(card))
    else:
        piles: list[Any] = g.assistants if ware in g.assistants[seller] else g.horses
        piles[buyer].put(piles[seller].take(ware))
        await swap(g, t, buyer, ware, piles)


# -- to the bank -----------------------------------------------------------------------------------


def wares_of(g: HorseFeverTable, seat: Seat) -> list[Any]:
    """Return the wares that a seat can sell to the bank (24, 25)."""
    return [*g.stables_of(seat), *g.assistants[seat], *g.horses[seat], *g.objectives[seat], *g.hands[seat]]


async def sell_to_the_bank(g: HorseFeverTable, t: T, seat: Seat) -> bool:
    """Sell one ware for half its price; return True if something was sold (25)."""
    choices = [
        Choice(ware, SALE, params={"ware": named(ware), "n": half(price(g, ware))})
        for ware in wares_of(g, seat)
    ]
    ware: Any = await t.ask(
        seat, one_of([*choices, BACK]), WHAT_TO_SELL,
        N_("{seat} is thinking of selling something."), seat=seat, verb=N_("Sell {choice}"),
    )  # fmt: skip
    if ware is None:
        return False
    money = half(price(g, ware))
    g.receive(seat, money, Flow.SALE)
    if ware in g.objectives[seat]:
        t.tell(N_("{seat} sells an Objective to the bank for {n} D."), seat=seat, n=money)
    elif ware in g.hands[seat]:
        t.tell(N_("{seat} sells an Action card to the bank for {n} D."), seat=seat, n=money)
    else:
        t.tell(N_("{seat} sells {ware} to the bank for {n} D."), seat=seat, ware=named(ware), n=money)
    if isinstance(ware, Colour):
        g.owners[ware] = None
        return True
    for deck, piles in (*g.collections, (g.action, g.hands)):
        if ware in piles[seat]:
            g.aside.put(piles[seat].take(ware))
            await g.put_under(t, deck, g.aside)
    return True
