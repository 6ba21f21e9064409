"""The bots of Cheat: they count the cards they know, and reckon the odds of a claim."""

from __future__ import annotations

from math import comb
from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, View
from tavolata.bots import Bot, Chance, Reflex, Window
from tavolata_classics.cheat.rules import RANKS, Cheat, CheatOptions, Order, number

OF_A_RANK = 4


def at_least(needed: int, good: int, cards: int, drawn: int) -> float:
    """Return the odds that `needed` or more of the good cards are among those drawn."""
    if needed > good:
        return 0.0
    ways: int = sum(
        comb(good, hits) * comb(cards - good, drawn - hits) for hits in range(needed, min(good, drawn) + 1)
    )
    return float(ways / comb(cards, drawn))


class EasyBot(Bot):
    """It's honest if it can be, and doubts the impossible or at random."""

    level = "easy"
    trust: ClassVar[float] = 0.0
    hunch: ClassVar[int] = 10
    """In how many of a hundred cases it doubts for no reason."""

    @override
    def choose(self, view: View[Cheat], ask: Ask[Any], chance: Chance) -> object:
        hand = {
            card: face.rank for card in view.game.hands[ask.seat] if (face := view.face(card)) is not None
        }
        ranks = [*hand.values()]
        if "rank" not in ask.params:
            return RANKS[max(ranks, key=ranks.count) - 1]
        rank, options = number(ask.params["rank"]), view.options
        assert isinstance(options, CheatOptions)
        if true := [card for card in hand if hand[card] == rank][: options.most]:
            return true
        if options.order is Order.SAME:
            return [min(hand, key=lambda card: (ranks.count(hand[card]), chance.below(99)))]
        return [self.lie(hand, rank, len(view.ring), chance)]

    def lie(self, hand: dict[Any, int], rank: int, seats: int, chance: Chance) -> object:
        return chance.pick([*hand])

    @override
    def react(self, view: View[Cheat], window: Window, chance: Chance) -> Reflex | None:
        seat = view.seat
        if seat in window.questions and (self.true(view) <= self.trust or chance.percent(self.hunch)):
            return Reflex(True, 700 + chance.below(1200))
        return self.go_on(view, window, chance)

    def true(self, view: View[Cheat]) -> float:
        """Return the odds that the claim about the last cards is true."""
        game, seat = view.game, view.seat
        assert game.rank is not None
        assert seat is not None
        rank, many = number(game.rank), len(game.laid)
        mine = sum(face.rank == rank for card in game.hands[seat] if (face := view.face(card)) is not None)
        return self.odds(
            game, view.ring.after(game.mover, -1), many, OF_A_RANK - mine, 52 - len(game.hands[seat])
        )

    def odds(self, game: Cheat, liar: int, many: int, good: int, unseen: int) -> float:
        return float(many <= good)


class NormalBot(EasyBot):
    """It doubts unlikely claims of one card, and anyone who would win."""

    level = "normal"
    trust = 0.2
    hunch = 1

    @override
    def odds(self, game: Cheat, liar: int, many: int, good: int, unseen: int) -> float:
        """Take others for players who are honest if they can be, and lay one card if they can't."""
        if many > good or not game.hands[liar]:
            return 0.0
        if many > 1:
            return 1.0
        had = min(unseen, len(game.hands[liar]) + 1)
        some, more = at_least(1, good, unseen, had), at_least(2, good, unseen, had)
        return (some - more) / max(1 - more, 1e-9)


class HardBot(NormalBot):
    """It doubts sooner while the pile is small, and lies with the card it needs last."""

    level = "hard"
    hunch = 0

    @override
    def odds(self, game: Cheat, liar: int, many: int, good: int, unseen: int) -> float:
        odds = super().odds(game, liar, many, good, unseen)
        return odds and odds + 0.02 * (len(game.pile) - 6)

    @override
    def lie(self, hand: dict[Any, int], rank: int, seats: int, chance: Chance) -> object:
        """Lay the card that the next claims of this seat come to last."""
        turns = {
            one: next(n for n in range(1, 14) if (rank - 1 + n * seats) % 13 == one - 1)
            for one in hand.values()
        }
        return max(hand, key=lambda card: turns[hand[card]])
