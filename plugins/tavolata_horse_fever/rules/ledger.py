"""The ledger of money and points: every Danaro and every point moves through this module, under a name.

A seat's money is always the sum of its flows. All money together is what the bank has paid out less what
it has taken in. The bank and the pool of points never run dry (19).
"""

from __future__ import annotations

from enum import Enum

from tavolata import Counter, Counters, Game, Seat, Table
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.tables import START_POINTS


class Flow(Enum):
    """The reasons for which money and points come and go."""

    START = "start"
    STAKE = "stakes"  # they belong to the bank as soon as they are laid
    WINNINGS = "won bets"
    BETTORS = "cards for those who bet"
    PRIZE = "prizes of stables"
    HORSE = "money of lined-up horses"
    ASSISTANT = "income of assistants"
    NEIGHBOUR = "money between neighbours"
    PENALTY = "points for what could not be paid"
    PURCHASE = "purchases"
    GIFT = "money that came with a card"
    PASSED = "passing"
    TRADE = "trades between players"
    SALE = "cards sold to the bank"
    LOAN = "loans taken"
    REPAID = "loans repaid"
    AUCTION = "auctions"
    OUT = "purses of those who are out"
    GOAL = "objectives"


Books = dict[Flow, list[int]]
"""By flow, the gain of each seat; losses are negative."""


class LedgerGame(Game[HorseFeverOptions]):
    """A table with a bank: its balance is negative, for it's the source of all money.

    `tokens` are the points of each seat without its stables; below zero if it paid with a stable's (15). The
    books have the flows of money, and of tokens.
    """

    bank: Counter
    money: Counters
    tokens: list[int]
    money_books: Books
    point_books: Books

    def open_books(self, t: Table[HorseFeverOptions]) -> None:
        """Open the bank and give everybody their first point (14)."""
        self.bank = t.bank("bank")
        self.money = t.counters("money")
        self.tokens = [0] * len(t.ring)
        self.money_books, self.point_books = {}, {}
        for seat in t.ring:
            self.score(seat, START_POINTS, Flow.START)

    def receive(self, seat: Seat, amount: int, why: Flow) -> None:
        self.bank.pay(amount, self.money[seat])
        _enter(self.money_books, why, len(self.tokens), seat, amount)

    def pay(self, seat: Seat, amount: int, why: Flow) -> None:
        """Take money from a seat for the bank. The seat must have it, or the rules are wrong."""
        self.money.pay(seat, amount, self.bank)
        _enter(self.money_books, why, len(self.tokens), seat, -amount)

    def hand_over(self, payer: Seat, to: Seat, amount: int, why: Flow) -> None:
        self.money.move(payer, to, amount)
        _enter(self.money_books, why, len(self.tokens), payer, -amount)
        _enter(self.money_books, why, len(self.tokens), to, amount)

    def score(self, seat: Seat, points: int, why: Flow) -> None:
        """Move points from the pool to a seat, or back if negative."""
        self.tokens[seat] += points
        _enter(self.point_books, why, len(self.tokens), seat, points)

    def can_pay(self, seat: Seat, amount: int) -> bool:
        return self.money[seat].value >= amount


def _enter(books: Books, why: Flow, seats: int, seat: Seat, amount: int) -> None:
    books.setdefault(why, [0] * seats)[seat] += amount
