"""Money and points: every Danaro and every point moves by a word of this module, under a name.

What a seat has is always the sum of its flows, and what all have together is what the bank has paid
out less what it has taken in. The bank and the pool of points never run dry (19).
"""

from __future__ import annotations

from enum import Enum

from tavolata import Bank, Counters, Game, Seat, Table
from tavolata_horse_fever.options import HorseFeverOptions
from tavolata_horse_fever.tables import START_POINTS


class Flow(Enum):
    """Why money or points came or went."""

    START = "start"
    STAKE = "stakes"  # the bank's from the moment they are laid
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
"""By flow, what each seat has gained by it; losses are negative."""


class LedgerGame(Game[HorseFeverOptions]):
    """A table with a bank.

    Attributes:
        bank: where money comes from and goes to.
        money: what each seat has in hand.
        tokens: points of each seat, stables not counted; who pays with a stable's point is below zero (15).
        money_books: how money came and went.
        point_books: how tokens came and went.
    """

    bank: Bank
    money: Counters
    tokens: list[int]
    money_books: Books
    point_books: Books

    def open_books(self, t: Table[HorseFeverOptions]) -> None:
        """Everybody begins with a point (14)."""
        self.bank = t.bank("bank")
        self.money = t.counters("money")
        self.tokens = [0] * len(t.ring)
        self.money_books, self.point_books = {}, {}
        for seat in t.ring:
            self.score(seat, START_POINTS, Flow.START)

    def receive(self, seat: Seat, amount: int, why: Flow) -> None:
        """The bank pays a seat."""
        self.bank.pay(amount, self.money[seat])
        _enter(self.money_books, why, len(self.tokens), seat, amount)

    def pay(self, seat: Seat, amount: int, why: Flow) -> None:
        """A seat pays the bank; it has the money, or the rules are wrong."""
        self.money.pay(seat, amount, self.bank)
        _enter(self.money_books, why, len(self.tokens), seat, -amount)

    def hand_over(self, payer: Seat, to: Seat, amount: int, why: Flow) -> None:
        """A seat pays another one."""
        self.money.move(payer, to, amount)
        _enter(self.money_books, why, len(self.tokens), payer, -amount)
        _enter(self.money_books, why, len(self.tokens), to, amount)

    def score(self, seat: Seat, points: int, why: Flow) -> None:
        """Points from the pool, or into it."""
        self.tokens[seat] += points
        _enter(self.point_books, why, len(self.tokens), seat, points)

    def can_pay(self, seat: Seat, amount: int) -> bool:
        """Whether a seat has so much in hand."""
        return self.money[seat].value >= amount


def _enter(books: Books, why: Flow, seats: int, seat: Seat, amount: int) -> None:
    books.setdefault(why, [0] * seats)[seat] += amount
