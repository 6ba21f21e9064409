"""The tables of the rulebook and of the board: numbers that no card changes."""

from __future__ import annotations

FINISH = 12
"""The number of the striped square; the start is 0, and beyond the finish one counts on for ever (1)."""

LAST_SQUARE = 21
"""No horse gets further: from square 11 with 4, over the line with 3 more, and with a sprint of 3."""

HIGHEST, LOWEST = 2, 7
"""The odds 1:2 and 1:7: the favourite's row and the outsider's, rows 1 and 6 of the blackboard."""

PRICES = {2: 2100, 3: 1900, 4: 1700, 5: 1500, 6: 1300, 7: 1100}
"""What a stable costs, by its odds."""

CARD_PRICE = 400
"""What all other cards cost, and two Action cards together."""

PASSING = 400
"""What passing brings."""

DRAWN = 4
"""Of so many Objectives, Assistants or Horses a buyer chooses one (23)."""

DEALT = 2
"""So many Action cards are dealt in the Family Game, and bought at once in the Board Game."""

TURNS = {2: 6, 3: 6, 4: 4, 5: 5, 6: 6}
"""How many turns a match has, by the number of players."""

BET_TOKENS = {2: 1, 3: 2, 4: 3, 5: 4, 6: 4}
"""How many bets may lie on each horse, by the number of players."""

UNIT = 100
"""The smallest note: everything is a multiple of it (14)."""

START_POINTS = 1
"""Tokens that everybody begins with; a stable is worth one point more (14)."""

WIN_POINTS, PLACE_POINTS = 3, 1
"""What a guessed bet brings."""

PLACED = 3
"""A bet to place is won by the first so many horses."""

PLACE_PAYS = 2
"""What a bet to place pays for each Danaro, whatever the odds."""

PRIZES = {1: 600, 2: 400, 3: 200}
"""What the owner of a stable gets for its place."""

PENALTY = 2
"""Points lost by who can't pay; who has fewer is out (15, 18)."""

AUCTION_START, AUCTION_STEP, AUCTION_FLOOR = 1000, 100, 100
"""Both auctions begin here and go on in such steps; the low one ends at the floor at the latest (27)."""

GOAL_ALONE, GOAL_SHARED = 2, 1
"""What an Objective is worth to who is best alone, and to those who share it (29)."""

LOAN_CARDS = 6
"""So many loans there are; each card can be turned to either side."""


def clamped(odds: int) -> int:
    """The nearest odds that there are (3)."""
    return max(HIGHEST, min(LOWEST, odds))


def half(price: int) -> int:
    """What the bank pays for a card of this price: half, rounded down to a note (25)."""
    return price // 2 // UNIT * UNIT
