"""Zompa with the default rules as one plain function, to measure its cost without any framework.

The same rules as `tavolata_zompa`, the same kind of chance (a generator for each game, a
Fisher-Yates shuffle of `random()`), and nothing else: no log, no pieces, no seats that are objects.
"""

from __future__ import annotations

from random import Random

PACK = [rank for rank in range(1, 11) for _ in range(4)]


def play(seats: int, seed: int, start: int = 4) -> tuple[int, int]:
    """Play one match; return the winner and the number of turned cards."""
    random = Random(seed).random
    fiches = [start] * seats
    centre = cards = 0
    dealer = called = int(random() * seats)
    pack: list[int] = []
    while True:
        if not pack:
            if cards:
                dealer = (dealer + 1) % seats
            called = dealer
            pack = PACK[:]
            for left in range(39, 0, -1):
                place = int(random() * (left + 1))
                pack[left], pack[place] = pack[place], pack[left]
        rank = pack.pop()
        cards += 1
        called = (called + 1) % seats
        while not fiches[called]:
            called = (called + 1) % seats
        if rank == 1:
            payer = called
            for _ in range(2):
                while not fiches[payer]:
                    payer = (payer + 1) % seats
                fiches[payer] -= 1
                centre += 1
                if not fiches[payer] and fiches.count(0) == seats - 1:
                    return next(seat for seat in range(seats) if fiches[seat]), cards
        elif rank == 8:
            fiches[called] -= 1
            fiches[called - 1] += 1
        elif rank == 9:
            fiches[called] -= 1
            fiches[(called + 2) % seats] += 1
        elif rank == 10 and centre:
            centre -= 1
            fiches[called] += 1
        if not fiches[called] and fiches.count(0) == seats - 1:
            return next(seat for seat in range(seats) if fiches[seat]), cards
