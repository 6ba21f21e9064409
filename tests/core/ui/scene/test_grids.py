"""Boards on the screen: what lies in their cells, the choices that lie on them, and hexagons."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from msgspec.structs import replace
from tests.core.ui.scene.moments import UNDECLARED, drawn, moments, text_of

from tavolata import N_, Choice, Game, Grid, Options, Outcome, Seat, Table, Zone, one_of
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.scene import BoardCell, Scene, SceneItem
from tavolata._ui.scene.text import as_data
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.grids import draw_grid
from tavolata._ui.tui.drawing.items import draw_item
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.zones import grid_zone, text_zone, tokens_zone

BEES = (N_("red bee (R)"), N_("blue bee (B)"))
SQUARES = ((6, 7, 2), (8, 8, 2), (8, 8, 6), (7, 12, 4))
"""The rows and columns of a chessboard and of others, each with a number of players."""


class Meadow(Game[Options]):
    """Bees fly to flowers, each to one that not two bees are on; of nothing else is there a rule."""

    name, title, seats = "meadow", N_("Meadow"), (2, 2)
    by_column = False
    board: Grid
    mover: Seat

    def setup(self, t: Table[Options]) -> None:
        ground = {(1, 2): N_("water"), (0, 3): N_("hive (H)")}
        self.board = t.grid("board", 3, 4, hexagonal=not self.by_column, stacks=True, terrain=ground)
        self.board.put((2, 0), N_("white stone (S)"))
        self.mover = t.first_seat

    async def turn(self, t: Table[Options]) -> Outcome | None:
        seat = self.mover
        choices = [Choice(cell, at=self.board.at(cell)) for cell in self.board.cells()]
        if self.by_column:
            choices = [Choice((0, column), at=self.board.column(column)) for column in (1, 2)]
        cell = await t.ask(seat, one_of(choices), N_("Where to?"), N_("{seat} thinks."), seat=seat)
        self.board.put(cell, BEES[seat])
        self.mover = t.ring.next(seat)
        return Outcome((seat,)) if t.turn > 20 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield grid_zone(self.board, N_("Meadow"))


class Columns(Meadow):
    """The same where a choice is a whole column."""

    by_column = True


class Squares(Meadow):
    """A board of squares, each a choice, beside which lies what was taken.

    Attributes:
        size: the rows and columns.
    """

    name, seats = "squares", (2, 6)
    size = 6, 7
    late = False

    def setup(self, t: Table[Options]) -> None:
        self.board = t.grid("board", *self.size)
        self.mover = t.first_seat

    async def turn(self, t: Table[Options]) -> Outcome | None:
        choices = [Choice(cell, at=self.board.at(cell)) for cell in self.board.empty()]
        cell = await t.ask(
            self.mover, one_of(choices), N_("Where to?"), N_("{seat} thinks."), seat=self.mover
        )
        self.board.put(cell, BEES[0])
        return Outcome((self.mover,)) if t.turn > 4 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        if t.turn > 1 or not self.late:
            yield grid_zone(self.board, N_("Board"))
        yield tokens_zone("free", N_("Squares"), [(N_("free"), len(self.board.empty()))])


class Broad(Squares):
    """One with dozens of choices."""

    size = 6, 12


class Chessboard(Squares):
    """A larger one, which is rehearsed for itself."""

    size = 8, 8


def asked(game: type[Meadow], monkeypatch: pytest.MonkeyPatch) -> Scene:
    """The scene of the first question of a match."""
    monkeypatch.setitem(UNDECLARED, "meadow", game)
    found: list[Scene] = []

    def look(_: TableModel, scene: Scene) -> None:
        if scene.decision.options:
            found.append(scene)

    moments("meadow", look, seats=2, questions=1)
    return found[0]


def test_hexagons_lie_between_those_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Odd rows lie to the right; a cell shows its thing, or its choice's number; labels stand around."""
    scene = asked(Meadow, monkeypatch)
    assert [line[7:51].rstrip() for line in text_of(drawn(scene, (80, 24)))[2:11]] == [
        "      a       b       c       d",
        "  │       │       │       │░░░░░░░│",
        "1 │   1   │   2   │   3   │░░░4░░░│",
        "  ╰───┬───┴───┬───┴───┬───┴───┬───┴───╮",
        "      │       │       │░░░░░░░│       │",
        "2     │   5   │   6   │░░░7░░░│   8   │",
        "  ╭───┴───┬───┴───┬───┴───┬───┴───┬───╯",
        "  │       │       │       │       │",
        "3 │   S   │  10   │  11   │  12   │",
    ]
    board = scene.board[0]
    assert board.hexagonal
    assert board.labels == (("1", "2", "3"), ("a", "b", "c", "d"))
    assert [cell.text for row in board.cells for cell in row if cell.text] == [
        "hive (H)", "water", "white stone (S)"
    ]  # fmt: skip
    assert [cell.short for row in board.cells for cell in row if cell.ground] == ["H", "wat"]


