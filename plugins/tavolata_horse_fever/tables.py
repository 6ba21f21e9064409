"""The tables of the rulebook and of the board: numbers that no card changes."""

from __future__ import annotations

FINISH = 12
"""The number of the striped square. The start is 0, and the squares beyond the finish never end (1)."""

LAST_SQUARE = 21
"""No horse gets further: from square 11 with 4, over the line with 3 more, and with a sprint of 3."""

HIGHEST, LOWEST = 2, 7
"""The odds 1:2 and 1:7: the favourite's row and the outsider's, rows 1 and 6 of the blackboard."""

PRICES = {2: 2100, 3: 1900, 4: 1700, 5: 1500, 6: 1300, 7: 1100}
"""The price of a stable, by its odds."""

CARD_PRICE = 400
"""The price of any other card, and of two Action cards."""

PASSING = 400
"""The money for passing."""

DRAWN = 4
"""The number of Objectives, Assistants or Horses from which a buyer chooses one (23)."""

DEALT = 2
"""The number of Action cards of a deal in the Family Game, and of a purchase in the Board Game."""

TURNS = {2: 6, 3: 6, 4: 4, 5: 5, 6: 6}
"""The turns of a match, by the number of players."""

BET_TOKENS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 4}
"""The bets that each horse takes, by the number of players."""

UNIT = 100
"""The smallest note. All amounts are multiples of it (14)."""

START_POINTS = 1
"""The tokens of each player at the start. A stable is one point more (14)."""

WIN_POINTS, PLACE_POINTS = 3, 1
"""The points of a won bet."""

PLACED = 3
"""The number of horses that win a bet to place."""

PLACE_PAYS = 2
"""The Danari that a bet to place pays for each one staked, whatever the odds."""

PRIZES = {1: 600, 2: 400, 3: 200}
"""The prize of a stable's owner, by the place of its horse."""

PENALTY = 2
"""The points that a player who can't pay loses. A player with fewer is out (15, 18)."""

AUCTION_START, AUCTION_STEP, AUCTION_FLOOR = 1000, 100, 100
"""The first price of both auctions, their step, and the lowest price of the low one (27)."""

GOAL_ALONE, GOAL_SHARED = 2, 1
"""The points of an Objective for the best player alone, and for each of several (29)."""

LOAN_CARDS = 6
"""The number of loan cards. Each has both kinds of loan, one on each side."""


def clamped(odds: int) -> int:
    """Return the nearest odds that there are (3)."""
    return max(HIGHEST, min(LOWEST, odds))


def half(price: int) -> int:
    """Return the bank's payment for a card of this price: half, rounded down to a note (25)."""
    return price // 2 // UNIT * UNIT
