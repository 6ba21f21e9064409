"""A view: what one seat may know, built up from what was shown to it.

A `View` has the public state (in which hidden faces are not there to be read) and the faces that
its own seat was shown; nothing else reaches it. What lies on the table is `zones`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic

from typing_extensions import TypeVar

from tavolata.asks import Ask, cards_in
from tavolata.cards import Card, Deck
from tavolata.choices import Answer
from tavolata.messages import N_, Event
from tavolata.options import Options
from tavolata.ring import Ring, Seat
from tavolata.secret import Secret
from tavolata.zones import CardView, Zone

G = TypeVar("G", default=Any)
"""A plain `View` is one of any game."""
F = TypeVar("F")
V = TypeVar("V")

SEALED = N_("under seal")
"""What stands for a sealed answer that a viewer may not know."""


class View(Generic[G]):
    """What one seat, or a spectator (seat None), may know now.

    Attributes:
        seat: whose view it is; None for a spectator.
        game: the public state. Look, don't touch: it is the running match.
        options: the house rules of the match.
        ring: the seats in turn order.
        names: the players' names by seat.
        events: all that happened and may be known here, the oldest first.
    """

    __slots__ = (
        "_cards",
        "_known",
        "_sealed",
        "_zones",
        "events",
        "game",
        "names",
        "options",
        "ring",
        "seat",
    )

    def __init__(
        self,
        seat: Seat | None,
        game: G,
        options: Options,
        ring: Ring,
        names: Sequence[str],
        known: Mapping[int, int],
        sealed: Mapping[int, Answer],
        events: Sequence[Event],
        zones: Any,
        cards: Sequence[Card[Any]],
    ) -> None:
        self.seat = seat
        self.game: G = game
        self.options = options
        self.ring = ring
        self.names = names
        self.events = events
        self._known = known
        self._sealed = sealed
        self._zones = zones
        self._cards = cards

    def face(self, card: Card[F]) -> F | None:
        """What this card shows, None when this viewer may not know."""
        deck: Deck[F] = card.deck
        number = self._known.get(card.id)
        if number is not None:
            return deck.faces[number]
        return card.face if card.is_public else None

    def face_of(self, card: int) -> Any:
        """What the card of this handle shows, None when this viewer may not know."""
        return self.face(self._cards[card])

    def answer(self, secret: Secret[V]) -> V | None:
        """What was answered under a seal, None when this viewer may not know: it is open, or its own."""
        if secret.is_open:
            return secret.value
        answer = self._sealed.get(secret.id)
        return None if answer is None else secret.kind.value_of(answer)

    def claim_holds(self, ask: Ask, answer: Answer) -> bool:
        """Whether what this answer says of faces is true, as far as this viewer knows them."""
        claim = ask.claim
        if claim is None:
            return True
        faces = [self.face(card) for card in cards_in(ask.kind.value_of(answer))]
        rule = getattr(self.game, claim.rule)
        return all(rule(face, *claim.args) for face in faces if face is not None)

    def zones(self) -> dict[str, Zone]:
        """The zones of the table with the faces that this viewer may see, by id."""
        return {zone.id: self._shown_zone(zone) for zone in self._zones(self.seat)}

    def _shown_zone(self, zone: Zone) -> Zone:
        params = {name: self._shown(value) for name, value in zone.params.items()} if zone.params else {}
        return replace(zone, content=self._shown(zone.content), params=params)

    def _shown(self, content: Any) -> Any:
        if isinstance(content, Card):
            return CardView(content.id, content.deck.name, self.face(content))
        if isinstance(content, Secret):
            answer = self.answer(content)
            return SEALED if answer is None else answer
        if isinstance(content, tuple):
            return tuple(self._shown(part) for part in content)
        return content