def test_a_cell_can_be_clicked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The place of each choice on the board is that of its cell, and its text is the cell's label."""
    scene = asked(Meadow, monkeypatch)
    frame = drawn(scene, (80, 24))
    lines = text_of(frame)
    places = {spot.thing: spot for spot in frame.block.spots if spot.y < 10}
    last = places["choice", 11]
    rows = lines[last.y : last.y + last.height]
    assert [row[last.x : last.x + last.width].strip() for row in rows] == ["", "12"]
    assert len([thing for thing in places if thing[0] == "choice"]) == 12
    assert [option.text for option in scene.decision.options[:5]] == ["1a", "1b", "1c", "1d", "2a"]


def test_a_choice_can_be_a_whole_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """All cells of a column, and its label, are the place of its choice; other columns have none."""
    scene = asked(Columns, monkeypatch)
    frame = drawn(scene, (80, 24))
    spots = sorted((spot for spot in frame.block.spots if spot.y < 10), key=lambda spot: spot.x)
    assert [(spot.thing, spot.height) for spot in spots] == [(("choice", 0), 9), (("choice", 1), 9)]
    assert [option.text for option in scene.decision.options] == ["b", "c"]


def test_a_board_that_fills_its_place_has_no_title(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the rows themselves have room, all are drawn, without the title and the columns' labels."""
    scene = asked(Meadow, monkeypatch)
    shop = Workshop(scene, UNICODE, Translator("en").text)
    whole, tight = (draw_item(scene.board[0], 40, rows, shop) for rows in (5, 3))
    assert [len(block.lines) for block in (whole, tight)] == [5, 3]
    drawn_row = "".join(text for text, _ in tight.lines[2])
    assert drawn_row.split() == ["3", "│", "S", "│", "10", "│", "11", "│", "12", "│"]


def test_a_board_that_is_too_high_shows_the_row_that_is_pointed_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """In fewer rows each choice is in view while it is pointed at, and the rows out of view are counted."""
    scene = asked(Meadow, monkeypatch)
    options = scene.decision.options
    counted: set[int] = set()
    for number in range(len(options)):
        pointed = replace(scene, decision=replace(scene.decision, pointed=number))
        shop = Workshop(pointed, UNICODE, Translator("en").text)
        block = draw_grid(scene.board[0], 30, 2, shop)
        rows = ["".join(text for text, _ in line) for line in block.lines]
        assert [len(row) for row in rows if "+" in row] == [30]
        assert len(rows) == 2
        (spot,) = (one for one in block.spots if one.thing == ("choice", number))
        said = rows[spot.y][spot.x : spot.x + spot.width].strip()
        assert said in (str(number + 1), "H", "S", "wat")
        counted.update(at for at, row in enumerate(rows) if row.endswith("+1"))
    assert counted == {0, 1}


def test_a_board_is_drawn_as_large_as_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    """With more room there are lines between the rows, then larger cells, in which things are boxes."""
    scene = asked(Meadow, monkeypatch)
    shop, board = Workshop(scene, UNICODE, Translator("en").text), replace(scene.board[0], slots=0, widths=())

    def rows(cells: int, high: int) -> list[str]:
        return ["".join(text for text, _ in line) for line in draw_grid(board, cells, high, shop).lines]

    assert rows(16, 4)[1:] == ["1 1  2  3  4  ", "2  5  6  7  8  ", "3 S  10 11 12 "]
    assert [len(rows(60, high)) for high in (3, 4, 6, 8, 12, 14)] == [3, 4, 6, 8, 12, 14]
    assert rows(60, 14)[10:12] == [
        "   │ ╭───────╮ │           │           │           │",
        " 3 │ │   S   │ │    10     │    11     │    12     │",
    ]


def test_a_page_gets_the_board_as_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a browser is sent has the things of a cell in short and in words, and the cells of a choice."""
    scene = asked(Meadow, monkeypatch)
    data = as_data(scene)
    assert data["board"][0]["cells"][2][0] == {
        "text": "white stone (S)", "short": "S", "name": "white stone", "colour": "white", "more": 0
    }  # fmt: skip
    assert data["decision"]["options"][3]["at"] == {"zone": "board", "cells": [[0, 3]]}


def test_of_a_stack_the_top_and_how_many_lie_under_it_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The uppermost thing of a stack is shown, with the number of those below."""
    monkeypatch.setitem(UNDECLARED, "meadow", Columns)
    stacks: list[tuple[str, int, bool]] = []

    def look(_: TableModel, scene: Scene) -> None:
        for row in scene.board[0].cells if scene.board else ():
            stacks.extend((cell.short, cell.more, cell.new) for cell in row if cell.more)

    moments("meadow", look, seats=2, questions=12)
    assert {short for short, _, _ in stacks} <= {"R", "B"}
    assert {more for _, more, _ in stacks} >= {1, 2}


@pytest.mark.parametrize(("rows", "columns", "seats"), SQUARES)
def test_check_2_a_whole_board_is_on_view_with_the_question(
    rows: int, columns: int, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At 60x20 the players stand beside a board, and all its rows are seen with the question and its act."""
    monkeypatch.setitem(UNDECLARED, "squares", Squares)
    monkeypatch.setattr(Squares, "size", (rows, columns))
    found: list[Scene] = []
    moments("squares", lambda _, scene: found.append(scene), seats=seats, questions=2)
    scene = [one for one in found if one.decision.options][-1]
    frame = drawn(scene, (60, 20))
    shown = text_of(frame)
    text = "\n".join(shown)
    own = {spot.thing: spot.y for spot in frame.block.spots if spot.thing[0] == "choice" and spot.y < 11}
    assert len(own) == len(scene.decision.options) > rows, text
    assert len(set(own.values())) == rows, text
    names = [panel.name for panel in scene.panels]
    assert [name for name in names if not any(name in row[30:] for row in shown[1:9])] == [], text
    for told in ("Squares", "Where to?", scene.decision.act, "1 "):
        assert told in text, text


def test_rows_without_cells_part_a_board_as_long_as_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """In eleven rows three parts are apart; in nine all their rows are on view, and in five the new one."""
    numbers = [f"{number:02}" for number in range(36)]
    all_rows = [tuple(BoardCell(one, one, one) for one in numbers[at : at + 4]) for at in range(0, 36, 4)]
    last = tuple(replace(cell, new=True) for cell in all_rows[8])
    cells = (*all_rows[:3], (), *all_rows[3:6], (), *all_rows[6:8], last)
    item = SceneItem("parts", "hero.0", "hero", "grid", "Parts", cells=cells)
    shop = Workshop(asked(Meadow, monkeypatch), UNICODE, Translator("en").text)

    def rows(high: int) -> list[str]:
        lines = draw_item(item, 30, high, shop).lines
        return ["".join(text for text, _ in line).replace("│", " ").strip() for line in lines]

    for high, gaps in ((11, [3, 7]), (9, [])):
        assert " ".join(rows(high)).split() == numbers
        assert [at for at, row in enumerate(rows(high)) if not row] == gaps
    assert rows(5)[-1].split() == numbers[-4:]
    parted = replace(item, cells=((), all_rows[0], (), (), all_rows[1], ()))
    lines = draw_item(parted, 30, 20, shop).lines  # also between two gaps
    assert " ".join(text for line in lines for text, _ in line).split().count("07") == 1


def test_a_board_has_the_blank_rows_below_it_if_it_is_whole_with_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """At 80x24 eight rows and their labels are on view above the one thing that's below them."""
    monkeypatch.setitem(UNDECLARED, "squares", Chessboard)
    found: list[Scene] = []
    moments("squares", lambda _, scene: found.append(scene), seats=2, questions=1)
    rows = text_of(drawn(found[-1], (80, 24)))
    assert any("".join(row.partition("│")[0].split()) == "abcdefgh" for row in rows), rows
    assert any("Squares free" in row for row in rows), rows


def test_check_4_a_board_that_comes_later_moves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The regions follow the largest extent: the players stay where they were as a board is laid."""
    monkeypatch.setitem(UNDECLARED, "squares", Squares)
    monkeypatch.setattr(Squares, "late", True)
    seen: list[tuple[bool, str]] = []

    def look(_: TableModel, scene: Scene) -> None:
        seen.append(
            (
                any(item.draw == "grid" and not item.gone for item in scene.board),
                text_of(drawn(scene, (60, 20)))[1],
            )
        )

    moments("squares", look, questions=3)
    assert {there for there, _ in seen} == {True, False}
    assert len({row.index("│") for _, row in seen}) == 1


def test_numbers_of_choices_move_no_column(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cell has room for the number of the last of seventy-two choices, also while nothing is asked."""
    monkeypatch.setitem(UNDECLARED, "squares", Broad)
    heads: dict[bool, set[str]] = {True: set(), False: set()}

    def look(_: TableModel, scene: Scene) -> None:
        if scene.end is not None:
            return
        rows = (row.partition("│")[0].rstrip() for row in text_of(drawn(scene, (60, 20))))
        head = next(row for row in rows if row.split() == [*"abcdefghijkl"])
        heads[bool(scene.decision.options)].add(head)

    moments("squares", look, seats=2, questions=2)
    assert len(heads[True]) == 1
    assert heads[True] == heads[False]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_things_have_their_names_where_every_cell_has_room(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """The longest name of the rehearsal sets the size of a cell, also while no bee has flown yet."""
    scene = asked(Columns, monkeypatch)
    text = "\n".join(text_of(drawn(scene, size)))
    assert "white stone" in text
    small = "\n".join(
        "".join(text for text, _ in line)
        for line in draw_grid(scene.board[0], 40, 5, Workshop(scene, UNICODE, Translator("en").text)).lines
    )
    assert "white" not in small
    assert "S" in small


class Market(Game[Options]):
    """Seventeen goods with their prices, and nothing else."""

    name, title, seats = "prices", N_("Prices"), (2, 2)

    def setup(self, t: Table[Options]) -> None:
        self.sold = 0

    async def turn(self, t: Table[Options]) -> Outcome | None:
        self.sold += await t.ask(t.first_seat, one_of([0, 1]), N_("Sell?"))
        return Outcome((t.first_seat,)) if t.turn > 3 else None

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield tokens_zone("prices", N_("Prices"), [(f"good {at}", at) for at in range(17)])
        yield text_zone("sold", N_("Sold"), "{n}", n=self.sold)


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (100, 30), (120, 36)])
def test_seventeen_rows_are_on_view(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """Without a hero the longest list has the largest place, and where rows are scarce columns."""
    monkeypatch.setitem(UNDECLARED, "prices", Market)
    seen: list[str] = []
    moments("prices", lambda _, scene: seen.append("\n".join(text_of(drawn(scene, size)))), questions=2)
    assert [at for at in range(17) if f"good {at} " not in seen[-1]] == []
