"""The bots of Il Conto, Prego!; each is a function of its view."""

from __future__ import annotations

from collections import Counter
from operator import itemgetter
from typing import Any, ClassVar

from tavolata import Ask, Card, SomeOf, View
from tavolata.bots import Bot, Chance
from tavolata_conto.calls import Please, Served, move_between, place_between
from tavolata_conto.hints import may_call, my_cards
from tavolata_conto.menu import JOKER, Call
from tavolata_conto.odds import SURE, Seen, known_to_all, seen_by
from tavolata_conto.rules import Conto


class ContoBot(Bot):
    def choose(self, view: View, ask: Ask, chance: Chance) -> object:
        """Discard, or call and show a card, or ask for the bill."""
        if isinstance(ask.question, SomeOf):
            return self.discards(view, ask.question.low, chance)
        calls = may_call(view)
        call = self.call(view, calls, chance) if calls else None
        if call is None:
            return (Please.BILL,)
        before = _last(view)
        move = (move_between(before, call), place_between(before, call))
        return move, Served(call, self.card(calls[call], chance))

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        raise NotImplementedError

    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        """Return one of these calls, or None for the bill."""
        raise NotImplementedError

    def card(self, cards: list[Card[Any]], chance: Chance) -> Card[Any]:
        """Return the card that it shows: preferably one shown before, for that gives nothing away."""
        return max(cards, key=lambda card: (card.is_public, -card.id))


class EasyBot(ContoBot):
    """It looks at its own cards alone, believes nearly every call, and calls what comes to mind."""

    level = "easy"
    doubts: ClassVar = 150

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        cards = [card for card, _ in my_cards(view)]
        return [cards.pop(chance.below(len(cards))) for _ in range(number)]

    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        """Return the likelier of two calls, or the bill if it can't believe the last one at all."""
        seen = seen_by(view, counting=False)
        if _last(view).courses and seen.truth(_last(view)) < self.doubts:
            return None
        return max((chance.pick(list(calls)) for _ in range(2)), key=seen.truth)

    def card(self, cards: list[Card[Any]], chance: Chance) -> Card[Any]:
        return chance.pick(cards)


class NormalBot(ContoBot):
    """It counts what was shown, calls as much as it dares, and doubts when its own best call is worse.

    A caller mostly has something to call with. So a call that seems true in `p` of a thousand deals is true
    more often: measured among these bots, about 40 % of the doubt is unfounded.

    Attributes:
        trust: how much of a doubt about another player's call is left, in hundredths.
        dare: in how many of a thousand deals a call must be true to be made without need.
    """

    level = "normal"
    trust: ClassVar = 60
    dare: ClassVar = 900

    def discards(self, view: View, number: int, chance: Chance) -> list[Card[Any]]:
        cards = my_cards(view)
        many = Counter(dish for _, dish in cards)
        worth = sorted(cards, key=lambda one: (one[1] == JOKER, many[one[1]], one[1]))
        return [card for card, _ in worth[:number]]

    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        """Return the highest call that it dares, since the next one must top it; otherwise bluff or ask."""
        seen = seen_by(view)
        weighed = [(seen.truth(call), call) for call in calls]
        safe = [call for truth, call in weighed if truth >= self.dare]
        if safe:
            return max(safe, key=lambda call: (call.total, call.dishes))
        truth, best = max(weighed, key=itemgetter(0))
        return None if self.doubt(view, seen) > truth else best

    def doubt(self, view: View, seen: Seen) -> int:
        """Return in how many of a thousand hands the last call is false; 0 if there is no call."""
        last = _last(view)
        return (SURE - seen.truth(last)) * self.trust // 100 if last.courses else 0


class HardBot(NormalBot):
    """It weighs what the next player will believe, bluffs accordingly, and asks when that pays.

    A call loses the hand now if it is doubted and false. If it is believed, it may still lose the hand
    later, the more so the lower it is: then the turn comes round again before anybody doubts. What the next
    player believes is judged from what everybody has seen. Of calls that are about as good it makes the
    lowest: after a high one the next player gets the bill each time, and the previous one never, who then
    shares the win. With more seats than `few` that no longer pays: it plays as `normal` does.

    Attributes:
        few: the most seats at which it wins more than `normal` does among the same players.
        asked: how often of a thousand times a call is doubted whose chance, as everybody sees it, is
            0 to 99, 100 to 199, ... thousandths. Never less than 200: some players ask because they have
            nothing left to call, however likely the last call is.
        later: how many of a thousand hands are lost later, when a call is believed that all see to be true.
        alike: calls are about as good if they lose at most this many of a thousand hands more than the best.
    """

    level = "hard"
    few: ClassVar = 4
    asked: ClassVar = (950, 850, 700, 600, 430, 230, 200, 200, 200, 200, 200)
    later: ClassVar = 150
    alike: ClassVar = 10

    def call(self, view: View, calls: dict[Call, list[Card[Any]]], chance: Chance) -> Call | None:
        """Return the lowest of the calls that lose least, or the bill if that loses less."""
        if len(view.names) > self.few:
            return super().call(view, calls, chance)
        seen, known = seen_by(view), known_to_all(view)

        def loses(call: Call) -> int:
            believed = known.truth(call)
            doubted = self.asked[believed // 100]
            return doubted * (SURE - seen.truth(call)) + (SURE - doubted) * self.later * believed // SURE

        weighed = [(loses(call), call) for call in calls]
        least = min(weighed, key=itemgetter(0))[0]
        if SURE - self.doubt(view, seen) < least // SURE:
            return None
        good = [call for lost, call in weighed if lost <= least + self.alike * SURE]
        return min(good, key=lambda call: (call.total, call.dishes))


def _last(view: View) -> Call:
    assert isinstance(view.game, Conto)
    return view.game.last_call
