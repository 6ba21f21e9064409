"""The rules of Four in a Row, and a bot that sees one move ahead."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tavolata import N_, Ask, Choice, Game, Grid, Options, Outcome, Seat, Table, View, Zone, one_of, option
from tavolata.bots import Bot, Chance
from tavolata.zones import grid_zone

STONES = (N_("red (R)"), N_("yellow (Y)"))
"""By seat, the colour of its stones; the screen takes colour and letter from the words."""


@dataclass(frozen=True, kw_only=True)
class FourOptions(Options):
    """House rules of Four in a Row."""

    rows: int = option(6, "How many stones fit into a column.", low=4, high=9)
    columns: int = option(7, "How many columns the board has.", low=4, high=12)
    line: int = option(4, "How many stones in a line you need to win.", low=3, high=5)


class Four(Game[FourOptions]):
    """Drop a stone into a column; the first line wins.

    Attributes:
        board: the stones, row 0 on top.
        mover: whose turn it is.
    """

    name, title, seats = "four", N_("Four in a Row"), (2, 2)
    summary = N_("Drop stones into columns; the first line of four wins.")
    options = FourOptions

    board: Grid
    mover: Seat

    def setup(self, t: Table[FourOptions]) -> None:
        """Lay an empty board."""
        self.board = t.grid("board", t.options.rows, t.options.columns)
        self.mover = t.first_seat

    async def turn(self, t: Table[FourOptions]) -> Outcome | None:
        """One stone falls."""
        seat = self.mover
        free = [column for column in range(self.board.columns) if self.board[0, column] is None]
        if not free:
            t.tell(N_("The board is full: no one wins."))
            return Outcome(())
        column = await t.ask(
            seat,
            one_of([Choice(one, at=self.board.column(one)) for one in free]),
            N_("Where will you drop your stone?"),
            N_("{seat} drops a stone."),
            seat=seat,
        )
        cell = self.lands(column)
        self.board.put(cell, STONES[seat])
        t.tell(N_("{seat} drops a stone into column {n}."), seat=seat, n=self.board.column(column))
        if self.board.run(cell) >= t.options.line:
            return Outcome((seat,))
        self.mover = t.ring.next(seat)
        return None

    def playout(self, t: Table[FourOptions], chance: Chance) -> Outcome:
        """The same on numbers: two for the stones, a bit for each cell, and a free one above each column."""
        rows, columns = range(self.board.rows), range(self.board.columns)
        high = len(rows) + 1
        stones, filled = [0, 0], [0] * len(columns)
        for column in columns:
            for row in reversed(rows):
                stone = self.board[row, column]
                if stone is None:
                    break
                stones[STONES.index(stone)] |= 1 << column * high + filled[column]
                filled[column] += 1
        free = [column for column in columns if filled[column] < len(rows)]
        ways, further = (1, high - 1, high, high + 1), range(t.options.line - 1)
        seat = int(self.mover)
        while free:
            column = free[chance.below(len(free))]
            mine = stones[seat] = stones[seat] | 1 << column * high + filled[column]
            filled[column] += 1
            if filled[column] == len(rows):
                free.remove(column)
            for way in ways:
                line = mine
                for _ in further:
                    line &= line >> way
                if line:
                    return Outcome((t.ring[seat],))
            seat = 1 - seat
        return Outcome(())

    def lands(self, column: int) -> tuple[int, int]:
        """The lowest empty cell of a column that has one."""
        board = self.board
        return next(row for row in reversed(range(board.rows)) if board[row, column] is None), column

    def zones(self, t: Table[FourOptions], viewer: Seat | None) -> Iterable[Zone]:
        """The board."""
        yield grid_zone(self.board, N_("Board"))


class Careful(Bot):
    """Completes a line of its own, else stops one of the other's, else plays anywhere."""

    level = "careful"

    def choose(self, view: View[Four], ask: Ask[int], chance: Chance) -> int:
        """Look at each column for itself, and then for the other."""
        columns = view.legal(ask)
        mine = STONES[ask.seat]
        line = view.options.plain()["line"]
        assert isinstance(line, int)
        cells = [(column, view.game.lands(column)) for column in columns]
        for stone in (mine, *(one for one in STONES if one != mine)):
            for column, cell in cells:
                if view.game.board.run(cell, stone) >= line:
                    return column
        return chance.pick(columns)
