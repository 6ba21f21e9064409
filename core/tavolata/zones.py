"""Zones: named areas of the table as plain data, and the shape of each kind of zone.

Each kind is registered here with one function, which returns the shape of the zone's content: cards, a count,
rows, lanes, cells or a sentence. A frontend can show every shape and knows no kinds. Drawing is not
done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Literal, NamedTuple, get_args, overload

from tavolata.boards import Grid, Track
from tavolata.boards import counted as counted_from
from tavolata.cards import Card, Hand, Pile
from tavolata.counters import Counter, Counters
from tavolata.errors import GameError, check_words
from tavolata.looks import Look
from tavolata.messages import FieldMark, Mark
from tavolata.ring import Seat

__all__ = [
    "CardView",
    "Layout",
    "Show",
    "Zone",
    "calls",
    "cards_zone",
    "counted",
    "counter_zone",
    "counters_zone",
    "flow",
    "grid_zone",
    "hand_zone",
    "pile_zone",
    "text_zone",
    "tokens_zone",
    "track_zone",
]
"""What is for authors; the rest is for frontends."""


Order = Literal["rank", "suit", "kept"]
"""The order in which a hand is drawn."""
CellForm = Literal["short", "text"]
"""How the things of a grid are drawn: as signs of three characters, or in words."""
Role = Literal["", "hero", "centre", "board", "yours", "score", "seat", "fact", "aside"]
"""What a zone is on the screen; "" for the usual of its kind."""
Draw = Literal["", "pips", "bar", "stack", "row"]
"""How numbers or parts are drawn; "" for the usual way."""
Better = Literal["more", "less"]
Seating = Literal["rail", "ring"]
Palette = Literal["players", "pieces"]
_ORDERS, _FORMS = frozenset(get_args(Order)), frozenset(get_args(CellForm))
_ROLES, _DRAWS, _BETTER = frozenset(get_args(Role)), frozenset(get_args(Draw)), frozenset(get_args(Better))


@dataclass(frozen=True, slots=True)
class CardView:
    """A card as one viewer sees it.

    Attributes:
        id: number of the handle; equal for all viewers.
        deck: name of its deck.
        face: its face; None if this viewer may not know it.
        look: how faces of its deck are shown; None for the default way, and in an event.
        die: whether it is a die of a cup.
        down: whether it lies face down for somebody else: this viewer alone, or with a few, knows its face.
    """

    id: int
    deck: str
    face: Any = None
    look: Callable[[Any], Look] | None = field(default=None, repr=False, compare=False)
    die: bool = field(default=False, repr=False, compare=False)
    down: bool = field(default=False, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Show:
    """How a zone would like to be shown. Every field may be left out; nothing of it changes what is known.

    Attributes:
        role: hero, centre, board, yours, score, seat, fact or aside; "" for the default one of its kind.
        draw: pips, bar or stack (of cards) for numbers of seats; row for parts that are drawn as cards.
        row: the parts of a row: how many, and of what, such as `((3, "5"), (1, "8"))`.
        goal: the number that ends the match, or at which something happens; on a track the square at which
            a race ends.
        better: whether "more" or "less" of it is better.
        unit: a word or sign after the number; a message id.
        of: the name of the token to whose lane it belongs.
    """

    role: Role = ""
    draw: Draw = ""
    goal: int | None = None
    better: Better = "more"
    unit: str = ""
    of: str = ""
    row: tuple[tuple[int, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse a word that nothing understands.

        Raises:
            GameError: it names the word that may be meant.
        """
        if self.role not in _ROLES or self.draw not in _DRAWS or self.better not in _BETTER:
            check_words(
                "Show", role=(self.role, _ROLES), draw=(self.draw, _DRAWS), better=(self.better, _BETTER)
            )


@dataclass(frozen=True, slots=True)
class Layout:
    """How a game would like its table to be laid out; nothing of it changes what is known.

    Attributes:
        seating: "rail" for a column of players, "ring" for players around the board, where it matters who
            sits beside whom.
        palette: "players" if seats have hues; "pieces" if the things of the game have the hues, and seats
            only marks.
        decision: the rows that its questions need; 0 for the default number. Fewer make the board larger.
        clockwise: False if the next player in a ring sits on one's right.
    """

    seating: Seating = "rail"
    palette: Palette = "players"
    decision: int = 0
    clockwise: bool = True

    def __post_init__(self) -> None:
        """Refuse a word that nothing understands.

        Raises:
            GameError: it names the word that may be meant.
        """
        check_words(
            "Layout", seating=(self.seating, get_args(Seating)), palette=(self.palette, get_args(Palette))
        )


