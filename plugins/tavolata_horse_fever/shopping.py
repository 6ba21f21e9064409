"""The purchases, sales and bids of a bot in the Board Game: rough worths in Danari, by the races to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tavolata import Card, Seat
from tavolata_horse_fever.appraisal import Appraiser, face_of
from tavolata_horse_fever.cards.effects import Moment
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard
from tavolata_horse_fever.cards.loans import LOANS, Loan
from tavolata_horse_fever.cards.objectives import Goods, Objective
from tavolata_horse_fever.colours import Colour
from tavolata_horse_fever.rules.counter import Buy, price_for, stable_price
from tavolata_horse_fever.rules.ending import holding, reached
from tavolata_horse_fever.rules.market import OBJECTIVE, offers_to, price, wares_of
from tavolata_horse_fever.tables import PASSING, half

PRIZE = {2: 430, 3: 350, 4: 260, 5: 170, 6: 110, 7: 60}
"""About what a stable wins in a race, by its odds."""
EACH_TURN = {
    Moment.INCOME: 300,
    Moment.FROM_RIGHT: 180,
    Moment.FROM_LEFT: 180,
    Moment.PASSING: 150,
    Moment.OBJECTIVE_PRICE: 200,
    Moment.ASSISTANT_PRICE: 150,
    Moment.HORSE_PRICE: 120,
    Moment.STABLE_PRICE: 150,
}
"""The worth of an Assistant in each turn, by what it does."""
ONCE = {Moment.BOUGHT: 800, Moment.COUNT: 250, Moment.SWAP: 400}
HORSE_IN_A_RACE = 130
LEAST_SALE = 500
"""A player in need sells a point for so much."""
STRAIN = 1.5
"""How much dearer money is that the next bets need."""


@dataclass(frozen=True, slots=True)
class Taste:
    """The worths of things to a bot, in Danari.

    Attributes:
        actions: the first two Action cards of a turn.
        more_actions: two more.
        goal: the chance to reach an Objective that was chosen from four.
        last_costs: the share of a price that counts in the last turn, after which money is worth little.
    """

    actions: float
    more_actions: float
    goal: float
    last_costs: float


NORMAL = Taste(900, 500, 0.4, 1.0)
SHARP = Taste(900, 500, 0.25, 0.6)


class Shopper:
    def __init__(self, mind: Appraiser, taste: Taste) -> None:
        self.mind, self.game, self.seat = mind, mind.game, mind.seat
        self.taste = taste

    # -- purchases ----------------------------------------------------------------------------------

    def gain(self, value: Any) -> float:
        game, effects = self.game, self.game.effects_of(self.seat)
        match value:
            case Colour():
                return self.worth_of(value) - self.cost(stable_price(game, effects, value))
            case Loan():
                return self.gain_of_a_loan(value)
            case Buy.PASS:
                return self.cost(PASSING)
            case Buy.TRADE:
                return max(map(self.gain_of_trade, offers_to(game, self.seat)), default=-1.0)
            case Buy.SALE:
                return max(map(self.gain_of_sale, wares_of(game, self.seat)))
            case _:
                return self.worth_of(value) - self.cost(price_for(effects, value))

    def cost(self, money: int) -> float:
        """Return a price as it feels: higher where it leaves too little for the next bets."""
        missing = money - self.mind.spare + 2 * self.game.minimum_bet(self.seat)
        share = self.taste.last_costs if self.mind.turns_left == 1 else 1.0
        return share * money + STRAIN * max(0, missing) * (money > PASSING or missing < 0)

    def gain_of_trade(self, offer: tuple[Seat, Any] | None) -> float:
        """Return the gain of a purchase from another player; nothing by going back."""
        return 0.0 if offer is None else self.worth_of(offer[1]) - self.cost(2 * price(self.game, offer[1]))

    def gain_of_sale(self, ware: Any) -> float:
        """Return the gain of a sale to the bank; nothing by going back."""
        if ware is None:
            return 0.0
        need = max(0, -self.mind.spare) * STRAIN
        return min(
            half(price(self.game, ware)) * STRAIN, half(price(self.game, ware)) + need
        ) - self.worth_of(ware)

    def worth_of(self, thing: Any) -> float:
        turns, point = self.mind.turns_left, self.mind.point
        match thing:
            case Colour():
                return point + PRIZE[self.game.odds[thing]] * turns
            case Buy.ACTIONS:
                return self.taste.more_actions if self.game.hands[self.seat] else self.taste.actions
            case Buy.OBJECTIVE | "objective":
                return self.taste.goal * 2 * point
            case Buy.ASSISTANT:
                return 260.0 * turns
            case Buy.HORSE:
                free = len(self.game.stables_of(self.seat)) - len(self.game.horses[self.seat])
                return HORSE_IN_A_RACE * 2.0 * turns if free > 0 else 150.0
            case Card():
                return self.worth_of_card(face_of(self.mind.view, thing))
            case _:
                return 0.0

    def worth_of_card(self, face: Any) -> float:
        if isinstance(face, Objective):
            return self.nearness(face) * self.mind.point
        if isinstance(face, ActionCard):
            return self.taste.actions / 2
        turns = self.mind.turns_left
        if isinstance(face, HorseCard):
            owner = any(effect.when is Moment.OWNER for effect in face.effects)
            return (HORSE_IN_A_RACE + 470 * owner) * turns
        value = 0.0
        for effect in face.effects:
            value += EACH_TURN.get(effect.when, 0) * turns + ONCE.get(effect.when, 0)
            value += 1000 * any(
                terms.moment is effect.when and (self.seat, loan) in self.game.loans
                for loan, terms in LOANS.items()
            )
        return value

    def nearness(self, aim: Objective) -> float:
        """Return the nearness of an aim: 2 ahead of all others, 1 level, less for each step behind."""
        sign = 1 if aim.most else -1
        step = {Goods.MONEY: 1500, Goods.POINTS: 2}.get(aim.goods, 1)
        mine = sign * holding(self.game, self.seat, aim.goods)
        others = [seat for seat in self.game.players if seat != self.seat]
        best = max(sign * holding(self.game, seat, aim.goods) for seat in others)
        if mine > best:
            return 2.0
        return 1.0 if mine == best else max(0.0, 0.8 - 0.4 * (best - mine) / step)

    def gain_of_a_loan(self, loan: Loan) -> float:
        """Return a loan's gain: money now is worth its interest while races come, and little is in hand."""
        terms = LOANS[loan]
        if self.mind.turns_left < 3 or self.mind.spare > 2 * self.game.minimum_bet(self.seat):
            return -1000.0
        return 900.0 - (terms.repaid - terms.lends)

    # -- other players, auctions, the end -------------------------------------------------------------

    def would_sell(self, ware: Any, offered: int) -> bool:
        if ware == OBJECTIVE:
            return min(map(self.worth_of, self.game.objectives[self.seat])) < offered
        return self.worth_of(ware) * 1.2 < offered

    def point_price(self) -> int:
        """What it pays for a point: after the last race all that is left."""
        spare = max(0, self.mind.spare)
        return spare if self.mind.turns_left == 1 else min(self.mind.point, spare // 2)

    def point_wanted(self) -> int:
        """What it wants for a point: less if it can't cover the next least bet."""
        return LEAST_SALE if self.mind.turns_left > 1 and self.mind.spare < 0 else self.mind.point + 1

    def reached(self, cards: list[Card[Objective]]) -> list[Card[Objective]]:
        aims = {face_of(self.mind.view, card): card for card in cards}
        return [card for aim, card in aims.items() if reached(self.game, self.seat, aim)]
