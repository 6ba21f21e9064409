"""Views: what one seat may know.

A `View` has the public state, in which hidden faces can't be read, and the faces that its own seat was shown.
It has nothing else. Its zones are in `zones`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from typing import Any, Generic, Protocol

from typing_extensions import TypeVar

from tavolata.asks import Ask
from tavolata.assertions import UNSAID, Declaration
from tavolata.cards import Card, Deck, Pile
from tavolata.choices import MOST, Answer
from tavolata.cups import DiceDeck
from tavolata.errors import GameError
from tavolata.facts import faced
from tavolata.kinds.question import RandomNumbers
from tavolata.looks import Look
from tavolata.messages import N_, Event
from tavolata.options import Options
from tavolata.ring import Ring, Seat
from tavolata.secret import Secret
from tavolata.zones import CardView, Zone

G = TypeVar("G", default=Any)
"""The game of a view; a plain `View` is of any game."""
F = TypeVar("F")
V = TypeVar("V")


class _Unseen(Exception):
    """A viewer does not know a face or a sealed answer."""


SEALED = N_("sealed")
"""Shown in place of a sealed answer that a viewer may not know."""


@dataclass(eq=False, repr=False, slots=True)
class View(Generic[G]):
    """The view of one seat or of a spectator now.

    Attributes:
        seat: the seat; None for a spectator.
        game: the public state; it may not be changed, because it is that of the running match.
        options: the house rules of the match.
        ring: the seats in turn order.
        names: the players' names by seat.
        events: all events that this viewer may know, the oldest first.
    """

    seat: Seat | None
    game: G
    options: Options
    ring: Ring
    names: Sequence[str]
    _known: Mapping[int, int]
    _sealed: Mapping[int, Answer]
    events: Sequence[Event]
    _zones: Callable[[Seat | None], Iterable[Zone]]
    _cards: Sequence[Card[Any]]
    _imagine: Callable[[RandomNumbers], World[G]]
    _piles: Callable[[], Iterable[Pile[Any]]] = tuple
    _side: int = 1  # how many seats win together
    _seen_for: Ask | None = field(default=None, init=False)
    _seen: tuple[Any, ...] = field(default=(), init=False)

    def face(self, card: Card[F]) -> F | None:
        """Return the face of a card; None if this viewer may not know it."""
        deck: Deck[F] = card.deck
        number = self._known.get(card.id)
        if number is not None:
            return deck.faces[number]
        return card.face if card.is_public else None

    def face_of(self, card: int) -> Any:
        """Return the face of the card with this handle; None if this viewer may not know it."""
        return self.face(self._cards[card])

    def number_of(self, card: int, face: object) -> int:
        """Return the place of a face in the deck of the card with this handle."""
        return self._cards[card].deck.number[face]

    def look_of(self, card: int) -> Callable[[Any], Look] | None:
        """How faces of the deck of the card with this handle are shown; None for the default way."""
        return self._cards[card].deck.look

    def answer(self, secret: Secret[V]) -> V | None:
        """Return a sealed answer if it's open or this viewer's own; otherwise None."""
        if secret.is_open:
            return secret.value
        answer = self._sealed.get(secret.id)
        return None if answer is None else secret.question.value_of(answer)

    def legal(self, ask: Ask[V]) -> Sequence[V]:
        """Return the values that a question allows, in their order.

        Raises:
            GameError: it has more than 512 answers; `ask.question` numbers them.
        """
        count = ask.question.count()
        if count > MOST:
            raise GameError(f"{count} answers are too many to list; `ask.question.nth` finds each.")
        return [value for value in map(ask.question.nth, range(count)) if self.holds(ask, value)]

    def allows(self, ask: Ask, value: object) -> bool:
        """Return True for a legal answer whose claim is true as far as this viewer knows; never raise."""
        try:
            ask.question.answer_for(value)
        except Exception:  # noqa: BLE001 - a value of any kind may be tried
            return False
        return self.holds(ask, value)

    def holds(self, ask: Ask, value: object) -> bool:
        """Return True if the claim of a question is true of one of its values, as far as this viewer knows.

        A fact that raises forbids nothing here: it is the fault of the game, and is called again where all
        machines see the same.
        """
        claim = ask.claim
        if claim is None:
            return True
        try:
            chosen = faced(value, self._sure_face)
            if self._seen_for is not ask:  # while a question is open nobody can shuffle what it is about
                self._seen = faced(claim.about, self._sure_face)
                self._seen_for = ask
        except _Unseen:
            return True
        try:
            return bool(claim.fact(chosen, self._seen, *claim.args))
        except Exception:  # noqa: BLE001 - the rules' fault, which all machines find when they judge
            return True

    def _sure_face(self, card: Card[F]) -> F:
        number = self._known.get(card.id)
        if number is not None:
            return card.deck.faces[number]
        if card.is_public:
            return card.face
        raise _Unseen

    def worked_out(self, one: Declaration) -> Any:
        """Return the value of a declaration, `UNSAID` if this viewer does not know what it is about."""
        try:
            return one.work_out(self._sure_face, self._sure_answer)
        except _Unseen:
            return UNSAID

    def _sure_answer(self, secret: Secret[V]) -> V:
        if not secret.is_open and secret.id not in self._sealed:
            raise _Unseen
        value: Any = self.answer(secret)
        known: V = value
        return known

    def imagine(self, chance: RandomNumbers) -> World[G]:
        """Return a whole world that may be the true one, as far as this viewer knows, to try things out in.

        It has the same public state, and this viewer knows the same in it. Unseen cards have faces that may
        be theirs, the sealed answers of others are legal ones, and what is drawn later is new.

        Args:
            chance: where all of that comes from; the same numbers give the same world.

        Raises:
            GameError: the state can't be copied, because it holds what isn't plain data.
        """
        return self._imagine(chance)

    def zones(self) -> dict[str, Zone]:
        """By id, the zones of the table with the faces that this viewer may see."""
        return {zone.id: self._shown_zone(zone) for zone in self._zones(self.seat)}

    def _shown_zone(self, zone: Zone) -> Zone:
        params = {name: self._shown(value) for name, value in zone.params.items()} if zone.params else {}
        return replace(zone, content=self._shown(zone.content), params=params)

    def _shown(self, content: Any) -> Any:
        if isinstance(content, Card):
            die = isinstance(content.deck, DiceDeck)
            face = self.face(content)
            down = face is not None and not content.is_public
            return CardView(content.id, content.deck.name, face, content.deck.look, die, down)
        if isinstance(content, Secret):
            answer = self.answer(content)
            return SEALED if answer is None else answer
        if isinstance(content, tuple):
            return tuple(self._shown(part) for part in content)
        return content


@dataclass(frozen=True, slots=True)
class Action:
    """Something that a seat can do in a simulation: an answer, a reaction or an interjection.

    Attributes:
        seat: the seat.
        value: what it chooses; None in a window lets it pass.
        name: the interjection; "" for an answer.
    """

    seat: Seat
    value: object
    name: str = ""
    _prompt: str = field(default="", repr=False, compare=False)
    _view: View[Any] | None = field(default=None, repr=False, compare=False)

    @property
    def key(self) -> str:
        """What it is in words that mean the same in every state and every match.

        It has the face of a card that the seat knows, and the place of one that it doesn't.
        """
        return f"{self.name or self._prompt}/{written(self.value, self._view)}"


def written(value: object, view: View[Any] | None = None) -> str:
    """Return a value in short words that are the same in every process; see `Action.key`."""
    if isinstance(value, Card):
        face = None if view is None else view.face(value)
        return written(face) if face is not None else _place(value, view)
    if isinstance(value, Seat):
        return f"seat {int(value)}"
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, list | tuple):
        return f"({', '.join(written(part, view) for part in value)})"
    if isinstance(value, dict):
        return f"({', '.join(f'{written(k, view)}: {written(part, view)}' for k, part in value.items())})"
    if is_dataclass(value) and type(value).__str__ is object.__str__:
        parts = ", ".join(written(getattr(value, part.name), view) for part in fields(value))
        return f"{type(value).__name__}({parts})"
    return str(value)


def _place(card: Card[Any], view: View[Any] | None) -> str:
    """Return the pile and the place where an unseen card lies."""
    for pile in () if view is None else view._piles():  # noqa: SLF001 - an action is a part of its view
        for place, one in enumerate(pile.cards):
            if one is card:
                return f"{pile.name}[{place}]"
    return f"{card.deck.name}[?]"


class World(Protocol[G]):
    """A match to try things out in; `tavolata.sim.Simulation` has the same methods.

    Attributes:
        untrue: how many of the open claims are false in this world; nobody is convicted of them.
    """

    untrue: int

    @property
    def game(self) -> G:
        """The state, as rules see it."""

    @property
    def outcome(self) -> Any:
        """The `Outcome`; None while the match runs."""

    @property
    def turn(self) -> int:
        """How many turns have ended."""

    @property
    def open(self) -> tuple[Ask[Any], ...]:
        """The questions that are open now."""

    def legal(self, seat: int | None = None) -> Sequence[Action]:
        """Return what can be done; see `Simulation.legal`."""

    def step(self, what: Action | object) -> None:
        """Do it; see `Simulation.step`."""

    def view(self, seat: int | None) -> View[G]:
        """Return what a seat may know in this world."""

    def clone(self) -> World[G]:
        """Another world in the same state."""

    def digest(self) -> bytes:
        """16 bytes that are equal in equal public states."""

    def rollout(
        self,
        bots: Any,
        chance: RandomNumbers,
        *,
        steps: int | None = None,
        patient: Callable[[], bool] | None = None,
    ) -> Any:
        """Play on; see `Simulation.rollout`."""

    def playout(self, chance: RandomNumbers) -> Any:
        """How it ends if random bots play on; see `Simulation.playout`."""

    def unfinished(self) -> Any:
        """Return the `Outcome` if the match were abandoned now; None if it would have none."""
