"""The drawing of a track: a lane for each token, with what is known of it and the choices about it. Pure."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace
from rich.cells import cell_len

from tavolata._ui.scene.scene import Lane, Option, SceneItem
from tavolata._ui.tui.drawing.runs import (
    LABEL,
    Block,
    Hotspot,
    Line,
    Run,
    beside,
    clipped,
    fitted,
    merged,
    padded,
    shortened,
    width,
)
from tavolata._ui.tui.drawing.workshop import Workshop

NAME: Final = 8
NUMBER: Final = 4
"""The cells of a choice in its column."""
NARROWEST: Final = 6
"""The least cells of a track."""
HORSE: Final = 3
"""The cells of a horse before its letter, and behind it."""
LEGS: Final = 2
"""The cells of its legs before its letter, and behind it."""


def draw_lanes(item: SceneItem, cells: int, rows: int, shop: Workshop) -> Block:
    """Draw the lanes, as far apart as the rows allow, below a scale and above the marks of the squares.

    With more lanes than rows, they're in columns, with their letters for names.
    """
    if 1 < rows <= len(item.lanes):
        each = -(-len(item.lanes) // (rows - 1))
        wide = (cells + 1) // each - 1
        parts = [
            replace(item, lanes=item.lanes[at : at + rows - 1]) for at in range(0, len(item.lanes), rows - 1)
        ]
        return beside([fitted(_lanes(part, wide, rows, shop, brief=True), wide, rows) for part in parts], 1)
    return _lanes(item, cells, rows, shop, brief=False)


def _lanes(item: SceneItem, cells: int, rows: int, shop: Workshop, *, brief: bool) -> Block:
    gap = next(gap for gap in (4, 3, 2, 1) if gap == 1 or rows >= gap * len(item.lanes) + 2)
    tall = rows >= gap * len(item.lanes) + 3  # what the titles say now moves no lane
    plan = _Plan(item, cells, shop, brief=brief, tall=tall, high=gap > 1)
    lines: list[Line] = plan.head()
    spots: list[Hotspot] = []
    for lane in item.lanes:
        lines += [plan.posts()] * (gap - 2)
        y = len(lines)
        line, own = plan.lane(lane)
        lines.append(line)
        spots += [spot.moved(0, y) for spot in own]
        if plan.has_horses:
            lines.append(((" " * (plan.name - LEGS), ""), *plan.squares(lane)))
        elif gap > 1:
            lines.append(plan.posts())
    if len(lines) < rows and item.marks:
        lines.append(plan.marks())
    return Block(tuple(clipped(_ended(line), cells) for line in lines), tuple(spots))


class _Plan:
    def __init__(
        self, item: SceneItem, cells: int, shop: Workshop, *, brief: bool, tall: bool, high: bool
    ) -> None:
        self.item, self.shop, self.cells, self.tall = item, shop, cells, tall
        self.names = {
            lane.thing: lane.letter if brief else _bare(lane.text, lane.letter) for lane in item.lanes
        }
        self.name = min(NAME, max((cell_len(name) for name in self.names.values()), default=1)) + 2
        ons = [shop.lanes.get((item.id, lane.thing), ()) for lane in item.lanes]
        on = [option for options in ons for option in options]
        fullest = sorted(ons, key=len, reverse=True)  # where one of two is left, both stay in their order
        heads = [option.at.column for options in fullest for option in options if option.at is not None]
        asked = [head for head in heads if head]
        # Lanes side by side have no room for them; the choices have.
        self.chosen = [] if brief else list(dict.fromkeys([*item.choices, *asked]))
        least = item.widths or (0,) * len(item.columns)
        values = [
            max(width, *(cell_len(lane.columns[at]) for lane in item.lanes)) for at, width in enumerate(least)
        ]
        self.heads = [self._in_rows(head) for head in item.columns]
        self.beside = [
            max(value, *map(cell_len, head)) + 1 for value, head in zip(values, self.heads, strict=True)
        ]
        self.numbered = bool(on) and not asked
        self.name += 3  # also without numbers: names and lanes stay where they are when a choice comes
        squares = item.length + 1
        self.chosen_heads = [self._in_rows(shop.say(head)) for head in self.chosen]
        self.head_room = [max(NUMBER, *(cell_len(row) + 1 for row in head)) for head in self.chosen_heads]
        self.finish = item.goal or item.length  # what is behind the end of the race is drawn close together
        track = self.finish + 2 if item.goal else min(2 * squares, max(squares, 12))
        floors = [max(value, LABEL) + 1 for value in values]
        least_heads = [LABEL + 1] * len(self.head_room)
        beyond = item.length - self.finish
        after = min(beyond, len(item.lanes)) + HORSE  # each may arrive on a cell of its own
        ridden = HORSE + 2 * (self.finish + 1) + after
        if high and self.name + ridden + 1 + sum(floors) + sum(least_heads) <= cells:
            track = max(track, ridden)
        over = self.name + track + 1 + sum(self.beside) + sum(self.head_room) - cells
        over = _shrunk(self.head_room, least_heads, over)
        over = _shrunk(self.beside, floors, over)  # titles get shorter; what they are above never does
        right = sum(self.beside) + sum(self.head_room)
        self.room = max(NARROWEST, cells - self.name - right - 1)
        self.has_horses = high and self.room >= ridden
        if self.has_horses:  # the first one begins before the first square
            self.name, self.room = self.name + HORSE, self.room - HORSE
        self.each = max(0, min(6, (self.room - (after if self.has_horses else beyond)) // (self.finish + 1)))
        if not self.each and item.goal:
            self.each = int(self.room > self.finish)
        ends = self.room - HORSE if self.has_horses else self.room
        self.beyond = min(beyond, ends - (self.finish + 1) * self.each)

    def x(self, square: int) -> int:
        if self.each:
            return min(square, self.finish) * self.each + max(0, min(square - self.finish, self.beyond))
        return -(-square * (self.room - 1) // max(1, self.item.length))  # the start is a cell of its own

    @property
    def long(self) -> int:
        return self.x(self.item.length) + 1 + (self.each > 1)

    def posts(self) -> Line:
        """Return a row without a token: lines at the special squares."""
        line: Line = ()
        for square in sorted(self.item.marks):
            line = (*padded(line, self.name + self.x(square)), (self.shop.glyphs.down, "hedge"))
        return line

    def _in_rows(self, head: str) -> tuple[str, str]:
        if not self.tall:
            return "", head
        words = head.split()
        splits = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(len(words))]
        return min(splits or [("", head)], key=lambda rows: max(map(cell_len, rows)))

    def head(self) -> list[Line]:
        item = self.item
        step = next(n for n in (1, 2, 3, 5, 10, 20, 50, 100) if self.x(n) - self.x(0) >= 4 or n == 100)
        title: Line = ((" " + item.title, "hot" if item.about else "title"),)
        above = padded(clipped(title, self.name + self.room), self.name + self.room)
        scale = padded(() if self.tall else clipped(title, self.name), self.name)
        begin = width(scale)
        for square in range(0, self.finish + 1, step):
            text = str(square)
            if self.x(square) + len(text) <= self.long:
                scale = (*padded(scale, begin + self.x(square)), (text, "dim"))
        lines = [(*padded(scale, begin + self.room), *self._titles(1))]
        return [(*above, *self._titles(0)), *lines] if self.tall else lines

    def _titles(self, row: int) -> Line:
        titles: Line = ()
        for heads, rooms, role in (
            (self.heads, self.beside, "dim"),
            (self.chosen_heads, self.head_room, "key"),
        ):
            for head, room in zip(heads, rooms, strict=True):
                said = head[row]
                if cell_len(said) >= room and role == "key":  # "to win" and "to place" differ at their ends
                    said = said.rpartition(" ")[2]
                titles = (*titles, *padded(((" " + shortened(said, room - 1), role),), room))
        return titles

    def lane(self, lane: Lane) -> tuple[Line, list[Hotspot]]:
        shop = self.shop
        options = shop.lanes.get((self.item.id, lane.thing), [])
        plain = next((option for option in options if option.at and not option.at.column), None)
        line: Line = ((" ", ""),)
        spots: list[Hotspot] = []
        if self.numbered:
            number = "" if plain is None else str(plain.number)
            line = (*line, *padded(((f"{number:>2}", self._role(plain)), (" ", "")), 3))
        else:
            line = (*line, ("   ", ""))
        role = "dim" if self.numbered and plain is None else lane.colour
        line = padded((*line, (self.names[lane.thing], role)), self.name)
        if self.has_horses:
            line = (*padded(line[:-1], self.name - HORSE), *self._horse(lane))
        else:
            line = (*line, *self.squares(lane))
        line = padded(line, self.name + self.room)
        if plain is not None:
            high = 1 + self.has_horses
            spots.append(Hotspot(0, 0, self.name + self.room, high, ("choice", plain.number - 1)))
        for column, text in enumerate(lane.columns):
            size = self.beside[column] - 1
            line = (*line, (" ", ""), *padded(clipped(((text, ""),), size), size))
        for head, room in zip(self.chosen, self.head_room, strict=True):
            option = next((one for one in options if one.at and one.at.column == head), None)
            text = "" if option is None else f"{option.number:>2}"
            if option is not None:
                spots.append(Hotspot(width(line), 0, room, 1, ("choice", option.number - 1)))
            line = (*line, (" ", ""), *padded(((text, self._role(option)),), room - 1))
        return line, spots

    def _horse(self, lane: Lane) -> Line:
        """Return a token as a horse with its letter as saddle, from `HORSE` cells before the first square."""
        posts = padded(self.posts(), self.name + self.room)
        if lane.square is None:
            return _between(posts, self.name - HORSE, self.name + self.room)
        begin, (tail, head, _) = self.name + self.x(lane.square) - HORSE, self.shop.glyphs.horse
        colour, sign = lane.colour or "token", self._sign(lane)
        after = begin + HORSE + len(sign) + HORSE
        return (
            *_between(posts, self.name - HORSE, begin),
            (tail, colour), (sign, f"{colour}-here"), (head, colour),
            *_between(posts, after, self.name + self.room),
        )  # fmt: skip

    def _sign(self, lane: Lane) -> str:
        """Return the letter of a token, with its place among others on its square; not for a horse."""
        numbered = lane.place and self.each > 1 and not self.has_horses
        return lane.letter + (str(lane.place) if numbered else "")

    def squares(self, lane: Lane) -> Line:
        """Return the squares of a lane: the way of its token, itself or a horse's legs, and what's ahead."""
        glyphs = self.shop.glyphs
        options = self.shop.lanes.get((self.item.id, lane.thing), [])
        cells: list[Run] = []
        at = -9 if lane.square is None else self.x(lane.square)
        was = at if lane.was is None else self.x(lane.was)
        if was == at and lane.was is not None and lane.square is not None:  # squares share a cell
            was += 1 if lane.square < lane.was else -1
        behind, ahead, ran = glyphs.lane
        marked = {self.x(square) for square in self.item.marks}
        targets = {
            self.x(option.at.square): option
            for option in options
            if option.at and option.at.square is not None
        }
        legs = dict(enumerate(glyphs.horse[2], at - LEGS)) if self.has_horses and at >= 0 else {}
        if 0 < abs(was - at) <= LEGS:  # legs don't cover the whole way that it has just run
            legs = {x: sign for x, sign in legs.items() if not min(was, at) <= x <= max(was, at) or x == at}
        x = -LEGS if self.has_horses else 0
        while x < self.long:
            if x == at and not self.has_horses:
                sign = self._sign(lane)
                cells.append((sign, f"{lane.colour or 'token'}-here"))
                x += len(sign)
                continue
            if x in targets:
                cells.append((glyphs.target, self._role(targets[x])))
            elif x in legs:
                cells.append((legs[x], lane.colour or "token"))
            elif x < 0:
                cells.append((" ", ""))
            elif x < at:
                moved = min(was, at) <= x
                cells.append((ran if moved and was != at else behind, lane.colour or "token"))
            elif x == was or 0 <= at < x <= was:  # it has gone back, or from the track
                cells.append((ran, lane.colour or "token"))
            elif self.each and x % self.each:
                cells.append((" ", ""))
            else:
                cells.append((ahead if x not in marked else glyphs.down, "hedge" if x in marked else "dim"))
            x += 1
        return merged(cells)

    def _role(self, option: Option | None) -> str:
        return "" if option is None else self.shop.role_on(option)

    def marks(self) -> Line:
        """Return the names below the special squares, shortened where the next one begins too soon."""
        line: Line = ()
        marks = sorted(self.item.marks.items())
        for (square, mark), after in zip(marks, [*marks[1:], (0, "")], strict=True):
            begin = min(self.name + self.x(square), self.cells - cell_len(mark))
            room = self.x(after[0]) - self.x(square) - 1 if after[1] else self.cells
            said = shortened(mark, room)
            if begin > width(line):
                line = (*padded(line, begin), (said, "hedge"))
        return line


def _shrunk(rooms: list[int], floors: list[int], over: int) -> int:
    """Take cells from the widest columns, down to a least width each; return how many are still too many."""
    while over > 0 and any(room > floor for room, floor in zip(rooms, floors, strict=True)):
        at = max((at for at in range(len(rooms)) if rooms[at] > floors[at]), key=lambda at: (rooms[at], at))
        rooms[at] -= 1
        over -= 1
    return over


def _bare(text: str, letter: str) -> str:
    """Return a name without its letter in brackets, which is on the lane."""
    return text.replace(f" ({letter})", "") or text


def _between(line: Line, begin: int, end: int) -> Line:
    """Return the cells of a line from `begin` to `end`; each of its letters has one."""
    runs = [(sign, role) for text, role in line for sign in text]
    return merged(runs[begin:end])


def _ended(line: Line) -> Line:
    """Drop the blank cells at the end of a line."""
    while line and not line[-1][0].strip(" "):
        line = line[:-1]
    return line
