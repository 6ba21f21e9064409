"""Payments after the race, and the new odds (rulings 4, 5, 13, 18)."""

from __future__ import annotations

from tavolata import N_, Seat, Text
from tavolata_horse_fever.cards.effects import Moment, worth
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.rules.bets import Bet, Side
from tavolata_horse_fever.rules.ledger import Flow
from tavolata_horse_fever.rules.ruin import cannot_pay
from tavolata_horse_fever.rules.table import HorseFeverTable, T
from tavolata_horse_fever.tables import PLACE_PAYS, PLACE_POINTS, PLACED, PRIZES, WIN_POINTS, clamped

NEW_ODDS = N_("The new odds: {rows}.")


async def payments(g: HorseFeverTable, t: T) -> None:
    """Clockwise from the First Player: bets, prizes, income, and then what is owed (18)."""
    t.tell(N_("The race is over: {horses}. Let's settle up."), horses=g.ranking, stamp=N_("finish"))
    for seat in g.around(t):
        pay_bets(g, t, seat)
        pay_prizes(g, t, seat)
        pay_income(g, t, seat)
        await collect_debts(g, t, seat)


def pay_bets(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Pay Danari and points for won bets. The bank has the other stakes already (4, 13)."""
    for one in [one for one in g.bets if one.seat == seat]:
        if not guessed(g, one):
            t.tell(N_("{seat} loses this bet: {bet}."), seat=seat, bet=one)
            continue
        won = one.stake * (g.odds[one.horse] if one.side is Side.WIN else PLACE_PAYS)
        points = WIN_POINTS if one.side is Side.WIN else PLACE_POINTS
        points = max(0, worth(g.effects_in(one.horse), Moment.POINTS, points))
        g.receive(seat, won, Flow.WINNINGS)
        g.score(seat, points, Flow.WINNINGS)
        t.tell(N_("{seat} wins a bet ({bet}): {won} D. Points: {points}."),
               seat=seat, bet=one, won=won, points=points)  # fmt: skip
    for horse in LANES:
        if (bonus := bettors_money(g, seat, horse)) > 0:
            g.receive(seat, bonus, Flow.BETTORS)
            t.tell(
                N_("{seat} gets {n} D, like everyone who bet on {horse}."), horse=horse, n=bonus, seat=seat
            )


def guessed(g: HorseFeverTable, bet: Bet) -> bool:
    places = 1 if bet.side is Side.WIN else worth(g.effects_of(bet.seat), Moment.PLACES, PLACED)
    return g.place(bet.horse) <= places


def bettors_money(g: HorseFeverTable, seat: Seat, horse: Colour) -> int:
    """Return the money that cards give or cost a seat that has a bet on this horse, once (13)."""
    if not any(one.seat == seat and one.horse is horse for one in g.bets):
        return 0
    return worth(g.effects_in(horse), Moment.BETTORS, 0)


def pay_prizes(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Pay prizes for the stables of the first, second and third horse."""
    for stable in g.stables_of(seat):
        if prize := PRIZES.get(g.place(stable), 0):
            g.receive(seat, prize, Flow.PRIZE)
            t.tell(N_("{seat} gets {n} D for {stable}."), seat=seat, n=prize, stable=stable.stable)


def pay_income(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Pay what lined-up Horses and Assistants bring."""
    for stable in g.stables_of(seat):
        if money := worth(g.effects_in(stable), Moment.OWNER, 0):
            g.receive(seat, money, Flow.HORSE)
            t.tell(N_("{seat} gets {n} D for {card}."), seat=seat, n=money, card=g.gates[stable].top)
    if money := worth(g.effects_of(seat), Moment.INCOME, 0):
        g.receive(seat, money, Flow.ASSISTANT)
        t.tell(N_("{seat}'s Assistants earn {n} D."), seat=seat, n=money)


async def collect_debts(g: HorseFeverTable, t: T, seat: Seat) -> None:
    """Collect debts to neighbours, then to the bank. A debt that a seat can't pay costs points (18)."""
    left, right = t.ring.next(seat, where=g.is_in), t.ring.previous(seat, where=g.is_in)
    for creditor, moment in ((left, Moment.FROM_RIGHT), (right, Moment.FROM_LEFT)):
        debt = worth(g.effects_of(creditor), moment, 0) if g.is_in(seat) and creditor != seat else 0
        if debt and g.can_pay(seat, debt):
            g.hand_over(seat, creditor, debt, Flow.NEIGHBOUR)
            t.tell(N_("{seat} pays {n} D to their neighbour {to}."), seat=seat, to=creditor, n=debt)
        elif debt:
            await cannot_pay(g, t, seat)
    for horse in LANES:
        debt = -bettors_money(g, seat, horse)
        if debt > 0 and g.can_pay(seat, debt):
            g.pay(seat, debt, Flow.BETTORS)
            t.tell(N_("{seat} pays {n} D, like everyone who bet on {horse}."), horse=horse, n=debt, seat=seat)
        elif debt > 0:
            await cannot_pay(g, t, seat)


async def new_odds(g: HorseFeverTable, t: T) -> None:
    """Move each stable one row towards the place of its horse, all at the same time (5)."""
    for stable, odds in g.odds.items():
        row = odds - 1
        place = g.place(stable)
        g.odds[stable] = clamped(odds + (place > row) - (place < row))
    rows = [Text("{stable} 1:{odds}", {"stable": stable, "odds": g.odds[stable]}) for stable in LANES]
    t.tell(NEW_ODDS, rows=rows)
