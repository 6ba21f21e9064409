"""The drawing of the players as one small table: the turn, and the counts of zones for each player.

Zones with one number for each seat (fiches, points) become columns here. So do the hidden hands of
others, because eight hands of card backs would leave no room for the rest.
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
"""The most open cards of a seat that are shown in the table."""
WORDS = 28
"""The widest text about a seat in the table, in cells; longer text is drawn below the table."""


@dataclass(frozen=True, slots=True)
class Players:
    """The players at the table.

    Attributes:
        names: the names by seat.
        mine: the viewer's seats.
        asked: the seats that have to answer now.
        marks: notes about seats: a bot, away, the quality of the connection.
    """

    names: Sequence[str]
    mine: frozenset[int] = frozenset()
    asked: frozenset[int] = frozenset()
    marks: Mapping[int, str] = field(default_factory=dict)


def by_seat(zone: Zone, seats: int) -> Mapping[Seat, Any] | None:
    """The number of each seat, if the zone has only these; every seat of a team gets the team's number."""
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
    """Whether a zone is the hidden hand of another player."""
    shape = zone.shape()
    return (
        isinstance(shape, CardRow)
        and zone.seat is not None
        and zone.seat not in mine
        and all(not pen.card_face(card)[0] for card in shape.cards)
    )


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table; `words` if it is text, which is aligned to the left."""

    title: str
    cells: Mapping[int, str]
    words: bool = False

    @property
    def width(self) -> int:
        """The width in cells."""
        return max(width(((text, ""),)) for text in [self.title, *self.cells.values()])

    def cell(self, text: str, role: str) -> Line:
        """One cell of the column, with a gap before it."""
        own: Line = ((text, role),)
        blank: Line = ((" " * (self.width - width(own)), ""),)
        return (("  ", ""), *own, *blank) if self.words else (("  ", ""), *blank, *own)


def draw_roster(players: Players, zones: Sequence[Zone], pen: Pen, rows: int) -> tuple[Block, list[Zone]]:
    """Draw the table of players, if possible in at most `rows` rows; return the other zones, too."""
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
    """The columns of the table, and the zones that are not in it."""
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
    """Whether a seat's zone can be told in a few words: a text, a number, or one or two open cards."""
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
