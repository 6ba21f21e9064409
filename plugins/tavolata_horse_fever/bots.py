"""The bots of Horse Fever. A bot is a function of its view.

Which question it is asked shows in what can be answered: bets and cards come in forms, the rest are
choices of things.
"""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Amount, Answer, Ask, Bot, Card, Chance, Form, Kind, OneOf, View
from tavolata_horse_fever.appraisal import face_of
from tavolata_horse_fever.cards.effects import Tone
from tavolata_horse_fever.cards.faces import ActionCard, HorseCard
from tavolata_horse_fever.colours import LANES, Colour
from tavolata_horse_fever.rules.auctions import SELL_A_POINT
from tavolata_horse_fever.rules.bets import Bet
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.shopping import Shopper


class HorseFeverBot(Bot):
    """The base of all bots of this game: it tells the questions apart."""

    @override
    def choose(self, view: View, ask: Ask, kind: Kind, chance: Chance) -> Answer:
        mind = Shopper(view, chance)
        if isinstance(kind, Form):
            bets = kind.fields.get("bet")
            if isinstance(bets, OneOf):
                stakes = kind.fields["stake"]
                assert isinstance(stakes, Amount)
                return kind.answer_for(self.bet(mind, list(bets.values), stakes))
            cards = kind.fields["card"]
            assert isinstance(cards, OneOf)
            return kind.answer_for(self.tamper(mind, list(cards.values)))
        assert isinstance(kind, OneOf)
        return kind.answer_for(self.pick(mind, ask, list(kind.values)))

    def pick(self, mind: Shopper, ask: Ask, values: list[Any]) -> Any:
        """One of several."""
        about = ask.params
        if values == [True, False]:
            if "ware" in about:
                return self.sell(mind, about["ware"], about["n"])
            return self.bid(mind, ask) if "n" in about else mind.chance.percent(50)
        if Buy.PASS in values:
            return self.buy(mind, values)
        if "stable" in about:
            return self.line_up(mind, about["stable"], values)
        if values[0] is None:
            return self.tip(mind, values)
        if isinstance(values[0], Card):
            return self.keep(mind, values)
        return self.other(mind, values)

    def bet(self, mind: Shopper, bets: list[Any], stakes: Amount) -> dict[str, Any]:
        """On which horse, and how much."""
        raise NotImplementedError

    def tamper(self, mind: Shopper, cards: list[Card[ActionCard]]) -> dict[str, Any]:
        """Which card, behind which horse."""
        raise NotImplementedError

    def sell(self, mind: Shopper, ware: Any, offered: int) -> bool:
        """Whether another player gets something of its own."""
        return mind.would_sell(ware, offered)

    def bid(self, mind: Shopper, ask: Ask) -> bool:
        """Whether it goes on in an auction."""
        raise NotImplementedError

    def buy(self, mind: Shopper, values: list[Any]) -> Any:
        """What it does with a purchase."""
        raise NotImplementedError

    def line_up(self, mind: Shopper, stable: Colour, values: list[Any]) -> Any:
        """Which Horse runs."""
        raise NotImplementedError

    def tip(self, mind: Shopper, values: list[Any]) -> Any:
        """Whose odds it changes."""
        raise NotImplementedError

    def keep(self, mind: Shopper, values: list[Any]) -> Any:
        """Which of some cards it takes, or gives."""
        return max(values, key=mind.worth_of)

    def other(self, mind: Shopper, values: list[Any]) -> Any:
        """Who is ahead in the photograph; what a smiling helper is swapped for; a market it strayed into."""
        if isinstance(values[0], Colour):
            mine = [bet.horse for bet in mind.game.bets if bet.seat == mind.seat]
            return next((horse for horse in values if horse in mine), values[0])
        return max(values, key=lambda value: -1.0 if value is None else mind.worth_of(value[1]))


