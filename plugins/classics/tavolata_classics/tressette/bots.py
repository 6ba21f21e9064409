"""The bots of Tressette: they follow suit with an eye on their partner, and the best one counts cards."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

from tavolata import Ask, Card, View
from tavolata.bots import Bot, Chance
from tavolata.decks import ITALIAN_40, ItalianFace
from tavolata_classics.tressette.rules import Tressette, height, thirds

Faces = dict[Card[ItalianFace], ItalianFace]


class Sight:
    """What a seat sees of a trick.

    Attributes:
        hand: its cards.
        led: the first card on the table, and `best` the one that wins so far.
        partner: the partner's card is the one that wins.
        last: nobody plays after this seat.
        out: the cards that others may still have; all but its own if it doesn't count.
    """

    def __init__(self, view: View[Tressette], seat: int, *, counts: bool) -> None:
        game = view.game
        known = ((card, view.face(card)) for card in game.hands[seat])
        self.hand: Faces = {card: face for card, face in known if face is not None}
        winning = game.best() if game.played else None
        self.best = None if winning is None else game.played[winning].face
        self.led = next(iter(game.played.values())).face if game.played else None
        self.partner = winning is not None and (winning + seat) % 2 == 0
        self.last = len(game.played) == len(game.hands) - 1
        table = [card.face for card in game.played.values()]
        gone = [card.face for pile in game.taken for card in pile] if counts else []
        self.out = [
            face for face in ITALIAN_40.faces if face not in gone + table and face not in self.hand.values()
        ]

    def is_master(self, face: ItalianFace) -> bool:
        """Return True if no one after this seat can have a higher card of the suit."""
        return not any(one.suit is face.suit and height(one) > height(face) for one in self.out)

    def wins(self, face: ItalianFace) -> bool:
        return self.best is None or (face.suit is self.best.suit and height(face) > height(self.best))

    def length(self, face: ItalianFace) -> int:
        return sum(one.suit is face.suit for one in self.hand.values())


def low(face: ItalianFace) -> tuple[int, int]:
    """Return a number by which cards compare that are given away: worthless and low ones first."""
    return thirds(face), height(face)


class EasyBot(Bot):
    """It takes what it can with its highest card, and otherwise plays its lowest."""

    level = "easy"
    counts: ClassVar[bool] = False

    @override
    def choose(self, view: View[Tressette], ask: Ask[Any], chance: Chance) -> object:
        sight = Sight(view, ask.seat, counts=self.counts)
        return self.pick(sight, {card: sight.hand[card] for card in view.legal(ask)})

    def pick(self, sight: Sight, legal: Faces) -> Card[ItalianFace]:
        wins = [card for card in legal if sight.wins(legal[card])]
        if wins:
            return max(wins, key=lambda card: height(legal[card]))
        return min(legal, key=lambda card: low(legal[card]))


class NormalBot(EasyBot):
    """It plays for its partner, too: it leads what wins, loads safe tricks, and spares its high cards."""

    level = "normal"

    @override
    def pick(self, sight: Sight, legal: Faces) -> Card[ItalianFace]:
        if sight.led is None:
            return self.leads(sight, legal)
        safe = sight.last or (sight.best is not None and sight.is_master(sight.best))
        if sight.partner and safe:
            under = [card for card in legal if not sight.wins(legal[card])] or [*legal]
            return max(under, key=lambda card: (thirds(legal[card]), -height(legal[card])))
        wins = [card for card in legal if sight.wins(legal[card])]
        sure = wins if sight.last else [card for card in wins if sight.is_master(legal[card])]
        if sure and not sight.partner:
            return max(sure, key=lambda card: (thirds(legal[card]), -height(legal[card])))
        return min(legal, key=lambda card: (*low(legal[card]), sight.length(legal[card])))

    def leads(self, sight: Sight, legal: Faces) -> Card[ItalianFace]:
        masters = [card for card in legal if sight.is_master(legal[card])]
        if masters:
            return max(masters, key=lambda card: (sight.length(legal[card]), thirds(legal[card])))
        return min(
            legal, key=lambda card: (thirds(legal[card]), -sight.length(legal[card]), height(legal[card]))
        )


class HardBot(NormalBot):
    """It counts the cards that are out."""

    level = "hard"
    counts = True
