"""The bots of Mercante in fiera: a card is worth its share of the prizes."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Amount, Ask, Branch, View
from tavolata.bots import Bot, Chance
from tavolata_classics.mercante.rules import NOTHING, SELL, Mercante, Offer


def worth(game: Mercante) -> float:
    """Return what one card may expect: the pot, shared by all cards that haven't been turned."""
    return game.pot.value / max(1, len(game.merchant) + len(game.hidden))


class EasyBot(Bot):
    """It bids what comes to its mind, and never sells."""

    level = "easy"

    @override
    def choose(self, view: View[Mercante], ask: Ask[Any], chance: Chance) -> object:
        game, question = view.game, ask.question
        if isinstance(question, Amount):
            return min(question.high, self.bid(game, len(ask.params["cards"]), chance))
        assert isinstance(question, Branch)
        mine = [*game.owned[ask.seat]]
        return self.offer(game, mine, chance)

    def bid(self, game: Mercante, cards: int, chance: Chance) -> int:
        return chance.below(16)

    def offer(self, game: Mercante, mine: list[Any], chance: Chance) -> object:
        return (NOTHING,)


class NormalBot(EasyBot):
    """It bids a part of what cards are worth, and sells for more than that."""

    level = "normal"
    least: ClassVar[int] = 40
    most: ClassVar[int] = 120
    """The range of its bids, in hundredths of the worth."""

    @override
    def bid(self, game: Mercante, cards: int, chance: Chance) -> int:
        return int(cards * worth(game) * (self.least + chance.below(self.most - self.least)) / 100)

    @override
    def offer(self, game: Mercante, mine: list[Any], chance: Chance) -> object:
        return (SELL, Offer(chance.pick(mine), 1 + int(worth(game))))


class HardBot(NormalBot):
    """It bids high, because chips in the pot may come back, and sells only at a profit."""

    level = "hard"
    least = 95
    most = 130

    @override
    def offer(self, game: Mercante, mine: list[Any], chance: Chance) -> object:
        return (SELL, Offer(chance.pick(mine), 1 + int(1.15 * worth(game))))
