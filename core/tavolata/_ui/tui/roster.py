"""The players as one small table: whose turn it is, and what the zones count for each of them.

Zones that only number something by seat (fiches, points) become columns here, and so do the hands
of others of which nothing can be seen: eight hands of backs would hide all the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata._ui.tui.pen import Pen
from tavolata._ui.tui.runs import Block, Line, beside, clipped, padded, width
from tavolata.messages import N_
from tavolata.ring import SEATS, Seat
from tavolata.view import Zone

YOU = N_("(you)")
AWAY = N_("(away)")
BOT = N_("(bot)")
STAND_IN = N_("(away, a bot plays)")


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
    if zone.kind != "tokens" or zone.seat is not None:
        return None
    rows: dict[Seat, Any] = {}
    for label, number in zone.content:
        team = label if isinstance(label, tuple) else (label,)
        if not all(isinstance(seat, Seat) and seat not in rows for seat in team):
            return None
        rows |= dict.fromkeys(team, number)
    return rows if len(rows) == seats else None


def is_back(zone: Zone, pen: Pen, mine: frozenset[int]) -> bool:
    """Whether a zone is a hand of somebody else of which nothing can be seen."""
    return (
        zone.kind == "hand"
        and zone.seat is not None
        and zone.seat not in mine
        and all(not pen.short(card)[0] for card in zone.content)
    )


def draw_roster(players: Players, zones: Sequence[Zone], pen: Pen, rows: int) -> tuple[Block, list[Zone]]:
    """The table of players, at most so many rows high where that is possible, and the zones not in it."""
    seats = len(players.names)
    columns: list[tuple[str, dict[int, str]]] = []
    left: list[Zone] = []
    hands: dict[str, dict[int, str]] = {}
    for zone in zones:
        counts = by_seat(zone, seats)
        if counts is not None:
            columns.append((pen.say(zone.title), {int(seat): pen.name(n) for seat, n in counts.items()}))
        elif is_back(zone, pen, players.mine) and int(zone.seat or 0) not in hands.get(zone.title, {}):
            hands.setdefault(zone.title, {})[int(zone.seat or 0)] = _backs(len(zone.content), pen)
        else:
            left.append(zone)
    columns += [(pen.say(title), cells) for title, cells in hands.items()]
    lines = [_row(seat, players, columns, pen) for seat in range(seats)]
    head = _head(columns, players, pen)
    each = max(width(line) for line in [head, *lines])
    across = max(1, (pen.room + 3) // (each + 3))
    down = max(1, rows - bool(columns), -(-seats // across))
    groups = [lines[at : at + down] for at in range(0, seats, down)]
    blocks = [Block(((head,) if columns else ()) + tuple(group)) for group in groups]
    return beside(blocks, 3), left


def _name_room(players: Players, pen: Pen) -> int:
    return min(20, max(width(((_called(seat, players, pen), ""),)) for seat in range(len(players.names))))


def _called(seat: int, players: Players, pen: Pen) -> str:
    name = pen.name(SEATS[seat])
    if seat in players.mine:
        return f"{name} {pen.say(YOU)}"
    return f"{name} {players.marks[seat]}" if players.marks.get(seat) else name


def _row(seat: int, players: Players, columns: list[tuple[str, dict[int, str]]], pen: Pen) -> Line:
    asked = seat in players.asked
    mark = f"{pen.glyphs.turn} " if asked else "  "
    role = "turn" if asked else "own" if seat in players.mine else ""
    room = _name_room(players, pen)
    cells: Line = ((mark, "turn"), *padded(clipped(((_called(seat, players, pen), role),), room), room))
    for title, numbers in columns:
        size = _size(title, numbers)
        cells = (*cells, (f"  {numbers.get(seat, '-'):>{size}}", "number"))
    return cells


def _head(columns: list[tuple[str, dict[int, str]]], players: Players, pen: Pen) -> Line:
    cells: Line = ((" " * (_name_room(players, pen) + 2), ""),)
    for title, numbers in columns:
        cells = (*cells, (f"  {title:>{_size(title, numbers)}}", "title"))
    return cells


def _size(title: str, numbers: dict[int, str]) -> int:
    return max(width(((text, ""),)) for text in [title, *numbers.values()])


def _backs(count: int, pen: Pen) -> str:
    return f"{pen.glyphs.back * min(count, 5)} {count:>2}"
