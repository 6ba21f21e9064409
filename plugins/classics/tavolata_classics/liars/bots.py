"""The bots of Liar's Dice: they count their own dice and reckon the odds of the others'."""

from __future__ import annotations

from math import comb
from typing import Any

from typing_extensions import override

from tavolata import Ask, View
from tavolata.bots import Bot, Chance
from tavolata_classics.liars.rules import EXACT, LIAR, ONE, SIX, Bid, Liars, LiarsOptions


def at_least(needed: int, dice: int, faces: int) -> float:
    """Return the odds that of these dice at least `needed` show one of these faces."""
    if needed <= 0:
        return 1.0
    ways: int = sum(
        comb(dice, hits) * faces**hits * (SIX - faces) ** (dice - hits) for hits in range(needed, dice + 1)
    )
    return float(ways / SIX**dice)


class Odds:
    """What a seat may believe of a bid.

    Attributes:
        mine: its own dice.
        others: how many dice are under the other cups.
        wild: whether ones count as every number.
    """

    def __init__(self, view: View[Liars], seat: int) -> None:
        options = view.options
        assert isinstance(options, LiarsOptions)
        self.wild = options.wild
        self.mine = [view.face(die) for die in view.game.cups[seat]]
        self.others = sum(map(len, view.game.cups)) - len(self.mine)

    def own(self, number: int) -> int:
        return sum(face == number or (self.wild and face == ONE) for face in self.mine)

    def of(self, bid: Bid) -> float:
        """Return the odds that a bid is true."""
        return at_least(bid.many - self.own(bid.number), self.others, 1 + self.wild)

    def exactly(self, bid: Bid) -> float:
        return self.of(bid) - self.of(Bid(bid.many + 1, bid.number))


class EasyBot(Bot):
    """It raises by a little, and calls what it finds unlikely."""

    level = "easy"
    trust = 0.25
    """The odds below which it calls."""

    @override
    def choose(self, view: View[Liars], ask: Ask[Any], chance: Chance) -> object:
        odds, legal, last = Odds(view, ask.seat), view.legal(ask), view.game.bid
        bids = [one for one in legal if isinstance(one, Bid)]
        if last is not None and (not bids or odds.of(last) < self.trust):
            return LIAR
        return self.bids(odds, bids, chance)

    def bids(self, odds: Odds, bids: list[Bid], chance: Chance) -> Bid:
        """One of the three lowest."""
        return chance.pick(bids[:3])


class NormalBot(EasyBot):
    """It makes the bid that is most likely true, of those of its best number if they are alike."""

    level = "normal"
    trust = 0.4

    @override
    def bids(self, odds: Odds, bids: list[Bid], chance: Chance) -> Bid:
        return max(bids, key=lambda bid: (round(odds.of(bid), 2), odds.own(bid.number), bid.many))


class HardBot(EasyBot):
    """It calls when that is likelier to be right than its best bid, and bluffs now and then."""

    level = "hard"

    @override
    def choose(self, view: View[Liars], ask: Ask[Any], chance: Chance) -> object:
        odds, legal, last = Odds(view, ask.seat), view.legal(ask), view.game.bid
        bids = [one for one in legal if isinstance(one, Bid)]
        best = max(map(odds.of, bids), default=0.0)
        if last is not None:
            if EXACT in legal and odds.exactly(last) > max(best, 1 - odds.of(last)):
                return EXACT
            if 1 - odds.of(last) > best:
                return LIAR
        return self.bids(odds, bids, chance)

    @override
    def bids(self, odds: Odds, bids: list[Bid], chance: Chance) -> Bid:
        """Of the bids that are as good as the best, the one that leaves the next player least room."""
        best = max(map(odds.of, bids))
        near = [bid for bid in bids if odds.of(bid) >= best - 0.1]
        return near[-1] if chance.percent(70) else chance.pick(near)