class EasyBot(HorseFeverBot):
    """It bets the least on a good name, helps its own horses, hinders others, and buys what it likes."""

    level = "easy"
    keeps: ClassVar[int] = 1500
    """So much it likes to have in hand before it buys anything."""

    def bet(self, mind: Shopper, bets: list[Any], stakes: Amount) -> dict[str, Any]:
        """One of the three best rated, to win or to place; a second time only if it is rich."""
        if bets[0] is None and mind.money < 2 * self.keeps:
            return {"bet": None, "stake": stakes.low}
        some = [bet for bet in bets if bet is not None]
        some.sort(key=lambda bet: mind.game.odds[bet[0]])
        return {"bet": mind.chance.pick(some[:6]), "stake": stakes.low}

    def tamper(self, mind: Shopper, cards: list[Card[ActionCard]]) -> dict[str, Any]:
        """Green on a horse that it has bet on, anything else on another."""
        card = mind.chance.pick(cards)
        mine = {bet.horse for bet in mind.game.bets if bet.seat == mind.seat}
        helps = face_of(mind.view, card).tone is Tone.GREEN
        lanes = [lane for lane in LANES if (lane in mine) is helps]
        return {"card": card, "lane": mind.chance.pick(lanes or LANES)}

    def bid(self, mind: Shopper, ask: Ask) -> bool:
        """Up to a price that sounds fair."""
        price = int(ask.params["n"])
        return price >= 800 if ask.you == SELL_A_POINT else price <= min(800, mind.money - self.keeps)

    def buy(self, mind: Shopper, values: list[Any]) -> Any:
        """Action cards first, an Objective if it has none, then anything, while there is money."""
        if mind.money < self.keeps:
            return Buy.PASS
        if Buy.ACTIONS in values and not mind.game.hands[mind.seat]:
            return Buy.ACTIONS
        if Buy.OBJECTIVE in values and not mind.game.objectives[mind.seat]:
            return Buy.OBJECTIVE
        return mind.chance.pick([one for one in values if one not in (Buy.TRADE, Buy.SALE)])

    def line_up(self, mind: Shopper, stable: Colour, values: list[Any]) -> Any:
        """The first that there is."""
        return values[-1]

    def tip(self, mind: Shopper, values: list[Any]) -> Any:
        """Any."""
        return mind.chance.pick(values)


class NormalBot(HorseFeverBot):
    """It imagines some races with what it knows, and does what they promise most."""

    level = "normal"

    def bet(self, mind: Shopper, bets: list[Any], stakes: Amount) -> dict[str, Any]:
        """The bet that promises most; a second one only if it promises something at all."""
        places = mind.outlook.places()
        some = [Bet(mind.seat, bet[0], bet[1], stakes.low) for bet in bets if bet is not None]
        best = max(some, key=lambda bet: mind.prospect(bet, places))
        if bets[0] is None and mind.prospect(best, places) <= 0:
            return {"bet": None, "stake": stakes.low}
        stake = max(stakes.low, min(stakes.high, mind.stake_for(best, places)))
        return {"bet": (best.horse, best.side), "stake": stake}

    def tamper(self, mind: Shopper, cards: list[Card[ActionCard]]) -> dict[str, Any]:
        """The card and the lane with which the race promises most."""
        options = [(card, lane) for card in cards for lane in LANES]
        card, lane = max(options, key=lambda one: mind.with_card(face_of(mind.view, one[0]), one[1]))
        return {"card": card, "lane": lane}

    def bid(self, mind: Shopper, ask: Ask) -> bool:
        """Up, or down, to what a point is worth to it."""
        price = int(ask.params["n"])
        if ask.you == SELL_A_POINT:
            return price > mind.point or (mind.turns_left > 1 and mind.spare < 0 and price >= 500)
        return price <= mind.point_price()

    def buy(self, mind: Shopper, values: list[Any]) -> Any:
        """What it gains most by."""
        return max(values, key=mind.gain)

    def line_up(self, mind: Shopper, stable: Colour, values: list[Any]) -> Any:
        """The Horse, or none, with which its stable promises most."""

        def promise(card: Card[HorseCard] | None) -> float:
            return mind.with_horse(None if card is None else face_of(mind.view, card), stable)

        return max(values, key=promise)

    def tip(self, mind: Shopper, values: list[Any]) -> Any:
        """The change of odds that does its bets most good."""

        def promise(change: tuple[Colour, int] | None) -> float:
            if change is None:
                change = (LANES[0], 0)
            stable, rows = change
            odds = max(2, min(7, mind.outlook.odds[LANES.index(stable)] - rows))
            return mind.with_effects(stable, mind.known_in(stable), odds)

        return max(values, key=promise)
