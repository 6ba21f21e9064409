"""The bots of Briscola: they weigh a card by what it may win and what it is worth to keep."""

from __future__ import annotations

from typing import Any

from typing_extensions import override

from tavolata import Ask, Card, View
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata_classics.briscola.rules import OUT_OF_THREE, Briscola, height, worth


class Sight:
    """What a seat sees of a trick, and what it thinks of its cards."""

    def __init__(self, view: View[Briscola], seat: int) -> None:
        game = view.game
        assert game.briscola is not None  # there's a question only in a hand
        self.trumps, self.duel = game.briscola.face.suit, len(game.hands) == 2
        self.on_table = [card.face for card in game.played.values()]
        self.last = len(game.played) == len(game.hands) - 1
        winning = game.best() if game.played else None
        self.best = None if winning is None else game.played[winning].face
        self.points = sum(map(worth, self.on_table))
        teams = len(game.wins) < len(game.hands)
        mates = [other for other in view.ring if teams and other != seat and (other + seat) % 2 == 0]
        self.mate_wins = winning in mates
        others = [other for other in view.ring if other != seat and other not in game.played]
        self.foes = len({*others} - {*mates})
        self.mate_follows = len(others) > self.foes
        self.share = 1.0 if teams or self.duel else 1 / (len(game.hands) - 1)
        self.crowd = len(game.hands) == 4 and not teams
        seen = [card.face for pile in game.taken for card in pile] + self.on_table
        seen += [OUT_OF_THREE] * (len(game.hands) == 3)
        seen += [face for card in game.hands[seat] if (face := view.face(card)) is not None]
        self.unseen = [face for face in ITALIAN_40.faces if face not in seen]

    def beats(self, face: ItalianFace, other: ItalianFace) -> bool:
        if face.suit == other.suit:
            return height(face) > height(other)
        return face.suit == self.trumps

    def wins(self, face: ItalianFace) -> bool:
        """Return True if a card wins as the trick is now."""
        return self.best is None or self.beats(face, self.best)

    def cost(self, face: ItalianFace, part: int = 2) -> float:
        """Return how much a card would be missed; of its points, one in `part`."""
        trump = (6 + height(face) / 120) if face.suit == self.trumps else 0
        return worth(face) / part + trump

    def safe(self, face: ItalianFace, points: int) -> float:
        """Return how likely it is that no opponent who follows beats a card."""
        beating = [one for one in self.unseen if self.beats(one, face)]
        rich = 10 if self.crowd else 6  # fewer points are not worth a trump
        tempted = [one for one in beating if one.suit == face.suit or points + worth(one) >= rich]
        each = 3 if self.duel else 0.8 if self.crowd else 1  # in a crowd not everyone is after a trick
        return float((1 - len(tempted) / max(1, len(self.unseen))) ** (each * self.foes))

    def balance(self, face: ItalianFace) -> float:
        """Return the points that a card is likely to win or lose, less what it's worth in the hand."""
        points = self.points + worth(face)
        taking = face if self.wins(face) else self.best if self.mate_wins else None
        sure = 0.0 if taking is None else self.safe(taking, points)
        if self.mate_follows:
            sure += 0.3 * (1 - sure)
        missed = self.cost(face, 5 if self.crowd else 2) * (1 if self.duel else 1.5)
        return points * (sure - self.share * (1 - sure)) - missed


class EasyBot(Bot):
    """It wins a trick if it can, with any card that does."""

    level = "easy"

    @override
    def choose(self, view: View[Briscola], ask: Ask[Any], chance: Chance) -> object:
        sight = Sight(view, ask.seat)
        return self.pick(sight, {card: face for card in view.legal(ask) if (face := view.face(card))}, chance)

    def pick(
        self, sight: Sight, cards: dict[Card[ItalianFace], ItalianFace], chance: Chance
    ) -> Card[ItalianFace]:
        wins = [card for card, face in cards.items() if sight.on_table and sight.wins(face)]
        return chance.pick(wins or list(cards))


class NormalBot(EasyBot):
    """It takes points where they are, loads its partner's tricks, and leads its cheapest card."""

    level = "normal"

    @override
    def pick(
        self, sight: Sight, cards: dict[Card[ItalianFace], ItalianFace], chance: Chance
    ) -> Card[ItalianFace]:
        cheap = min(cards, key=lambda card: (sight.cost(cards[card]), height(cards[card])))
        if sight.mate_wins and sight.last:
            return max(cards, key=lambda card: (cards[card].suit != sight.trumps, worth(cards[card])))
        wins = [card for card, face in cards.items() if sight.best is not None and sight.wins(face)]
        plain = [card for card in wins if cards[card].suit != sight.trumps]
        if sight.last and plain:
            return max(plain, key=lambda card: worth(cards[card]))
        if wins and not sight.mate_wins and sight.points >= 10:
            return min(wins, key=lambda card: height(cards[card]))
        return cheap


class HardBot(NormalBot):
    """It counts the cards that are out, and plays the one with the best balance."""

    level = "hard"

    @override
    def pick(
        self, sight: Sight, cards: dict[Card[ItalianFace], ItalianFace], chance: Chance
    ) -> Card[ItalianFace]:
        return max(cards, key=lambda card: (sight.balance(cards[card]), -height(cards[card])))
