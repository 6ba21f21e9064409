"""The bots of Horse Fever. A bot is a function of its view."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Amount, Ask, Card, Form, OneOf, SomeOf, View
from tavolata.bots import Bot, Chance
from tavolata_horse_fever.appraisal import Appraiser, face_of, helps
from tavolata_horse_fever.card_reader import CardReader
from tavolata_horse_fever.cards.faces import ActionCard
from tavolata_horse_fever.colours import LANES, Colour, Stable
from tavolata_horse_fever.rules.auctions import BUY_A_POINT, LIMIT, LIMITED, SELL_A_POINT
from tavolata_horse_fever.rules.bets import Bet, Stake
from tavolata_horse_fever.rules.betting import ANOTHER_BET, WHICH_CARD, WHOSE_ODDS, YOUR_STAKE, Slip
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.line_up import WHICH_HORSE
from tavolata_horse_fever.rules.market import (
    ASKS_OBJECTIVE,
    ASKS_WARE,
    OBJECTIVE,
    WHAT_TO_SELL,
    WHICH_OBJECTIVE,
    WHICH_WARE,
)
from tavolata_horse_fever.rules.purchases import WHAT, WHICH
from tavolata_horse_fever.rules.race import WHO_IS_AHEAD
from tavolata_horse_fever.rules.swapping import WHICH_SWAP
from tavolata_horse_fever.shopping import NORMAL, SHARP, Shopper, Taste


class EasyBot(Bot):
    """It bets the least on a good name, helps its own horses, hinders others, and buys what it likes.

    Attributes:
        taste: the worths of things to it.
        thinks: the class of its thoughts about a race.
        keeps: the money that it wants to have in hand before it buys anything.
    """

    level = "easy"
    taste: ClassVar[Taste] = NORMAL
    thinks: ClassVar[type[Appraiser]] = Appraiser
    keeps: ClassVar[int] = 1500

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """Distinguish the questions."""
        mind, about, question = self.thinks(view), ask.params, ask.question
        shopper = Shopper(mind, self.taste)
        if isinstance(question, Form):
            fields: Any = question.fields
            if ask.you == WHICH_CARD:
                return self.tamper(mind, list(fields["card"].values), chance)
            return self.first_bet(mind, list(fields["on"].values), fields["coins"], chance)
        if isinstance(question, Amount):
            if ask.you == YOUR_STAKE:
                bet = Bet(mind.seat, about["horse"], about["side"], question.low)
                return min(question.high, self.stake(mind, bet))
            limit = shopper.point_price() if ask.you == LIMITED[BUY_A_POINT] else shopper.point_wanted()
            return max(question.low, min(question.high, limit // question.step * question.step))
        if isinstance(question, SomeOf):
            return shopper.reached([choice.value for choice in question.choices])
        assert isinstance(question, OneOf)
        values = list(question.values)
        if ask.you == ANOTHER_BET:
            return self.second_bet(mind, values[1:], chance)
        if ask.you in LIMITED:
            return self.bid(shopper, selling=ask.you == SELL_A_POINT, price=about["n"])
        if ask.you == WHAT:
            return self.buy(shopper, values, chance)
        if ask.you == WHICH_HORSE:
            return self.line_up(mind, about["stable"].colour, values)
        if ask.you == WHOSE_ODDS:
            return self.tip(mind, values, chance)
        if ask.you == ASKS_OBJECTIVE:
            return shopper.would_sell(OBJECTIVE, about["n"])
        if ask.you == ASKS_WARE:
            ware = about["ware"]
            return shopper.would_sell(ware.colour if isinstance(ware, Stable) else ware, about["n"])
        if ask.you == WHICH_WARE:
            return max(values, key=shopper.gain_of_trade)
        if ask.you == WHAT_TO_SELL:
            return max(values, key=shopper.gain_of_sale)
        if ask.you == WHICH_OBJECTIVE:
            return min(values, key=shopper.worth_of)
        if ask.you == WHICH:
            return max(values, key=shopper.worth_of)
        if ask.you == WHICH_SWAP:
            return max(values, key=lambda value: shopper.worth_of(value[1]))
        if ask.you == WHO_IS_AHEAD:
            mine = [bet.horse for bet in mind.game.bets if bet.seat == mind.seat]
            return next((horse for horse in values if horse in mine), values[0])
        return chance.pick(values)

    def first_bet(self, mind: Appraiser, bets: list[Any], stakes: Amount, chance: Chance) -> Stake:
        """Bet on one of the three best rated, to win or to place."""
        return Stake(self.good(mind, bets, chance), stakes.low)

    def second_bet(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        """Bet the same, if it is rich."""
        return self.good(mind, bets, chance) if mind.money >= 2 * self.keeps else None

    def good(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        return chance.pick(sorted(bets, key=lambda bet: mind.game.odds[bet[0]])[:6])

    def stake(self, mind: Appraiser, bet: Bet) -> int:
        return bet.stake

    def tamper(self, mind: Appraiser, cards: list[Card[ActionCard]], chance: Chance) -> Slip:
        card = chance.pick(cards)
        mine = {bet.horse for bet in mind.game.bets if bet.seat == mind.seat}
        good = helps(face_of(mind.view, card)) > 0
        lanes = [lane for lane in LANES if (lane in mine) is good]
        return Slip(card, chance.pick(lanes or LANES))

    def bid(self, shopper: Shopper, *, selling: bool, price: int) -> bool:
        return price >= 800 if selling else price <= min(1000, shopper.mind.money - self.keeps)

    def buy(self, shopper: Shopper, values: list[Any], chance: Chance) -> Any:
        """Buy Action cards first, an Objective if it has none, then anything, while there is money."""
        game, seat = shopper.game, shopper.seat
        if shopper.mind.money < self.keeps:
            return Buy.PASS
        if Buy.ACTIONS in values and not game.hands[seat]:
            return Buy.ACTIONS
        if Buy.OBJECTIVE in values and not game.objectives[seat]:
            return Buy.OBJECTIVE
        return chance.pick([one for one in values if one not in (Buy.TRADE, Buy.SALE)])

    def line_up(self, mind: Appraiser, stable: Colour, values: list[Any]) -> Any:
        return values[-1]

    def tip(self, mind: Appraiser, values: list[Any], chance: Chance) -> Any:
        return chance.pick(values)


class NormalBot(EasyBot):
    """It bets on what promises most in imagined races, and guesses what others slip in.

    Its own cards go where everybody expects them: green behind its horse, red behind the best of the others.
    """

    level = "normal"

    @override
    def first_bet(self, mind: Appraiser, bets: list[Any], stakes: Amount, chance: Chance) -> Stake:
        bet, _ = self.best(mind, bets, stakes.low)
        return Stake((bet.horse, bet.side), min(stakes.high, mind.stake_for(bet)))

    @override
    def second_bet(self, mind: Appraiser, bets: list[Any], chance: Chance) -> Any:
        bet, promise = self.best(mind, bets, mind.game.minimum_bet(mind.seat))
        return (bet.horse, bet.side) if promise > mind.promise(mind.lanes, []) else None

    def best(self, mind: Appraiser, bets: list[Any], stake: int) -> tuple[Bet, float]:
        some = [Bet(mind.seat, horse, side, stake) for horse, side in bets]
        return max(zip(some, mind.promises(some), strict=True), key=lambda one: one[1])

    @override
    def stake(self, mind: Appraiser, bet: Bet) -> int:
        return mind.stake_for(bet)

    @override
    def tamper(self, mind: Appraiser, cards: list[Card[ActionCard]], chance: Chance) -> Slip:
        bets = mind.game.bets
        mine = [bet.horse for bet in bets if bet.seat == mind.seat]
        free = [horse for horse in mind.best if horse not in mine]
        theirs = [horse for horse in free if any(bet.horse is horse for bet in bets)]
        own = [horse for horse in mind.best if horse in mine]
        good = helps(face_of(mind.view, cards[0])) > 0
        return Slip(cards[0], ((own if good else theirs) or (mind.best if good else free))[0])

    @override
    def bid(self, shopper: Shopper, *, selling: bool, price: int) -> Any:
        fair = price >= shopper.point_wanted() if selling else price <= shopper.point_price()
        return LIMIT if fair else False

    @override
    def buy(self, shopper: Shopper, values: list[Any], chance: Chance) -> Any:
        return max(values, key=shopper.gain)

    @override
    def line_up(self, mind: Appraiser, stable: Colour, values: list[Any]) -> Any:
        return max(
            values,
            key=lambda card: mind.with_horse(None if card is None else face_of(mind.view, card), stable),
        )

    @override
    def tip(self, mind: Appraiser, values: list[Any], chance: Chance) -> Any:
        def promise(change: tuple[Colour, int] | None) -> float:
            return mind.promise(
                mind.with_lanes({} if change is None else {change[0]: mind.with_odds(*change)})
            )

        return max(values, key=promise)


class HardBot(NormalBot):
    """It imagines what each card that it does not see may be, and slips its own in where they serve it best.

    It shops with an eye on the end.
    """

    level = "hard"
    taste = SHARP
    thinks = CardReader

    @override
    def tamper(self, mind: Appraiser, cards: list[Card[ActionCard]], chance: Chance) -> Slip:
        options = [(card, lane) for card in cards for lane in LANES]
        card, lane = max(options, key=lambda one: mind.with_card(face_of(mind.view, one[0]), one[1]))
        return Slip(card, lane)
