"""Those who play Il Conto, Prego! without being people. A bot is a function of its view.

What it will do is thought over as a whole (the call and the card shown with it), once when a card
is asked for and again when the call is: the second time only calls with that card are open.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tavolata import Answer, Ask, Bot, Card, Chance, Kind, OneOf, SomeOf, View
from tavolata_conto.hints import may_call, may_show, my_cards
from tavolata_conto.menu import JOKER, Call
from tavolata_conto.odds import Seen, seen_by
from tavolata_conto.rules import Conto, Please


class ContoBot(Bot):
    """What all of them have in common: which of the three questions is asked."""

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
    doubts = 150

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
        seen = seen_by(view)
        best = max(calls, key=lambda call: self.worth(view, seen, call))
        if may_ask and self.asks(view, seen, best):
            return Please.BILL
        return max(calls[best], key=lambda card: (card.is_public, -card.id))

    def call(self, view: View, calls: list[Call], chance: Chance) -> Call:
        """The best one."""
        seen = seen_by(view)
        return max(calls, key=lambda call: self.worth(view, seen, call))

    def worth(self, view: View, seen: Seen, call: Call) -> int:
        """How good a call is, in thousandths: how likely it is true."""
        return seen.truth(call)

    def asks(self, view: View, seen: Seen, best: Call) -> bool:
        """Whether asking is better than the best call."""
        return 1000 - seen.truth(_last(view)) > self.worth(view, seen, best)


class HardBot(NormalBot):
    """It also thinks of who comes next: what they will believe, and that they will have to go on."""

    level = "hard"


def _last(view: View) -> Call:
    assert isinstance(view.game, Conto)
    return view.game.last_call