@dataclass(frozen=True, slots=True)
class Zone:
    """One named area of the table.

    Attributes:
        id: unique on the table.
        kind: pile, hand, counter, tokens, track, grid or text. For a viewer who may know it, a
            sealed answer in `content` or `params` is replaced by its value.
        title: a message id.
        content: by kind, a tuple of cards (pile, hand; `CardView`s in a view), a number (counter), rows of
            (label, number) (tokens), of (square, mark, tokens) (track), of cells, each a tuple of things
            (grid), or a message id (text).
        seat: the seat that it belongs to; None if it belongs to nobody.
        params: the values of the fields of the title or the text; of a track, its tokens.
        show: how it would like to be shown; None for the default way.
        order: how cards side by side are drawn for a viewer who knows all of them: by rank, by suit, or
            in their places ("kept"). It is drawing only.
    """

    id: str
    kind: str
    title: str
    content: Any
    seat: Seat | None = None
    params: Mapping[str, Any] = field(default_factory=dict)
    show: Show | None = None
    order: Order = "kept"

    def shape(self) -> ZoneShape:
        """Return the shape of its content.

        Raises:
            GameError: nobody registered its kind, or its kind gives something that isn't a shape.
        """
        if self.kind not in ZONE_KINDS:
            raise GameError(f"The zone {self.id!r} is of no known kind: {self.kind}.")
        shape: object = ZONE_KINDS[self.kind](self)
        if not isinstance(shape, ZoneShape):
            raise GameError(
                f"The zone {self.id!r} can't be shown: the kind {self.kind!r} makes it a "
                f"{type(shape).__name__}, which is no shape of a zone."
            )
        return shape


# -- marks ----------------------------------------------------------------------------------------


def counted(cards: Iterable[Card[Any]], of: str = "", need: int = 0) -> Mark:
    """Count these cards, one after the other. Whoever may not see one sees no mark on it.

    Use one mark for each thing counted: `of`, as the table writes it. `need` says how many of them there have
    to be; 0, or less, counts wild cards.
    """
    return Mark("counted", tuple(card.id for card in cards), of, need=max(0, need))


@overload
def flow(seat: Seat, to: Seat, n: int = 1, *, over: Iterable[Seat] = ()) -> Mark: ...  # pragma: no cover


@overload
def flow(seat: str, to: str, n: int = 1, *, over: int = 0) -> FieldMark: ...  # pragma: no cover


def flow(seat: Seat | str, to: Seat | str, n: int = 1, *, over: Any = 0) -> Mark | FieldMark:
    """`n` of something go from one seat to another, over those in between.

    With the names of two fields it is made once, for every telling of a sentence: `flow("seat", "to")`. Then
    `over` says how many seats after the giver it passes over.
    """
    if isinstance(seat, str):
        return FieldMark("flow", seat, str(to), n, over)
    return _flow(seat, int(to), n, tuple(over or ()))


# In a simulation a mark is made for nobody, so that it should cost little more than finding it again.
@lru_cache(maxsize=1024, typed=True)
def _flow(seat: Seat, to: int, n: int, over: tuple[Seat, ...]) -> Mark:
    return Mark("flow", seat=seat, to=to, n=n, over=over)


@overload
def calls(seat: Seat) -> Mark: ...  # pragma: no cover


@overload
def calls(seat: str) -> FieldMark: ...  # pragma: no cover


def calls(seat: Seat | str) -> Mark | FieldMark:
    """Call a seat; with the name of a field it is made once, for every telling of a sentence."""
    return FieldMark("calls", seat) if isinstance(seat, str) else _calls(seat)


@lru_cache(maxsize=64, typed=True)
def _calls(seat: Seat) -> Mark:
    return Mark("calls", seat=seat)


# -- shapes ---------------------------------------------------------------------------------------


class CardStack(NamedTuple):
    """Cards in a stack, from bottom to top."""

    cards: tuple[Any, ...]


class CardRow(NamedTuple):
    """Cards side by side."""

    cards: tuple[Any, ...]


class Count(NamedTuple):
    """A number."""

    number: Any


class Rows(NamedTuple):
    """Rows of (label, number)."""

    rows: tuple[tuple[Any, Any], ...]


class Lanes(NamedTuple):
    """Squares in a line: (square, mark, tokens); and all tokens in the order in which they were set up."""

    squares: tuple[tuple[Any, str, tuple[Any, ...]], ...]
    tokens: tuple[Any, ...]


class Cells(NamedTuple):
    """Rows of cells, each with its things from the lowest to the uppermost; and what the cells are.

    Attributes:
        rows: the things in each cell, () in an empty one; a row without cells is a gap.
        terrain: what each cell is, None for nothing special.
        hexagonal: whether every second row lies half a cell to the right.
        labels: the labels of the upper left cell; see `Grid`.
        cells: how the things in it are drawn.
    """

    rows: tuple[tuple[tuple[Any, ...], ...], ...]
    terrain: tuple[tuple[Any, ...], ...] = ()
    hexagonal: bool = False
    labels: str = ""
    cells: CellForm = "short"

    def label(self, row: int, column: int) -> str:
        """How people call a cell; "" on a board without labels."""
        return counted_from(self.labels[:1], row) + counted_from(self.labels[1:], column)


