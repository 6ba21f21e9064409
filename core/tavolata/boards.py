"""Boards: tracks and grids, and the places of the tokens on them. The rules of moving belong to the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, Final

from tavolata.errors import PieceError


class Track:
    """Squares in a row, 0 to `length`, and the tokens on them in the order of their arrival.

    Attributes:
        name: its id among the pieces of the match.
        length: number of the last square.
        marks: by number of a special square, a message id that says what it is.
        OFF: the place of a token that is not on the track.
    """

    OFF: Final = -1
    __slots__ = ("_order", "_where", "length", "marks", "name")

    def __init__(
        self, name: str, length: int, tokens: Sequence[str], marks: Mapping[int, str] | None = None
    ) -> None:
        if length < 0 or len(set(tokens)) < len(tokens):
            raise PieceError(f"{name} needs a square and tokens with different names.")
        self.name = name
        self.length = length
        self.marks = dict(marks or {})
        self._where = dict.fromkeys(tokens, self.OFF)
        self._order = list(tokens)  # arrival order: the last to arrive is last

    @property
    def tokens(self) -> list[str]:
        """All tokens, in the order of setup."""
        return list(self._where)

    def where(self, token: str) -> int:
        """Return a token's square, `OFF` if off the track; raise `PieceError` if there is no such token."""
        return self._where[self._known(token)]

    def put(self, token: str, square: int) -> None:
        """Set a token down on a square, or take it `OFF`.

        Raises:
            PieceError: there is no such token or square.
        """
        if not (square == self.OFF or 0 <= square <= self.length):
            raise PieceError(f"{self.name} has squares 0 to {self.length}, not {square}.")
        self._order.remove(self._known(token))
        self._order.append(token)
        self._where[token] = square

    def advance(self, token: str, by: int) -> int:
        """Move a token by this many squares (back if negative), at most to an end; return its new square.

        Raise `PieceError` if the token is off the track, or there is no such token.
        """
        start = self.where(token)
        if start == self.OFF:
            raise PieceError(f"{token} is not on {self.name}.")
        self.put(token, max(0, min(self.length, start + by)))
        return self._where[token]

    def on(self, square: int) -> list[str]:
        """Return the tokens on a square, in the order of their arrival."""
        return [token for token in self._order if self._where[token] == square]

    def leaders(self) -> list[str]:
        """Return the tokens that are in front; none when all are off the track."""
        best = max(self._where.values(), default=self.OFF)
        return [] if best == self.OFF else self.on(best)

    def _known(self, token: str) -> str:
        if token not in self._where:
            raise PieceError(f"There is no token {token!r} on {self.name}.")
        return token

    def _save(self) -> object:
        return [[token, self._where[token]] for token in self._order]

    def _load(self, saved: list[tuple[str, int]]) -> None:
        places = dict(saved)
        self._where = {token: places[token] for token in self._where}
        self._order = [token for token, _ in saved]


Cell = tuple[int, int]
"""A row and a column, each from 0; (0, 0) is the upper left."""
Way = tuple[int, int]
"""A step in a direction: -1, 0 or 1 down, and -1, 0 or 1 to the right."""
Places = tuple[int, ...]
"""Cells by number, row by row from 0."""

