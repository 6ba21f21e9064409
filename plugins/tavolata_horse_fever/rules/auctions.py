"""The two auctions of the Board Game: a point is sold to the bank, and one bought from it (ruling 27)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import cache

from tavolata import N_, Choice, OneOf, Seat, amount, one_of
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import AUCTION_FLOOR, AUCTION_START, AUCTION_STEP

SELL_A_POINT = N_("Sell a point for {n} D?")
BUY_A_POINT = N_("Buy a point for {n} D?")
LIMIT = "limit"
"""The answer of a bidder who names a limit."""
BIDS = {SELL_A_POINT: N_("Sell for {n} D"), BUY_A_POINT: N_("Pay {n} D")}
LIMITED = {
    SELL_A_POINT: N_("What's the least you'd sell a point for, in Danari?"),
    BUY_A_POINT: N_("What's the most you'd pay for a point, in Danari?"),
}
WEIGHS = N_("{seat} weighs a bid of {n} D.")
GO_ON = {
    SELL_A_POINT: N_("yes, and keep bidding down to a limit"),
    BUY_A_POINT: N_("yes, and keep bidding up to a limit"),
}
AS_FAR_AS = {SELL_A_POINT: N_("Bid down to {choice} D"), BUY_A_POINT: N_("Bid up to {choice} D")}
NAME_A_LIMIT = N_("Name a limit")
May = Callable[[Seat, int], bool]


async def auctions(g: HorseFeverTable, t: T) -> None:
    t.tell(N_("Low auction: who will sell the bank a point for the least?"))
    sold = await auction(
        g, t, -AUCTION_STEP, lambda seat, price: g.tokens[seat] >= 1 and price >= AUCTION_FLOOR,
        SELL_A_POINT, N_("{seat} would sell a point for {n} D."),
    )  # fmt: skip
    if sold is not None:
        seat, price = sold
        g.receive(seat, price, Flow.AUCTION)
        g.score(seat, -1, Flow.AUCTION)
        t.tell(N_("{seat} sells a point to the bank for {n} D."), seat=seat, n=price)
    t.tell(N_("High auction: who will pay the most for a point?"))
    bought = await auction(
        g, t, AUCTION_STEP, g.can_pay,
        BUY_A_POINT, N_("{seat} would pay {n} D for a point."),
    )  # fmt: skip
    if bought is not None:
        seat, price = bought
        g.pay(seat, price, Flow.AUCTION)
        g.score(seat, 1, Flow.AUCTION)
        t.tell(N_("{seat} buys a point from the bank for {n} D."), seat=seat, n=price)


async def auction(
    g: HorseFeverTable, t: T, step: int, may: May, question: str, bids: str
) -> tuple[Seat, int] | None:
    """Go around the table; return the seat that bid last, and its price, or None if no one bid.

    Each bid moves the price by a step; a player who passes is out of it. A player who has named a limit bids
    by it, step by step, and is not asked again. `may` says if a seat may bid this price, `question` is the
    prompt for the bidder, `bids` the message about a bid.
    """
    bidders, best, price = deque(g.around(t)), None, AUCTION_START - step
    limits: dict[Seat, int] = {}
    while bidders:
        seat = bidders.popleft()
        if seat == best:  # all others have passed
            break
        bid = price + step
        if not may(seat, bid):
            continue
        if seat in limits:
            bids_on: bool | str = (limits[seat] - bid) * step >= 0
        else:
            bids_on = await t.ask(
                seat, answers(question, bid), question, WEIGHS, otherwise=False, seat=seat, n=bid
            )
            if bids_on == LIMIT:
                low, high = (bid, g.money[seat].value) if step > 0 else (AUCTION_FLOOR, bid)
                kind = amount(low, high, AUCTION_STEP, default=bid)
                limits[seat] = await t.ask(
                    seat, kind, LIMITED[question], WEIGHS, seat=seat, n=bid, verb=AS_FAR_AS[question]
                )
        if bids_on:
            best, price = seat, bid
            t.tell(bids, seat=seat, n=bid)
            bidders.append(seat)
    if best is None:
        t.tell(N_("No one bids."))
        return None
    return best, price


@cache
def answers(question: str, price: int) -> OneOf[bool | str]:
    return one_of([
        Choice(True, N_("yes"), verb=BIDS[question], params={"n": price}),
        Choice(False, N_("no"), verb=N_("Stop bidding")),
        Choice(LIMIT, GO_ON[question], verb=NAME_A_LIMIT),
    ])  # fmt: skip
