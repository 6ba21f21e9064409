"""Open claims: claims about hidden faces, which are judged when the faces become public."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tavolata.asks import Claim, cards_in
from tavolata.cards import Card
from tavolata.errors import FalseClaim
from tavolata.ring import Seat


class OpenClaims:
    """The claims that not everybody can check yet.

    Args:
        game: the match whose methods the claims name.

    Attributes:
        said: the claims, each with its card and the seat that made it.
    """

    __slots__ = ("_game", "said")

    def __init__(self, game: object) -> None:
        self._game = game
        self.said: list[tuple[Card[Any], Seat, Claim]] = []

    def note(self, seat: Seat, value: object, claim: Claim) -> None:
        """Note the claim for the hidden cards in this value; public ones were checked with the answer."""
        about = replace(claim, args=(value, *claim.args))
        self.said += [(card, seat, about) for card in cards_in(value) if not card.is_public]

    def forget(self, cards: list[Card[Any]]) -> None:
        """Drop the claims about shuffled cards: their handles stand for other cards now."""
        if self.said:
            mixed = set(cards)
            self.said = [one for one in self.said if one[0] not in mixed]

    def judge(self, card: Card[Any]) -> None:
        """Judge all claims about a card whose face is public now.

        Raises:
            FalseClaim: one of them is false.
        """
        said = [one for one in self.said if one[0] is card]
        self.said = [one for one in self.said if one[0] is not card]
        for _, seat, claim in said:
            if not getattr(self._game, claim.rule)(card.face, *claim.args):
                raise FalseClaim(seat, str(card.face))