_SQUARE: Final[tuple[Way, ...]] = ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1))
_HEXAGONAL: Final[tuple[Way, ...]] = ((0, 1), (1, 1), (1, -1), (0, -1), (-1, -1), (-1, 1))


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a grid: what a choice can be on, and what a message can name; `Grid.at` makes one.

    Attributes:
        board: the name of the grid.
        cells: the cells of the place: one, or all of a column.
        label: how people call it, such as "3b"; "" on a board without labels.
    """

    board: str
    cells: tuple[Cell, ...]
    label: str = ""

    def __str__(self) -> str:
        return self.label or ", ".join(f"({row}, {column})" for row, column in self.cells)


class Grid:
    """Cells in rows and columns, each empty or holding a piece of plain data; with `stacks`, several.

    On a hexagonal grid every second row, beginning with row 1, lies half a cell to the right. A cell has six
    neighbours there: two in its row, and two in the row above and below each.

    A way is a step `(down, right)`, each -1, 0 or 1. A hexagonal grid has the two ways along a row, and the
    four slanting ones: `(1, 1)` goes half a cell to the right in the row below. None goes straight down.

    Attributes:
        name: its id among the pieces of the match.
        rows, columns: its size; cells are (row, column) from (0, 0), the upper left.
        hexagonal: whether cells are hexagons.
        stacks: whether a cell can hold several things.
        terrain: what cells are, by cell: plain data or a `Look`, shown where a cell is empty. It is given in
            `setup` and stays the same.
        labels: how the upper left cell is called: the sign of its row and that of its column, from which
            the others are counted, such as "1a" or "A1"; "" for a board without labels.
    """

    __slots__ = ("_cells", "columns", "hexagonal", "labels", "name", "rows", "stacks", "terrain")

    def __init__(
        self,
        name: str,
        rows: int,
        columns: int,
        *,
        hexagonal: bool = False,
        stacks: bool = False,
        terrain: Mapping[Cell, object] | None = None,
        labels: str = "1a",
    ) -> None:
        if rows < 1 or columns < 1:
            raise PieceError(f"{name} can't have {rows} rows and {columns} columns.")
        if labels and not (len(labels) == 2 and set(labels) <= set("1aA")):
            raise PieceError(
                f"{name} can't have the labels {labels!r}: a 1, a or A for rows, one for columns."
            )
        self.name = name
        self.rows = rows
        self.columns = columns
        self.hexagonal = hexagonal
        self.stacks = stacks
        self.labels = labels
        self.terrain: dict[Cell, object] = dict(terrain or {})
        self._cells: list[tuple[Any, ...]] = [()] * (rows * columns)
        for cell in self.terrain:
            self._place(cell)

    def _has(self, cell: Cell) -> bool:
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns

    def _place(self, cell: Cell) -> int:
        if not self._has(cell):
            raise PieceError(f"{self.name} has no cell {cell}.")
        return cell[0] * self.columns + cell[1]

    # -- what is in the cells ---------------------------------------------------------------------

    def __getitem__(self, cell: Cell) -> Any:
        row, column = cell
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise PieceError(f"{self.name} has no cell {cell}.")
        things = self._cells[row * self.columns + column]  # read so often that no method is called
        return things[-1] if things else None

    def things(self, cell: Cell) -> tuple[Any, ...]:
        """Return the things in a cell, the lowest first; raise `PieceError` if there is no such cell."""
        return self._cells[self._place(cell)]

    def top(self, cell: Cell) -> Any:
        """Return the uppermost thing in a cell; `grid[cell]` is the same, and None where the cell is empty.

        Raises:
            PieceError: the cell is empty or doesn't exist.
        """
        things = self._cells[self._place(cell)]
        if not things:
            raise PieceError(f"Cell {cell} of {self.name} is empty.")
        return things[-1]

    def put(self, cell: Cell, thing: Any) -> None:
        """Put something into an empty cell, or with `stacks` on top of what is there.

        Raises:
            PieceError: the cell is taken or doesn't exist, or there is nothing to put.
        """
        place = self._place(cell)
        if thing is None:
            raise PieceError(f"None is no thing to put on {self.name}; `take` empties a cell.")
        if self._cells[place] and not self.stacks:
            raise PieceError(f"Cell {cell} of {self.name} is taken.")
        self._cells[place] += (thing,)

    def take(self, cell: Cell, thing: Any = None) -> Any:
        """Take out and return the uppermost thing in a cell, or the uppermost that equals `thing`.

        Raises:
            PieceError: there is no such thing in the cell.
        """
        things = self._cells[self._place(cell)]
        if not things:
            raise PieceError(f"Cell {cell} of {self.name} is empty.")
        at = len(things) - 1
        while thing is not None and things[at] != thing:
            at -= 1
            if at < 0:
                raise PieceError(f"Cell {cell} of {self.name} has no {thing!r}.")
        self._cells[self._place(cell)] = things[:at] + things[at + 1 :]
        return things[at]

    def move(self, start: Cell, end: Cell, thing: Any = None) -> None:
        """Take a thing out of one cell, as `take` does, and put it into another.

        Raises:
            PieceError: it isn't in the first cell, or the second is taken; nothing has moved.
        """
        if self._cells[self._place(end)] and not self.stacks:
            raise PieceError(f"Cell {end} of {self.name} is taken.")
        self.put(end, self.take(start, thing))

    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return list(_cells_of(self.rows, self.columns))

    def empty(self) -> list[Cell]:
        """Return the cells that hold nothing."""
        cells = _cells_of(self.rows, self.columns)
        return [cell for cell, things in zip(cells, self._cells, strict=True) if not things]

    # -- ways over the board ----------------------------------------------------------------------

    def neighbours(self, cell: Cell, *, diagonal: bool = False) -> list[Cell]:
        """Return the cells beside this one, row by row.

        Raises:
            PieceError: there is no such cell, or the neighbours of a hexagon are to be diagonal.
        """
        self._place(cell)
        if self.hexagonal and diagonal:
            raise PieceError(f"{self.name} is hexagonal: a cell has six neighbours, and none is diagonal.")
        ways = self._ways if self.hexagonal or diagonal else ((0, 1), (1, 0), (0, -1), (-1, 0))
        return sorted(filter(self._has, (self._beside(cell, way) for way in ways)))

    def ray(self, cell: Cell, way: Way) -> list[Cell]:
        """Return the cells from this one (which isn't among them) to the edge, the nearest first.

        Raises:
            PieceError: there is no such cell or way.
        """
        self._place(cell)
        if way not in self._ways:
            raise PieceError(
                f"{way} is no way on {self.name}; the ways are {', '.join(map(str, self._ways))}."
            )
        return list(self._on(cell, way))

    def run(self, cell: Cell, thing: Any = None) -> int:
        """How many equal things are in the longest straight line through a cell; 0 if it is empty.

        Args:
            cell: a cell.
            thing: what to look for, as if it lay there; by default the thing in the cell. Of a stack the
                uppermost thing counts.

        Raises:
            PieceError: there is no such cell.
        """
        cells, place = self._cells, self._place(cell)
        if thing is None:
            if not cells[place]:
                return 0
            thing = cells[place][-1]
        longest = 0
        for line in _both_ways(self.rows, self.columns, self.hexagonal)[place]:
            count = 1
            for way in line:
                for one in way:
                    if not (there := cells[one]) or there[-1] != thing:
                        break
                    count += 1
            longest = max(longest, count)
        return longest

    def lines(self, length: int) -> list[list[Cell]]:
        """Every straight line of this many cells, in all four directions, or the three of hexagons.

        Raises:
            PieceError: a line of this many cells isn't one.
        """
        if length < 1:
            raise PieceError(f"A line has one cell or more, not {length}.")
        found = []
        for cell in self.cells():
            for way in self._half:
                line = [cell, *self._on(cell, way)][:length]
                if len(line) == length and (length > 1 or way == self._half[0]):
                    found.append(line)
        return found

    @property
    def _ways(self) -> tuple[Way, ...]:
        return _HEXAGONAL if self.hexagonal else _SQUARE

    @property
    def _half(self) -> tuple[Way, ...]:
        """One way of each line."""
        return self._ways[: len(self._ways) // 2]

    def _beside(self, cell: Cell, way: Way) -> Cell:
        (row, column), (down, right) = cell, way
        if self.hexagonal and down:  # an odd row lies half a cell to the right
            return row + down, column + (right + (1 if row % 2 else -1)) // 2
        return row + down, column + right

    def _on(self, cell: Cell, way: Way) -> Iterator[Cell]:
        while self._has(cell := self._beside(cell, way)):
            yield cell

    # -- places for people ------------------------------------------------------------------------

    def at(self, cell: Cell) -> Spot:
        """Return this cell as a place: `Choice(cell, at=grid.at(cell))`, `cell=grid.at(cell)`.

        Raises:
            PieceError: there is no such cell.
        """
        self._place(cell)
        row, column = cell
        return Spot(self.name, (cell,), counted(self.labels[:1], row) + counted(self.labels[1:], column))

    def column(self, column: int) -> Spot:
        """Return a whole column as a place.

        Raises:
            PieceError: there is no such column.
        """
        if not 0 <= column < self.columns:  # asked for every choice of a column, so no method is called
            self._place((0, column))
        return _column(self.name, self.rows, column, self.labels[1:])

    def _save(self) -> object:
        return list(self._cells)

    def _load(self, saved: list[tuple[Any, ...]]) -> None:
        self._cells[:] = saved


@lru_cache(64)
def _cells_of(rows: int, columns: int) -> tuple[Cell, ...]:
    """All cells of a grid of this size, row by row."""
    return tuple((row, column) for row in range(rows) for column in range(columns))


@lru_cache(64)
def _both_ways(rows: int, columns: int, hexagonal: bool) -> Sequence[Sequence[tuple[Places, Places]]]:
    """By place and line through it, the places on its one side and on its other, the nearest first."""
    grid = Grid("", rows, columns, hexagonal=hexagonal)
    ways = _HEXAGONAL if hexagonal else _SQUARE
    half = ways[: len(ways) // 2]

    def places(cell: Cell, way: Way) -> Places:
        return tuple(row * columns + column for row, column in grid.ray(cell, way))

    return tuple(
        tuple((places(cell, way), places(cell, (-way[0], -way[1]))) for way in half)
        for cell in _cells_of(rows, columns)
    )


@cache
def _column(name: str, rows: int, column: int, first: str) -> Spot:
    """Return a column as a place; cached, because games offer all columns at each turn of each playout."""
    return Spot(name, tuple((row, column) for row in range(rows)), counted(first, column))


def counted(first: str, number: int) -> str:
    """Return the label this many places after the first one, "1", "a" or "A"; after "z" comes "aa"."""
    if first in ("", "1"):
        return str(number + 1) if first else ""
    before, letter = divmod(number, 26)
    return (counted(first, before - 1) if before else "") + chr(ord(first) + letter)
