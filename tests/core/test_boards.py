"""Tracks and grids."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Grid, Track
from tavolata.errors import PieceError


def track() -> Track:
    return Track("track", 10, ["red", "blue", "green"], {4: "a ditch"})


def test_tokens_begin_off_the_track() -> None:
    """A token is off the track until it is put down; nobody leads then."""
    board = track()
    assert [board.where(token) for token in board.tokens] == [Track.OFF, Track.OFF, Track.OFF]
    assert board.leaders() == []


def test_who_arrives_later_stands_behind() -> None:
    """Tokens on one square stand in the order of their arrival; leaders are those furthest on."""
    board = track()
    for token in ("green", "red", "blue"):
        board.put(token, 4)
    board.put("green", 4)
    assert board.on(4) == ["red", "blue", "green"]
    board.advance("blue", 1)
    assert (board.leaders(), board.on(4), board.on(9)) == (["blue"], ["red", "green"], [])


@given(st.lists(st.integers(-12, 12)))
def test_moves_stop_at_the_ends(steps: list[int]) -> None:
    """However it is moved, a token stays between the first square and the last."""
    board, at = track(), 0
    board.put("red", 0)
    for step in steps:
        at = max(0, min(10, at + step))
        assert board.advance("red", step) == at == board.where("red")


def test_what_a_track_can_not_do() -> None:
    """Squares and tokens that are not there, and moves of tokens that are off, are errors."""
    board = track()
    for square in (11, -2):
        with pytest.raises(PieceError, match="squares 0 to 10"):
            board.put("red", square)
    with pytest.raises(PieceError, match="no token 'pink'"):
        board.put("pink", 1)
    with pytest.raises(PieceError, match="red is not on track"):
        board.advance("red", 1)
    board.put("red", 3)
    board.put("red", Track.OFF)
    assert board.where("red") == Track.OFF


def test_a_track_comes_back_in_its_order() -> None:
    """Saving keeps squares and the order of arrival."""
    board, again = track(), track()
    for token, square in (("green", 4), ("red", 4), ("blue", 2)):
        board.put(token, square)
    again._load(board._save())  # type: ignore[arg-type]
    assert (again.on(4), again.where("blue"), again.tokens) == (["green", "red"], 2, board.tokens)


def test_a_grid_holds_one_thing_a_cell() -> None:
    """Putting, moving and taking; what can't be changes nothing."""
    grid = Grid("grid", 2, 3)
    grid.put((0, 1), "x")
    with pytest.raises(PieceError, match=r"Cell \(0, 1\) of grid is taken"):
        grid.put((0, 1), "y")
    grid.move((0, 1), (1, 2))
    assert (grid[0, 1], grid[1, 2]) == (None, "x")
    grid.put((0, 0), 0)
    with pytest.raises(PieceError, match="is taken"):
        grid.move((1, 2), (0, 0))
    with pytest.raises(PieceError, match="is empty"):
        grid.move((0, 1), (0, 2))
    assert grid.take((1, 2)) == "x"
    with pytest.raises(PieceError, match="is empty"):
        grid.take((1, 2))
    for cell in ((2, 0), (0, 3), (-1, 0)):
        with pytest.raises(PieceError, match="no cell"):
            grid[cell]
    assert grid.empty() == [cell for cell in grid.cells() if cell != (0, 0)]
    with pytest.raises(PieceError, match="0 rows"):
        Grid("flat", 0, 3)


@given(st.integers(1, 5), st.integers(1, 5), st.booleans())
def test_neighbours_are_mutual(rows: int, columns: int, diagonal: bool) -> None:
    """A cell's neighbours have it as theirs; there are at most 4, or 8 with the diagonals."""
    grid = Grid("grid", rows, columns)
    for cell in grid.cells():
        beside = grid.neighbours(cell, diagonal=diagonal)
        assert len(set(beside)) == len(beside) <= (8 if diagonal else 4)
        assert all(cell in grid.neighbours(one, diagonal=diagonal) for one in beside)


def test_lines_are_straight() -> None:
    """Noughts and crosses has eight lines of three."""
    lines = Grid("grid", 3, 3).lines(3)
    assert len(lines) == 8
    assert [(0, 2), (1, 1), (2, 0)] in lines
