"""Zones: named areas of the table as plain data, and what faces know of each kind.

A zone has a kind, which is registered here by one function that says which shape its content has:
cards, a count, rows, lanes, cells or a sentence. Every face knows how to show each shape, and no kind.
Drawing does not live here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tavolata.boards import Grid, Track
from tavolata.cards import Pile
from tavolata.counters import Counter, Counters
from tavolata.ring import Seat


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
        kind: one of those registered below, which says what `content` holds.
            A sealed answer in it, or among `params`, is its value to those who may know it.
        title: a message id.
        content: as `kind` says.
        seat: whose it is, None when it is everybody's.
        params: what the title's, or the text's, fields stand for.
    """

    id: str
    kind: str
    title: str
    content: Any
    seat: Seat | None = None
    params: Mapping[str, Any] = field(default_factory=dict)

    def shape(self) -> ZoneShape:
        """What faces know of it."""
        return ZONE_KINDS[self.kind](self)


# -- what faces know ------------------------------------------------------------------------------


class CardStack(NamedTuple):
    """Cards on one another, from bottom to top: the top one is what is seen at a glance."""

    cards: tuple[Any, ...]


class CardRow(NamedTuple):
    """Cards side by side."""

    cards: tuple[Any, ...]


class Count(NamedTuple):
    """A number."""

    number: Any


class Rows(NamedTuple):
    """Rows of something and how many: (label, number)."""

    rows: tuple[tuple[Any, Any], ...]


class Lanes(NamedTuple):
    """Squares in a line, with their marks and what is on them: (square, mark, tokens)."""

    squares: tuple[tuple[Any, str, tuple[Any, ...]], ...]


class Cells(NamedTuple):
    """Rows of cells; None is an empty one."""

    rows: tuple[tuple[Any, ...], ...]


class Sentence(NamedTuple):
    """A message id and what its fields stand for."""

    message: str
    params: Mapping[str, Any]


ZoneShape = CardStack | CardRow | Count | Rows | Lanes | Cells | Sentence

ZONE_KINDS: dict[str, Callable[[Zone], ZoneShape]] = {}
"""Every kind of zone, and which shape its content has."""


def zone_kind(name: str) -> Callable[[Callable[[Zone], ZoneShape]], Callable[[Zone], ZoneShape]]:
    """Register a kind of zone: the function says which shape its content has."""

    def register(shape: Callable[[Zone], ZoneShape]) -> Callable[[Zone], ZoneShape]:
        ZONE_KINDS[name] = shape
        return shape

    return register


# -- the kinds, each with what makes one ------------------------------------------------------------


@zone_kind("pile")
def _pile(zone: Zone) -> ZoneShape:
    return CardStack(zone.content)


def pile_zone(pile: Pile[Any], title: str, *, seat: Seat | None = None) -> Zone:
    """A pile: how many cards, and those of them that may be seen."""
    return Zone(pile.name, "pile", title, tuple(pile.cards), seat)


@zone_kind("hand")
def _hand(zone: Zone) -> ZoneShape:
    return CardRow(zone.content)


def hand_zone(hand: Pile[Any], title: str, seat: Seat) -> Zone:
    """A hand, of which its owner sees the faces."""
    return Zone(hand.name, "hand", title, tuple(hand.cards), seat)


@zone_kind("counter")
def _counter(zone: Zone) -> ZoneShape:
    return Count(zone.content)


def counter_zone(counter: Counter, title: str, *, seat: Seat | None = None) -> Zone:
    """One number."""
    return Zone(counter.name, "counter", title, counter.value, seat)


@zone_kind("tokens")
def _tokens(zone: Zone) -> ZoneShape:
    return Rows(zone.content)


def counters_zone(counters: Counters, title: str) -> Zone:
    """A number for each seat."""
    rows = tuple((Seat(number), one.value) for number, one in enumerate(counters))
    return Zone(counters.name, "tokens", title, rows)


def tokens_zone(name: str, title: str, rows: Iterable[tuple[Any, int]]) -> Zone:
    """Rows of something and how many."""
    return Zone(name, "tokens", title, tuple(rows))


@zone_kind("track")
def _track(zone: Zone) -> ZoneShape:
    return Lanes(zone.content)


def track_zone(track: Track, title: str) -> Zone:
    """A track with its squares, their marks and the tokens on them."""
    squares = [(at, track.marks.get(at, ""), tuple(track.on(at))) for at in range(track.length + 1)]
    return Zone(track.name, "track", title, tuple(squares))


@zone_kind("grid")
def _grid(zone: Zone) -> ZoneShape:
    return Cells(zone.content)


def grid_zone(grid: Grid, title: str) -> Zone:
    """A grid, row by row."""
    rows = [tuple(grid[row, column] for column in range(grid.columns)) for row in range(grid.rows)]
    return Zone(grid.name, "grid", title, tuple(rows))


@zone_kind("text")
def _text(zone: Zone) -> ZoneShape:
    return Sentence(zone.content, zone.params)


def text_zone(name: str, title: str, text: str, **params: Any) -> Zone:
    """A sentence that is always on view."""
    return Zone(name, "text", title, text, None, params)
