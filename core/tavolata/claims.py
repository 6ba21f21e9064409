"""Open claims: what seats have said of hidden faces, until these become public and the claims are judged."""

from __future__ import annotations

from typing import Any

from tavolata.asks import Claim, cards_in
from tavolata.cards import Card
from tavolata.errors import FalseClaim
from tavolata.ring import Seat


class OpenClaims:
    """The claims that nobody can check yet.

    Args:
        game: the match whose methods the claims name.

    Attributes:
        said: each card that something was said of, who said it, and what.
    """

    __slots__ = ("_game", "said")

    def __init__(self, game: object) -> None:
        self._game = game
        self.said: list[tuple[Card[Any], Seat, Claim]] = []

    def note(self, seat: Seat, value: object, claim: Claim) -> None:
        """Note what choosing this value says; what is public of it was checked with the answer."""
        self.said += [(card, seat, claim) for card in cards_in(value) if not card.is_public]

    def forget(self, cards: list[Card[Any]]) -> None:
        """These were shuffled: a handle is another card now, and what was said can't be checked."""
        if self.said:
            mixed = set(cards)
            self.said = [one for one in self.said if one[0] not in mixed]

    def judge(self, card: Card[Any]) -> None:
        """A face is public now: was everything true that was said of it?

        Raises:
            FalseClaim: it was not.
        """
        said = [one for one in self.said if one[0] is card]
        self.said = [one for one in self.said if one[0] is not card]
        for _, seat, claim in said:
            if not getattr(self._game, claim.rule)(card.face, *claim.args):
                raise FalseClaim(seat, str(card.face))
