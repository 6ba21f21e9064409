"""The players as one small table: whose turn it is, and what the zones count for each of them.

Zones that only number something by seat (fiches, points) become columns here, and so do the hands
of others of which nothing can be seen: eight hands of backs would hide all the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata._ui.tui.drawing.pen import Pen
from tavolata._ui.tui.drawing.runs import Block, Line, beside, clipped, padded, width
from tavolata.messages import N_
from tavolata.ring import SEATS, Seat
from tavolata.zones import CardRow, Count, Rows, Sentence, Zone

YOU = N_("(you)")
AWAY = N_("(away)")
BOT = N_("(bot)")
STAND_IN = N_("(bot for now)")
SHORT = 2
"""So many open cards of a seat are said in the table."""
WORDS = 28
"""Cells that what is said of each seat may take in the table; what is longer stands below it."""


@dataclass(frozen=True, slots=True)
class Players:
    """Who sits here.

    Attributes:
        names: by seat.
        mine: the seats of the person who looks.
        asked: the seats that are to answer something now.
        marks: what else is to be said of a seat: a bot, away, how good the connection is.
    """

    names: Sequence[str]
    mine: frozenset[int] = frozenset()
    asked: frozenset[int] = frozenset()
    marks: Mapping[int, str] = field(default_factory=dict)


def by_seat(zone: Zone, seats: int) -> Mapping[Seat, Any] | None:
    """The number of each seat, if the zone is nothing but these; of a team, all its seats have it."""
    shape = zone.shape()
    if not isinstance(shape, Rows) or zone.seat is not None:
        return None
    rows: dict[Seat, Any] = {}
    for label, number in shape.rows:
        team = label if isinstance(label, tuple) else (label,)
        if not all(isinstance(seat, Seat) and seat not in rows for seat in team):
            return None
        rows |= dict.fromkeys(team, number)
    return rows if len(rows) == seats else None


def is_back(zone: Zone, pen: Pen, mine: frozenset[int]) -> bool:
    """Whether a zone is a hand of somebody else of which nothing can be seen."""
    shape = zone.shape()
    return (
        isinstance(shape, CardRow)
        and zone.seat is not None
        and zone.seat not in mine
        and all(not pen.card_face(card)[0] for card in shape.cards)
    )


@dataclass(frozen=True, slots=True)
class Column:
    """What is said of every seat under one title; `words` if it is text, which stands to the left."""

    title: str
    cells: Mapping[int, str]
    words: bool = False

    @property
    def width(self) -> int:
        """How many cells it takes."""
        return max(width(((text, ""),)) for text in [self.title, *self.cells.values()])

    def cell(self, text: str, role: str) -> Line:
        """One cell of it, with a gap before it."""
        own: Line = ((text, role),)
        blank: Line = ((" " * (self.width - width(own)), ""),)
        return (("  ", ""), *own, *blank) if self.words else (("  ", ""), *blank, *own)


def draw_roster(players: Players, zones: Sequence[Zone], pen: Pen, rows: int) -> tuple[Block, list[Zone]]:
    """The table of players, at most so many rows high where that is possible, and the zones not in it."""
    columns, left = _columns(players, zones, pen)
    seats = len(players.names)
    lines = [_row(seat, players, columns, pen) for seat in range(seats)]
    head = _head(columns, players, pen)
    each = max(width(line) for line in [head, *lines])
    across = max(1, (pen.room + 3) // (each + 3))
    down = max(1, rows - bool(columns), -(-seats // across))
    groups = [lines[at : at + down] for at in range(0, seats, down)]
    blocks = [Block(((head,) if columns else ()) + tuple(group)) for group in groups]
    return beside(blocks, 3), left


def _columns(players: Players, zones: Sequence[Zone], pen: Pen) -> tuple[list[Column], list[Zone]]:
    """What goes into the table, and the zones that don't."""
    columns: list[Column] = []
    left: list[Zone] = []
    hands: dict[str, dict[int, str]] = {}
    said: dict[str, list[Zone]] = {}
    for zone in zones:
        counts = by_seat(zone, len(players.names))
        if counts is not None:
            columns.append(
                Column(pen.say(zone.title), {int(seat): pen.name(n) for seat, n in counts.items()})
            )
        elif is_back(zone, pen, players.mine) and int(zone.seat or 0) not in hands.get(zone.title, {}):
            hands.setdefault(zone.title, {})[int(zone.seat or 0)] = _backs(len(zone.content), pen)
        else:
            left.append(zone)
            if zone.seat is not None and _is_short(zone, pen):
                said.setdefault(zone.title, []).append(zone)
    columns += [Column(pen.say(title), cells) for title, cells in hands.items()]
    room = pen.room - 2 - _name_room(players, pen) - sum(2 + column.width for column in columns)
    for title, mine in said.items():
        cells = {int(zone.seat or 0): _said(zone, pen) for zone in mine}
        column = Column(pen.say(title, mine[0].params), cells, words=not isinstance(mine[0].shape(), Count))
        if 1 < len(cells) == len(mine) and column.width <= WORDS and 2 + column.width <= room:
            room -= 2 + column.width
            columns.append(column)
            left = [zone for zone in left if not any(zone is one for one in mine)]
    return columns, left


def _is_short(zone: Zone, pen: Pen) -> bool:
    """Whether a zone of a seat can be said in a few words: a text, a number, a card or two that lie open."""
    shape = zone.shape()
    if isinstance(shape, CardRow):
        return 0 < len(shape.cards) <= SHORT and all(pen.card_face(card)[0] for card in shape.cards)
    return isinstance(shape, Sentence | Count)


def _said(zone: Zone, pen: Pen) -> str:
    match zone.shape():
        case CardRow(cards):
            return " ".join(pen.card_face(card)[0] for card in cards)
        case Sentence(message, params):
            return pen.say(message, params)
        case other:
            return pen.name(other[0])


def _name_room(players: Players, pen: Pen) -> int:
    return min(20, max(width(((_called(seat, players, pen), ""),)) for seat in range(len(players.names))))


def _called(seat: int, players: Players, pen: Pen) -> str:
    name = pen.name(SEATS[seat])
    if seat in players.mine:
        return f"{name} {pen.say(YOU)}"
    return f"{name} {players.marks[seat]}" if players.marks.get(seat) else name


def _row(seat: int, players: Players, columns: Sequence[Column], pen: Pen) -> Line:
    asked = seat in players.asked
    mark = f"{pen.glyphs.turn} " if asked else "  "
    role = "turn" if asked else "own" if seat in players.mine else ""
    room = _name_room(players, pen)
    cells: Line = ((mark, "turn"), *padded(clipped(((_called(seat, players, pen), role),), room), room))
    for column in columns:
        cells = (*cells, *column.cell(column.cells.get(seat, "-"), "" if column.words else "number"))
    return cells


def _head(columns: Sequence[Column], players: Players, pen: Pen) -> Line:
    cells: Line = ((" " * (_name_room(players, pen) + 2), ""),)
    for column in columns:
        cells = (*cells, *column.cell(column.title, "title"))
    return cells


def _backs(count: int, pen: Pen) -> str:
    return f"{pen.glyphs.back * min(count, 5)} {count:>2}"
