"""The ruin of players who can't pay: they lose points, or the match (rulings 15, 18, 20)."""

from __future__ import annotations

from tavolata import N_, Seat
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import PENALTY


async def cannot_pay(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Take two points from a seat. A seat that has fewer is out (15, 18)."""
    if g.points(seat) >= PENALTY:
        g.score(seat, -PENALTY, Flow.PENALTY)
        t.tell(N_("{seat} can't pay, and loses {points} points."), seat=seat, points=PENALTY)
    else:
        t.tell(N_("{seat} can't pay, not even in points, and is out."), seat=seat)
        await put_out(g, t, seat)


async def put_out(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Take a seat out of the match: its stakes are lost, its cards go back, and it is skipped (20)."""
    g.gone.append(seat)
    g.bets = [bet for bet in g.bets if bet.seat != seat]
    g.pay(seat, g.money[seat].value, Flow.OUT)
    g.hands[seat].move_to(g.spent)
    for stable in g.stables_of(seat):
        g.gates[stable].move_to(g.horses[seat])
        g.owners[stable] = None
    for deck, piles in g.collections:
        await g.put_under(t, deck, piles[seat])
    g.give_loans_back(seat)
    if g.first == seat and not g.only_one_left:
        g.first = t.ring.next(seat, where=g.is_in)
        t.tell(N_("{seat} gets the First Player card."), seat=g.first)
