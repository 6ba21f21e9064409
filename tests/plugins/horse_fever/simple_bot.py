"""A bot of few lines and no foresight: what every level of the game's own bots is measured against.

It knows the odds and its own bets. It imagines no race and doesn't ask what others may hold.
"""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Amount, Ask, Card, Form, OneOf, SomeOf, View
from tavolata.bots import Bot, Chance
from tavolata_horse_fever.cards.effects import Tone
from tavolata_horse_fever.colours import Colour
from tavolata_horse_fever.rules.auctions import BUY_A_POINT
from tavolata_horse_fever.rules.bets import Side, Stake
from tavolata_horse_fever.rules.betting import ANOTHER_BET, Slip
from tavolata_horse_fever.rules.counter import Buy
from tavolata_horse_fever.rules.ending import owed


class SimpleBot(Bot):
    """The least bet on the favourite to win, then on the best to place; green cards on its own horse.

    Red cards go behind the best horse that others have bet on and it has not. In the Board Game it buys a
    stable while it can, then Action cards; it buys a point where 1,500 D are left, and at the end with all
    that it doesn't owe.
    """

    level: ClassVar[str] = "simple"

    @override
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        return self.answer(view, ask, chance)

    def answer(self, view: View, ask: Ask, chance: Chance) -> Any:
        """What it does."""
        game: Any = view.game
        seat: Any = view.seat
        question = ask.question
        odds = game.odds
        mine = [bet.horse for bet in game.bets if bet.seat == seat]
        money, least = game.money[seat].value, game.minimum_bet(seat)
        if isinstance(question, Form) and "coins" in question.fields:
            bets: Any = question.fields["on"]
            return Stake(min(bets.values, key=lambda bet: (bet[1] is not Side.WIN, odds[bet[0]])), least)
        if isinstance(question, Form):
            cards: Any = question.fields["card"]
            card = cards.values[0]
            face: Any = view.face(card)
            best = sorted(odds, key=odds.__getitem__)
            free = [horse for horse in best if horse not in mine]
            others = [horse for horse in free if any(bet.horse is horse for bet in game.bets)] or free
            own = sorted(mine, key=odds.__getitem__)[:1] or best[:1]
            return Slip(card, (own if helps(face) else others)[0])
        if isinstance(question, Amount):
            return question.low
        if isinstance(question, SomeOf):
            return []  # it buys no Objectives
        assert isinstance(question, OneOf)
        values = list(question.values)
        if ask.you == ANOTHER_BET:
            return min(values[1:], key=lambda bet: (bet[1] is not Side.PLACE, odds[bet[0]]))
        if Buy.PASS in values:
            stables = [value for value in values if isinstance(value, Colour)]
            affordable = [one for one in stables if money - game.price_of(one) >= 4 * least]
            if affordable:
                return min(affordable, key=odds.__getitem__)
            return Buy.ACTIONS if Buy.ACTIONS in values and money >= 400 + 4 * least else Buy.PASS
        if ask.you == BUY_A_POINT:
            is_last = game.turn_number == game.last_turn(view.options)
            spare = money - owed(game, seat) if is_last else money - 1500
            return ask.params["n"] <= spare
        if values[:2] == [True, False]:
            return False
        return next((value for value in values if isinstance(value, Card)), chance.pick(values))


def helps(face: Any) -> bool:
    """Whether an Action card does a horse good: green, better odds, or a guard against red ones."""
    effect = face.effects[0]
    if face.tone is Tone.GREY:
        return effect.adds > 0 or effect.removes is Tone.RED
    return face.tone is Tone.GREEN
