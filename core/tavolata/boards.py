"""Boards: tracks and grids, and the places of the tokens on them. The rules of moving belong to the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        self.name = name
        self.length = length
        self.marks = dict(marks or {})
        self._where = dict.fromkeys(tokens, self.OFF)
        self._order = list(tokens)  # arrival order: the last to arrive stands last

    @property
    def tokens(self) -> list[str]:
        """All tokens, in the order of setup."""
        return list(self._where)

    def where(self, token: str) -> int:
        """The square of a token, `OFF` when it is not on the track."""
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
        """Move a token by so many squares (back if negative), at most to an end; return its new square."""
        start = self.where(token)
        if start == self.OFF:
            raise PieceError(f"{token} is not on {self.name}.")
        self.put(token, max(0, min(self.length, start + by)))
        return self._where[token]

    def on(self, square: int) -> list[str]:
        """The tokens on a square, in the order of their arrival."""
        return [token for token in self._order if self._where[token] == square]

    def leaders(self) -> list[str]:
        """The tokens that are in front; none when all are off the track."""
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


class Grid:
    """Cells in rows and columns, each empty (None) or holding one piece of plain data.

    Attributes:
        name: its id among the pieces of the match.
        rows, columns: its size; cells are (row, column) from (0, 0), the upper left.
    """

    __slots__ = ("_cells", "columns", "name", "rows")

    def __init__(self, name: str, rows: int, columns: int) -> None:
        if rows < 1 or columns < 1:
            raise PieceError(f"{name} can't have {rows} rows and {columns} columns.")
        self.name = name
        self.rows = rows
        self.columns = columns
        self._cells: list[Any] = [None] * (rows * columns)

    def _at(self, cell: Cell) -> int:
        row, column = cell
        if not (0 <= row < self.rows and 0 <= column < self.columns):
            raise PieceError(f"{self.name} has no cell {cell}.")
        return row * self.columns + column

    def __getitem__(self, cell: Cell) -> Any:
        return self._cells[self._at(cell)]

    def put(self, cell: Cell, thing: Any) -> None:
        """Put something into an empty cell.

        Raises:
            PieceError: the cell is taken or doesn't exist.
        """
        place = self._at(cell)
        if self._cells[place] is not None:
            raise PieceError(f"Cell {cell} of {self.name} is taken.")
        self._cells[place] = thing

    def take(self, cell: Cell) -> Any:
        """Take out and return the thing in a cell.

        Raises:
            PieceError: the cell is empty.
        """
        place = self._at(cell)
        thing = self._cells[place]
        if thing is None:
            raise PieceError(f"Cell {cell} of {self.name} is empty.")
        self._cells[place] = None
        return thing

    def move(self, start: Cell, end: Cell) -> None:
        """Move the thing in one cell to an empty one.

        Raises:
            PieceError: the first cell is empty or the second is taken; nothing has moved.
        """
        if self[end] is not None:
            raise PieceError(f"Cell {end} of {self.name} is taken.")
        self.put(end, self.take(start))

    def cells(self) -> list[Cell]:
        """All cells, row by row."""
        return [(row, column) for row in range(self.rows) for column in range(self.columns)]

    def empty(self) -> list[Cell]:
        """The cells that hold nothing."""
        return [cell for cell in self.cells() if self[cell] is None]

    def neighbours(self, cell: Cell, *, diagonal: bool = False) -> list[Cell]:
        """The cells beside this one, row by row."""
        row, column = cell
        self._at(cell)
        beside = [
            (row + r, column + c)
            for r in (-1, 0, 1)
            for c in (-1, 0, 1)
            if (r or c) and (diagonal or not (r and c))
        ]
        return [(r, c) for r, c in beside if 0 <= r < self.rows and 0 <= c < self.columns]

    def lines(self, length: int) -> list[list[Cell]]:
        """Every straight line of so many cells, in all four directions."""
        found = []
        for row, column in self.cells():
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + down * step, column + right * step) for step in range(length)]
                if all(0 <= r < self.rows and 0 <= c < self.columns for r, c in line):
                    found.append(line)
        return found

    def _save(self) -> object:
        return list(self._cells)

    def _load(self, saved: list[Any]) -> None:
        self._cells[:] = saved
