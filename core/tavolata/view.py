"""What one seat may know: zones as plain data, built up from what was shown to it.

A `View` has the public state (in which hidden faces are not there to be read) and the faces that
its own seat was shown; nothing else reaches it. Zones say what lies on the table so that every
face of the program can draw it. Drawing does not live here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Literal

from typing_extensions import TypeVar

from tavolata.asks import Ask, cards_in
from tavolata.boards import Grid, Track
from tavolata.cards import Card, Deck, Pile
from tavolata.choices import Answer
from tavolata.counters import Counter, Counters
from tavolata.messages import N_, Event
from tavolata.options import Options
from tavolata.ring import Ring, Seat
from tavolata.secret import Secret

G = TypeVar("G", default=Any)
"""A plain `View` is one of any game."""
F = TypeVar("F")
V = TypeVar("V")
ZoneKind = Literal["pile", "hand", "counter", "tokens", "track", "grid", "text"]


SEALED = N_("under seal")
"""What stands for a sealed answer that a viewer may not know."""


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as one viewer sees it.

    Attributes:
        id: number of the handle; equal for all viewers.
        deck: name of its deck.
        face: what it shows, None when this viewer may not know.
    """

    id: int
    deck: str
    face: Any = None


@dataclass(frozen=True, slots=True)
class Zone:
    """One named area of the table.

    Attributes:
        id: unique on the table.
        kind: how it is to be drawn, and so what `content` holds:
            pile, hand: cards from bottom to top; counter: a number; tokens: rows of (label, number);
            track: (square, mark, tokens) for each square; grid: rows of cells; text: a message id.
            A sealed answer in it, or among `params`, is its value to those who may know it.
        title: a message id.
        content: as `kind` says.
        seat: whose it is, None when it is everybody's.
        params: what the title's, or the text's, fields stand for.
    """

    id: str
    kind: ZoneKind
    title: str
    content: Any
    seat: Seat | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def pile_zone(pile: Pile[Any], title: str, *, seat: Seat | None = None) -> Zone:
    """A pile: how many cards, and those of them that may be seen."""
    return Zone(pile.name, "pile", title, tuple(pile.cards), seat)


def hand_zone(hand: Pile[Any], title: str, seat: Seat) -> Zone:
    """A hand, of which its owner sees the faces."""
    return Zone(hand.name, "hand", title, tuple(hand.cards), seat)


def counter_zone(counter: Counter, title: str, *, seat: Seat | None = None) -> Zone:
    """One number."""
    return Zone(counter.name, "counter", title, counter.value, seat)


def counters_zone(counters: Counters, title: str) -> Zone:
    """A number for each seat."""
    rows = tuple((Seat(number), one.value) for number, one in enumerate(counters))
    return Zone(counters.name, "tokens", title, rows)


def tokens_zone(name: str, title: str, rows: Iterable[tuple[Any, int]]) -> Zone:
    """Rows of something and how many."""
    return Zone(name, "tokens", title, tuple(rows))


def track_zone(track: Track, title: str) -> Zone:
    """A track with its squares, their marks and the tokens on them."""
    squares = [(at, track.marks.get(at, ""), tuple(track.on(at))) for at in range(track.length + 1)]
    return Zone(track.name, "track", title, tuple(squares))


def grid_zone(grid: Grid, title: str) -> Zone:
    """A grid, row by row."""
    rows = [tuple(grid[row, column] for column in range(grid.columns)) for row in range(grid.rows)]
    return Zone(grid.name, "grid", title, tuple(rows))


def text_zone(name: str, title: str, text: str, **params: Any) -> Zone:
    """A sentence that is always on view."""
    return Zone(name, "text", title, text, None, params)


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
