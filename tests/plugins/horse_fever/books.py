"""Money and points never come from nowhere: what a match's books have to say after every entry."""

from __future__ import annotations

from typing import Any

from tavolata_horse_fever.rules.ledger import Flow

BETWEEN_PLAYERS = {Flow.NEIGHBOUR, Flow.TRADE}
GAINS = {
    Flow.WINNINGS, Flow.PRIZE, Flow.HORSE, Flow.ASSISTANT, Flow.GIFT, Flow.PASSED, Flow.SALE, Flow.LOAN,
    Flow.GOAL,
}  # fmt: skip
COSTS = {Flow.STAKE, Flow.PENALTY, Flow.PURCHASE, Flow.REPAID, Flow.OUT}


def check(game: Any) -> None:
    """What each has is what came in less what went out, by name; the bank has the other side of it all."""
    seats = range(len(game.tokens))
    purse = game.money.values()
    assert min(purse) >= 0
    assert purse
    assert all(money % 100 == 0 for money in purse)
    for seat in seats:
        assert purse[seat] == sum(flow[seat] for flow in game.money_books.values())
        assert game.tokens[seat] == sum(flow[seat] for flow in game.point_books.values())
    assert game.bank.value == -sum(map(sum, game.money_books.values())) == -sum(purse)
    for books in (game.money_books, game.point_books):
        for why, flow in books.items():
            if why in BETWEEN_PLAYERS:
                assert sum(flow) == 0
            elif why in GAINS:
                assert min(flow) >= 0
            elif why in COSTS:
                assert max(flow) <= 0
            else:
                assert why in (Flow.START, Flow.BETTORS, Flow.AUCTION)  # tests begin as they like
