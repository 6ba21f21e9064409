"""The moves of draughts, on a position that is plain data.

A side is 0 for the player who moves first, up the board, and 1 for the other. A position maps cells to men:
a man's number is twice its side, plus 1 for a king.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

Cell = tuple[int, int]
Position = Mapping[Cell, int]
SIZE = 8
ROWS = 3
"""The rows that each side fills at the beginning."""
KING = 1


class Move(NamedTuple):
    """A move: the cells that a man visits, the first one included, and the cells of those it takes."""

    path: tuple[Cell, ...]
    taken: tuple[Cell, ...] = ()


def start(*, italian: bool) -> dict[Cell, int]:
    """Return the position at the beginning; Italian boards have a dark square at the right hand."""
    dark = [(row, column) for row in range(SIZE) for column in range(SIZE) if (row + column) % 2 != italian]
    men = {cell: 2 for cell in dark if cell[0] < ROWS}
    return men | {cell: 0 for cell in dark if cell[0] >= SIZE - ROWS}


def ways(man: int) -> tuple[tuple[int, int], ...]:
    """Return the ways in which a man goes: forward, and a king backward, too."""
    forward = 1 if man // 2 else -1
    ahead = ((forward, -1), (forward, 1))
    return (*ahead, (-forward, -1), (-forward, 1)) if man % 2 else ahead


def on_board(cell: Cell) -> bool:
    return 0 <= cell[0] < SIZE and 0 <= cell[1] < SIZE


def jumps(at: Position, man: int, move: Move, *, italian: bool) -> Iterator[Move]:
    """Yield every way to the end of a capture; a man that is crowned stops, because it only goes forward."""
    row, column = move.path[-1]
    ended = True
    for down, right in ways(man):
        over, beyond = (row + down, column + right), (row + 2 * down, column + 2 * right)
        other = at.get(over)
        if other is None or other // 2 == man // 2 or over in move.taken or not on_board(beyond):
            continue
        if italian and other % 2 and not man % 2:  # a man can't take a king
            continue
        if beyond in at and beyond != move.path[0]:
            continue
        ended = False
        yield from jumps(at, man, Move((*move.path, beyond), (*move.taken, over)), italian=italian)
    if ended and len(move.path) > 1:
        yield move


def weight(at: Position, move: Move) -> tuple[int, int, int, tuple[int, ...]]:
    """Return what Italian rules compare: the number taken, a king's move, the kings taken, and how early."""
    kings = tuple(at[cell] % 2 for cell in move.taken)
    return len(kings), at[move.path[0]] % 2, sum(kings), kings


def moves(at: Position, side: int, *, italian: bool) -> list[Move]:
    """Return all legal moves: captures if there are any, by Italian rules only those that weigh most."""
    captures = [
        found
        for cell, man in at.items()
        if man // 2 == side
        for found in jumps(at, man, Move((cell,)), italian=italian)
    ]
    if captures and italian:
        most = max(weight(at, one) for one in captures)
        captures = [one for one in captures if weight(at, one) == most]
    if captures:
        return sorted(captures)
    return sorted(
        Move(((row, column), cell))
        for (row, column), man in at.items()
        if man // 2 == side
        for down, right in ways(man)
        if on_board(cell := (row + down, column + right)) and cell not in at
    )


def is_crowned(man: int, cell: Cell) -> bool:
    """Return True if a man that isn't a king yet has reached the far row."""
    return not man % 2 and cell[0] == (SIZE - 1 if man // 2 else 0)


def after(at: Position, move: Move) -> dict[Cell, int]:
    """Return the position after a move."""
    left = {cell: man for cell, man in at.items() if cell not in move.taken and cell != move.path[0]}
    man, end = at[move.path[0]], move.path[-1]
    left[end] = man + is_crowned(man, end)
    return left


def perft(at: Position, side: int, depth: int, *, italian: bool) -> int:
    """Count the sequences of moves of this length."""
    found = moves(at, side, italian=italian)
    if depth == 1:
        return len(found)
    return sum(perft(after(at, one), 1 - side, depth - 1, italian=italian) for one in found)
