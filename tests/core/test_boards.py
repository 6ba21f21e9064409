"""Tracks and grids."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tavolata import Choice, Game, Grid, Options, Outcome, Table, Track, Zone, one_of
from tavolata.errors import PieceError
from tavolata.sim import Simulation
from tavolata.testing.checks import Check, save_and_resume_everywhere, takes_back, worlds_imagined
from tavolata.zones import grid_zone


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
    for length, tokens in ((10, ["red", "red"]), (-1, ["red"])):
        with pytest.raises(PieceError, match="tokens with different names"):
            Track("track", length, tokens)


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
    with pytest.raises(PieceError, match="None is no thing"):
        grid.put((1, 1), None)


def test_a_grid_that_can_not_be_is_refused() -> None:
    """No rows, terrain outside, labels that can't be counted, and diagonals of hexagons are errors."""
    with pytest.raises(PieceError, match="0 rows"):
        Grid("flat", 0, 3)
    with pytest.raises(PieceError, match=r"no cell \(2, 0\)"):
        Grid("grid", 2, 3, terrain={(2, 0): "lake"})
    with pytest.raises(PieceError, match="labels 'b2'"):
        Grid("grid", 2, 3, labels="b2")
    with pytest.raises(PieceError, match="none is diagonal"):
        Grid("grid", 2, 3, hexagonal=True).neighbours((0, 0), diagonal=True)
    with pytest.raises(PieceError, match=r"\(1, 0\) is no way on grid"):
        Grid("grid", 2, 3, hexagonal=True).ray((0, 0), (1, 0))
    with pytest.raises(PieceError, match="one cell or more"):
        Grid("grid", 2, 3).lines(0)


KINDS = st.builds(
    Grid,
    st.just("grid"),
    st.integers(1, 6),
    st.integers(1, 6),
    hexagonal=st.booleans(),
    stacks=st.booleans(),
)


@given(KINDS, st.booleans())
def test_neighbours_are_mutual(grid: Grid, diagonal: bool) -> None:
    """A cell's neighbours have it as theirs; there are at most 4, 8 with the diagonals, or 6 of a hexagon."""
    diagonal = diagonal and not grid.hexagonal
    for cell in grid.cells():
        beside = grid.neighbours(cell, diagonal=diagonal)
        assert len(set(beside)) == len(beside) <= (6 if grid.hexagonal else 8 if diagonal else 4)
        assert [one for one in beside if cell not in grid.neighbours(one, diagonal=diagonal)] == []


def test_a_hexagon_has_three_neighbours_below_and_beside_it() -> None:
    """Even rows lie left of odd ones: the six neighbours of a cell in each."""
    grid = Grid("grid", 4, 4, hexagonal=True)
    assert grid.neighbours((2, 1)) == [(1, 0), (1, 1), (2, 0), (2, 2), (3, 0), (3, 1)]
    assert grid.neighbours((1, 1)) == [(0, 1), (0, 2), (1, 0), (1, 2), (2, 1), (2, 2)]
    assert grid.ray((3, 0), (-1, 1)) == [(2, 1), (1, 1), (0, 2)]


WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


@given(KINDS, st.data())
def test_a_ray_goes_straight_to_the_edge_and_back(grid: Grid, data: st.DataObject) -> None:
    """Each cell of a ray is beside the one before, and the ray back from its last cell has the first one."""
    cell = data.draw(st.sampled_from(grid.cells()))
    down, right = data.draw(st.sampled_from([way for way in WAYS if way[1] or not grid.hexagonal]))
    path = [cell, *grid.ray(cell, (down, right))]
    for one, next_one in pairwise(path):
        assert next_one in grid.neighbours(one, diagonal=not grid.hexagonal)
    if len(path) > 1:
        assert grid.ray(path[-1], (-down, -right))[: len(path) - 1] == path[-2::-1]


