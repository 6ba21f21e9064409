"""The bots of Il Conto, Prego! A bot is a function of its view.

What it will do is thought over as a whole (the call and the card shown with it), once when a card
is asked for and again when the call is: the second time only calls with that card are open.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from tavolata import Answer, Ask, Bot, Card, Chance, Kind, OneOf, SomeOf, View
from tavolata_conto.hints import may_call, may_show, my_cards
from tavolata_conto.menu import JOKER, Call
from tavolata_conto.odds import SURE, known_to_all, seen_by
from tavolata_conto.rules import Conto, Please


class ContoBot(Bot):
    """The base of all bots of this game: it tells the three questions apart."""

    def choose(self, view: View, ask: Ask, kind: Kind, chance: Chance) -> Answer:
        """Discard, show a card or ask for the bill, or call."""
        if isinstance(kind, SomeOf):
            return kind.answer_for(self.discards(view, kind.low, chance))
        assert isinstance(kind, OneOf)
        if isinstance(kind.values[0], Call):
            return kind.answer_for(self.call(view, list(kind.values), chance))
        return kind.answer_for(self.card_or_bill(view, Please.BILL in kind.values, chance))

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        """Which cards it can do without."""
        raise NotImplementedError

    def call(self, view: View, calls: list[Call], chance: Chance) -> Call:
        """What it calls, of what it may call with the card that it shows."""
        raise NotImplementedError

    def card_or_bill(self, view: View, may_ask: bool, chance: Chance) -> Card[Any] | Please:
        """The card that it shows, or the bill."""
        raise NotImplementedError


class EasyBot(ContoBot):
    """It looks at its own cards alone, believes much, and calls the first thing that comes to mind."""

    level = "easy"
    doubts: ClassVar = 150

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        """Any."""
        cards = [card for card, _ in my_cards(view)]
        return [cards.pop(chance.below(len(cards))) for _ in range(number)]

    def card_or_bill(self, view: View, may_ask: bool, chance: Chance) -> Card[Any] | Please:
        """It asks when it can't believe it at all."""
        cards = may_show(view)
        if not cards or (may_ask and seen_by(view, counting=False).truth(_last(view)) < self.doubts):
            return Please.BILL
        return chance.pick(cards)

    def call(self, view: View, calls: list[Call], chance: Chance) -> Call:
        """The likelier of two that it thinks of."""
        seen = seen_by(view, counting=False)
        return max((chance.pick(calls) for _ in range(2)), key=seen.truth)


class NormalBot(ContoBot):
    """It counts what was shown, makes the likeliest call, and asks when that is worse than asking."""

    level = "normal"

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        """It keeps jokers, and what it has several of."""
        cards = my_cards(view)
        many = Counter(dish for _, dish in cards)
        worth = sorted(cards, key=lambda one: (one[1] == JOKER, many[one[1]], one[1]))
        return [card for card, _ in worth[:number]]

    def card_or_bill(self, view: View, may_ask: bool, chance: Chance) -> Card[Any] | Please:
        """The bill, or the card for the best call; one that was shown already tells nobody anything."""
        calls = may_call(view)
        if not calls:
            return Please.BILL
        worth = self.weigh(view, list(calls))
        best = max(calls, key=worth.__getitem__)
        if may_ask and self.doubt(view) > worth[best]:
            return Please.BILL
        return max(calls[best], key=lambda card: (card.is_public, -card.id))

    def call(self, view: View, calls: list[Call], chance: Chance) -> Call:
        """The best one."""
        return max(calls, key=self.weigh(view, calls).__getitem__)

    def weigh(self, view: View, calls: list[Call]) -> dict[Call, int]:
        """How good each call is: in how many of a thousand deals it is true."""
        seen = seen_by(view)
        return {call: seen.truth(call) for call in calls}

    def doubt(self, view: View) -> int:
        """How good it is to ask: in how many of a thousand deals the last call is false."""
        return SURE - seen_by(view).truth(_last(view))


class HardBot(NormalBot):
    """It bluffs where it will be believed, and believes those who rarely bluff.

    A call is worth as much as the hands that it survives: either the next player believes it and
    has to go on, or asks, and then it had better be true. What the next player believes is reckoned
    from what everybody has seen.

    Attributes:
        asked: how often of a thousand times a call is doubted whose chance, as everybody sees it, is
            0 to 99, 100 to 199, ... thousandths.
        later: how many of a thousand hands are lost later, when the call is believed.
        trust: how much of the doubt about a call is left, in hundredths, because somebody made it.
    """

    level = "hard"
    asked: ClassVar = (950, 850, 700, 600, 430, 230, 80, 20, 0, 0, 0)
    later: ClassVar = 100
    trust: ClassVar = 60

    def weigh(self, view: View, calls: list[Call]) -> dict[Call, int]:
        """How many of a thousand hands are not lost with each call."""
        seen, known = seen_by(view), known_to_all(view)
        worth = {}
        for call in calls:
            doubted = self.asked[known.truth(call) // 100]
            lost = doubted * (SURE - seen.truth(call)) + (SURE - doubted) * self.later
            worth[call] = SURE - lost // SURE
        return worth

    def doubt(self, view: View) -> int:
        """Who calls has mostly something to call with: part of the doubt only is left."""
        return super().doubt(view) * self.trust // 100


def _last(view: View) -> Call:
    assert isinstance(view.game, Conto)
    return view.game.last_call
