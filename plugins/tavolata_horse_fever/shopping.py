"""What a bot buys, sells and bids in the Board Game: rough worths in Danari, by the races that are left."""

from __future__ import annotations

from typing import Any

from tavolata import Card, Seat
from tavolata_horse_fever.appraisal import Appraiser, face_of
from tavolata_horse_fever.cards.effects import Moment
from tavolata_horse_fever.cards.faces import HorseCard
from tavolata_horse_fever.cards.loans import LOANS, Loan
from tavolata_horse_fever.cards.objectives import Goods, Objective
from tavolata_horse_fever.colours import Colour
from tavolata_horse_fever.rules.counter import Buy, price_for, stable_price
from tavolata_horse_fever.rules.ending import holding
from tavolata_horse_fever.rules.market import OBJECTIVE, price
from tavolata_horse_fever.tables import half

PRIZE = {2: 430, 3: 350, 4: 260, 5: 170, 6: 110, 7: 60}
"""What a stable wins in a race, about, by its odds."""
YEARLY = {
    Moment.INCOME: 300,
    Moment.FROM_RIGHT: 180,
    Moment.FROM_LEFT: 180,
    Moment.PASSING: 150,
    Moment.OBJECTIVE_PRICE: 200,
    Moment.ASSISTANT_PRICE: 150,
    Moment.HORSE_PRICE: 120,
    Moment.STABLE_PRICE: 150,
}
"""What an Assistant is worth in each turn, by what it does."""
ONCE = {Moment.BOUGHT: 800, Moment.COUNT: 250, Moment.SWAP: 400}
GOAL_CHANCE = 0.45
"""How likely an Objective is reached that was chosen from four."""
HORSE_IN_A_RACE = 130


class Shopper(Appraiser):
    """One seat's thoughts at the counter."""

    def gain(self, value: Any) -> float:
        """What a purchase is worth, less what it costs; what can't be afforded is worth nothing."""
        effects = self.game.effects_of(self.seat)
        match value:
            case Colour():
                return self.worth_of(value) - self.strained(stable_price(self.game, effects, value))
            case Loan():
                return self.gain_of_a_loan(value)
            case Buy.PASS:
                return 400.0
            case Buy.TRADE | Buy.SALE:
                return -10_000.0
        return self.worth_of(value) - self.strained(price_for(effects, value))

    def strained(self, cost: int) -> float:
        """A cost as it feels: twice as much where it leaves too little for the next bets."""
        return cost + max(0, cost - self.spare + 2 * self.game.minimum_bet(self.seat)) * 1.5

    def worth_of(self, thing: Any) -> float:
        """What a thing is worth to this seat now."""
        turns = self.turns_left
        match thing:
            case Colour():
                return self.point + PRIZE[self.game.odds[thing]] * turns
            case Buy.ACTIONS:
                return 500.0 if self.game.hands[self.seat] else 900.0
            case Buy.OBJECTIVE | "objective":
                return GOAL_CHANCE * 2 * self.point
            case Buy.ASSISTANT:
                return 260.0 * turns
            case Buy.HORSE:
                free = len(self.game.stables_of(self.seat)) - len(self.game.horses[self.seat])
                return HORSE_IN_A_RACE * 2.0 * turns if free > 0 else 150.0
            case Card():
                return self.worth_of_card(face_of(self.view, thing))
        return 0.0

    def worth_of_card(self, face: Any) -> float:
        """What one card is worth."""
        if isinstance(face, Objective):
            return self.nearness(face) * self.point
        turns = self.turns_left
        if isinstance(face, HorseCard):
            owner = any(effect.when is Moment.OWNER for effect in face.effects)
            return (HORSE_IN_A_RACE + 470 * owner) * turns
        value = 0.0
        for effect in face.effects:
            value += YEARLY.get(effect.when, 0) * turns + ONCE.get(effect.when, 0)
            value += 1000 * any(
                terms.moment is effect.when and (self.seat, loan) in self.game.loans
                for loan, terms in LOANS.items()
            )
        return value

    def nearness(self, aim: Objective) -> float:
        """How near this seat is to an aim: 2 ahead of all others, 1 level, less for each step behind."""
        sign = 1 if aim.most else -1
        step = {Goods.MONEY: 1500, Goods.POINTS: 2}.get(aim.goods, 1)
        mine = sign * holding(self.game, self.seat, aim.goods)
        best = max(sign * holding(self.game, seat, aim.goods) for seat in self.others())
        if mine > best:
            return 2.0
        return 1.0 if mine == best else max(0.0, 0.8 - 0.4 * (best - mine) / step)

    def others(self) -> list[Seat]:
        """Who else is in."""
        return [seat for seat in self.view.ring if seat != self.seat and self.game.is_in(seat)]

    def gain_of_a_loan(self, loan: Loan) -> float:
        """Money now is worth its interest while there are races to bet on, and little is in hand."""
        terms = LOANS[loan]
        if self.turns_left < 3 or self.spare > 2 * self.game.minimum_bet(self.seat):
            return -1000.0
        return 900.0 - (terms.repaid - terms.lends)

    # -- other players, the bank's auctions ------------------------------------------------------------

    def would_sell(self, thing: Any, offered: int) -> bool:
        """Whether it gives a thing away for so much."""
        if thing == OBJECTIVE:
            cards = [face_of(self.view, card) for card in self.game.objectives[self.seat]]
            return min(map(self.worth_of_card, cards)) < offered
        return self.worth_of(thing) * 1.2 < offered

    def best_sale(self, things: list[Any]) -> Any:
        """What it would miss least, for what the bank pays."""
        return max(things, key=lambda thing: half(price(self.game, thing)) - self.worth_of(thing))

    def point_price(self) -> int:
        """What it gives for a point, and wants for one: all that is left after the last race."""
        if self.turns_left > 1:
            return min(self.point, max(0, self.spare // 2))
        return max(0, self.spare)