@given(KINDS, st.data())
def test_a_run_is_the_longest_line_of_equal_things(grid: Grid, data: st.DataObject) -> None:
    """For every cell, `run` is the length of the longest of `lines` through it whose things are all equal."""
    for cell in grid.cells():
        if thing := data.draw(st.sampled_from(["", "x", "o"])):
            grid.put(cell, thing)
    lines = [line for length in range(1, 7) for line in grid.lines(length)]
    for cell in grid.cells():
        equal = (
            len(line)
            for line in lines
            if cell in line and all(grid[one] is not None and grid[one] == grid[cell] for one in line)
        )
        assert grid.run(cell) == max(equal, default=0)
    free = grid.empty()
    for cell in free:
        assert grid.run(cell) == 0
        supposed = grid.run(cell, "x")
        grid.put(cell, "x")
        assert grid.run(cell) == supposed
        grid.take(cell)


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3))))
def test_stacks_are_like_piles(steps: list[tuple[int, int]]) -> None:
    """Putting, taking and moving things of stacks does what it does with two lists."""
    grid, lists = Grid("grid", 1, 2, stacks=True), ([], [])  # type: tuple[Grid, tuple[list[int], list[int]]]
    for number, (at, what) in enumerate(steps):
        if what > 1 or not lists[at]:
            grid.put((0, at), number)
            lists[at].append(number)
        elif what:
            assert grid.take((0, at)) == lists[at].pop()
        else:
            lowest = lists[at].pop(0)
            grid.move((0, at), (0, 1 - at), lowest)
            lists[1 - at].append(lowest)
        for cell, things in zip(grid.cells(), lists, strict=True):
            assert grid.things(cell) == tuple(things)
            assert grid[cell] == (grid.top(cell) if things else None)
    again = Grid("grid", 1, 2, stacks=True)
    again._load(grid._save())  # type: ignore[arg-type]
    assert [again.things(cell) for cell in again.cells()] == [tuple(things) for things in lists]


def test_what_lies_not_in_a_stack_can_not_be_taken() -> None:
    """Taking a thing that isn't there, and the top of an empty cell, are errors; nothing changes."""
    grid = Grid("grid", 1, 2, stacks=True)
    with pytest.raises(PieceError, match=r"Cell \(0, 0\) of grid is empty"):
        grid.top((0, 0))
    grid.put((0, 0), "low")
    grid.put((0, 0), "high")
    with pytest.raises(PieceError, match="has no 'other'"):
        grid.move((0, 0), (0, 1), "other")
    assert grid.things((0, 0)) == ("low", "high")


def test_places_are_called_as_the_labels_count() -> None:
    """A cell and a column have a label, numbers or letters; without labels they are told by their numbers."""
    grid = Grid("grid", 3, 30)
    assert (grid.at((2, 1)).label, grid.column(27).label) == ("3b", "ab")
    assert grid.column(1).cells == ((0, 1), (1, 1), (2, 1))
    assert str(Grid("grid", 3, 3, labels="A1").at((2, 1))) == "C2"
    assert str(Grid("grid", 3, 3, labels="").at((2, 1))) == "(2, 1)"
    with pytest.raises(PieceError, match="no cell"):
        grid.at((3, 0))
    with pytest.raises(PieceError, match="no cell"):
        grid.column(30)


def test_lines_are_straight() -> None:
    """Noughts and crosses has eight lines of three."""
    lines = Grid("grid", 3, 3).lines(3)
    assert len(lines) == 8
    assert [(0, 2), (1, 1), (2, 0)] in lines


class Barges(Game[Options]):
    """Two push goods over hexagons, from stack to stack; each turn puts one more on the board."""

    name, title, seats = "barges", "Barges", (2, 2)

    def setup(self, t: Table[Options]) -> None:
        self.sea = t.grid("sea", 3, 3, hexagonal=True, stacks=True, terrain={(2, 2): "port"})
        self.sea.put((0, 0), "salt")

    async def turn(self, t: Table[Options]) -> Outcome | None:
        seat = t.ring[t.turn % 2]
        full = [cell for cell in self.sea.cells() if self.sea.things(cell)]
        start = await t.ask(seat, one_of([Choice(cell, at=self.sea.at(cell)) for cell in full]), "From?")
        ends = self.sea.neighbours(start)
        end = await t.ask(seat, one_of([Choice(cell, at=self.sea.at(cell)) for cell in ends]), "To?")
        self.sea.move(start, end)
        self.sea.put(start, ("wine", "oil")[t.turn % 2])
        return Outcome((seat,)) if t.turn == 7 else None

    def zones(self, t: Table[Options], viewer: object) -> Iterator[Zone]:
        yield grid_zone(self.sea, "Sea")


@pytest.mark.parametrize("check", [save_and_resume_everywhere, takes_back, worlds_imagined])
def test_a_board_is_saved_taken_back_and_imagined(check: Check) -> None:
    """With stacks, ground and hexagons: after any entry it is as it was, on every machine."""
    check(Barges)


def test_a_clone_has_a_board_of_its_own() -> None:
    """What moves on one of two boards stays where it was on the other."""
    match = Simulation(Barges, 2)
    match.step((0, 0))
    copy = match.clone()
    match.step((0, 1))
    assert match.game.sea.things((0, 0)) == ("wine",)
    assert match.game.sea.things((0, 1)) == ("salt",)
    assert copy.game.sea.things((0, 0)) == ("salt",)
    assert copy.game.sea.terrain == match.game.sea.terrain
    copy.step((1, 0))
    assert copy.game.sea.top((1, 0)) == "salt"