class Sentence(NamedTuple):
    """A message id and the values of its fields."""

    message: str
    params: Mapping[str, Any]


ZoneShape = CardStack | CardRow | Count | Rows | Lanes | Cells | Sentence

ZONE_KINDS: dict[str, Callable[[Zone], ZoneShape]] = {}
"""By name of the kind, the function that returns the shape of a zone."""


def zone_kind(name: str, shape: Callable[[Zone], ZoneShape]) -> None:
    """Register a kind of zone by the function that returns its shape."""
    ZONE_KINDS[name] = shape


# -- kinds, each with the function that makes one ---------------------------------------------------


zone_kind("pile", lambda zone: CardStack(zone.content))


def pile_zone(pile: Pile[Any], title: str, *, seat: Seat | None = None, show: Show | None = None) -> Zone:
    """Return a pile: the number of its cards, and the faces that may be seen."""
    return Zone(pile.name, "pile", title, tuple(pile.cards), seat, show=show)


zone_kind("hand", lambda zone: CardRow(zone.content))


def hand_zone(hand: Hand[Any], title: str, *, show: Show | None = None, order: Order = "rank") -> Zone:
    """Return a hand, whose owner sees the faces; the zone is the owner's.

    Anyone who knows all of its faces sees them sorted by rank, or by suit in the order of the deck. "kept"
    leaves them as they are, for games where places matter.
    """
    check_words("hand_zone", order=(order, _ORDERS))
    return Zone(hand.name, "hand", title, tuple(hand.cards), hand.owner, show=show, order=order)


def cards_zone(
    name: str,
    title: str,
    cards: Iterable[Card[Any]],
    *,
    seat: Seat | None = None,
    show: Show | None = None,
    **params: Any,
) -> Zone:
    """Cards side by side that are in no pile of their own, or in a part of one."""
    return Zone(name, "hand", title, tuple(cards), seat, params, show)


zone_kind("counter", lambda zone: Count(zone.content))


def counter_zone(counter: Counter, title: str, *, seat: Seat | None = None, show: Show | None = None) -> Zone:
    """One number."""
    return Zone(counter.name, "counter", title, counter.value, seat, show=show)


zone_kind("tokens", lambda zone: Rows(zone.content))


def counters_zone(counters: Counters, title: str, *, show: Show | None = None) -> Zone:
    """Return a number for each seat."""
    rows = tuple((Seat(number), one.value) for number, one in enumerate(counters))
    return Zone(counters.name, "tokens", title, rows, show=show)


def tokens_zone(name: str, title: str, rows: Iterable[tuple[Any, Any]], *, show: Show | None = None) -> Zone:
    """Rows of a label and a number, or of a label and a word."""
    return Zone(name, "tokens", title, tuple(rows), show=show)


zone_kind("track", lambda zone: Lanes(zone.content, zone.params["tokens"]))


def track_zone(track: Track, title: str, *, show: Show | None = None) -> Zone:
    """Return a track with its squares, their marks and the tokens on them."""
    squares = [(at, track.marks.get(at, ""), tuple(track.on(at))) for at in range(track.length + 1)]
    return Zone(track.name, "track", title, tuple(squares), None, {"tokens": tuple(track.tokens)}, show)


zone_kind("grid", lambda zone: Cells(zone.content, **zone.params))


def grid_zone(grid: Grid, title: str, *, show: Show | None = None, cells: CellForm = "short") -> Zone:
    """Show a grid, row by row; choices are on its cells by `Grid.at` and `Grid.column`.

    With "text" its things are words: each cell has two lines of at most 12 characters. Where they don't fit,
    signs stand in the cells and a legend beside them.
    """
    check_words("grid_zone", cells=(cells, _FORMS))
    across = range(grid.columns)
    rows = tuple(tuple(grid.things((row, column)) for column in across) for row in range(grid.rows))
    terrain = tuple(tuple(grid.terrain.get((row, column)) for column in across) for row in range(grid.rows))
    params = {"terrain": terrain, "hexagonal": grid.hexagonal, "labels": grid.labels, "cells": cells}
    return Zone(grid.name, "grid", title, rows, None, params, show)


zone_kind("text", lambda zone: Sentence(zone.content, zone.params))


def text_zone(name: str, title: str, text: str, *, show: Show | None = None, **params: Any) -> Zone:
    """Return a sentence that is always on view."""
    return Zone(name, "text", title, text, None, params, show)
