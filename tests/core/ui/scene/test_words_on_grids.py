"""Grids of words, and lists that are cut, on every face: all is read in full, or counted and listed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest
from tests.core.ui.scene.moments import UNDECLARED, drawn, moments, text_of

from tavolata import N_, Choice, Game, Grid, Options, Outcome, Seat, Table, Zone, one_of
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.scene import Scene
from tavolata._ui.scene.text import as_data, description, find_item, item_data, items_of, lines_of
from tavolata._ui.tui.drawing.glyphs import UNICODE
from tavolata._ui.tui.drawing.grids import draw_grid
from tavolata._ui.tui.drawing.items import draw_item
from tavolata._ui.tui.drawing.workshop import Workshop
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.words import Words
from tavolata.errors import GameError
from tavolata.testing import rehearse
from tavolata.zones import grid_zone, tokens_zone

SHORT_WORDS = [
    "ant",
    "bee",
    "cat",
    "dog",
    "eel",
    "fox",
    "gnu",
    "hen",
    "ibis",
    "jay",
    "koala",
    "lynx",
    "mole",
    "newt",
    "owl",
    "pig",
    "quail",
    "rat",
    "seal",
    "toad",
    "urchin",
    "vole",
    "wolf",
    "yak",
    "zebra",
]
LONG_WORDS = [
    "ice cream", "castle", "cast", "lighthouse", "merry go round", "Italy", "moon", "steam engine", "pirate",
    "cookery book", "opera", "thermometer", "screwdriver", "snowman", "violin", "butterfly", "ski lift",
    "owl", "rain coat", "post office", "cathedral", "umbrella", "hippopotamus", "castanets", "market day",
]  # fmt: skip


class Clues(Game[Options]):
    """Words on a grid, one of which is pointed at; beside it a list that no small screen has room for."""

    name, title, seats = "clues", N_("Clues"), (2, 2)
    words = LONG_WORDS
    size = 5, 5
    listed = 30
    board: Grid

    def setup(self, t: Table[Options]) -> None:
        rows, columns = self.size
        self.board = t.grid("board", rows, columns)
        for cell, word in zip(self.board.cells(), self.words, strict=True):
            self.board.put(cell, word)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        seat = t.ring[0]
        choices = [
            Choice(cell, at=self.board.at(cell), label=self.board[cell]) for cell in self.board.cells()
        ]
        await t.ask(
            seat, one_of(choices), N_("Which word?"), N_("{seat} thinks."), about=[self.board], seat=seat
        )
        return Outcome((seat,))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield grid_zone(self.board, N_("Words"), cells="text")
        if self.listed:
            yield tokens_zone("found", N_("Found"), [(f"word{at}", at) for at in range(self.listed)])


def seen(monkeypatch: pytest.MonkeyPatch, **changes: Any) -> Scene:
    """The scene of the question, of a game changed in this way."""
    monkeypatch.setitem(UNDECLARED, "clues", Clues)
    for name, value in changes.items():
        monkeypatch.setattr(Clues, name, value)
    found: list[Scene] = []

    def look(_: TableModel, scene: Scene) -> None:
        if scene.decision.options:
            found.append(scene)

    moments("clues", look, seats=2, questions=1)
    return found[0]


def board_of(scene: Scene, size: tuple[int, int]) -> list[str]:
    """The rows of a screen from the board's title down to the question, without the players beside it."""
    rows = text_of(drawn(scene, size))
    end = next(at for at, row in enumerate(rows) if row.startswith("─"))
    return [row.rpartition("│")[0].rstrip() for row in rows[1:end]]


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_short_words_stand_in_their_cells(monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]) -> None:
    """On every size each word is whole in its cell, and there's no legend."""
    shown = " ".join(board_of(seen(monkeypatch, words=SHORT_WORDS, listed=0), size)).replace("│", " ").split()
    assert [word for word in SHORT_WORDS if shown.count(word) != 1] == []


def test_long_words_have_two_lines_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """At 120x36 the cells are twelve wide: no word of twelve letters is broken, and what's longer wraps."""
    rows = board_of(seen(monkeypatch, listed=0), (120, 36))
    text = "\n".join(rows)
    first = next(at for at, row in enumerate(rows) if "merry go" in row)
    assert "round" in rows[first + 1]
    assert "│hippopotamus│" in text
    whole = [word for word in LONG_WORDS if word != "merry go round"]
    assert [word for word in whole if word not in text] == []


@pytest.mark.parametrize("size", [(60, 20), (80, 24)])
def test_where_words_do_not_fit_signs_have_a_legend(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """Each word has a sign of its own in its cell; the legend counts what it has no room for."""
    scene = seen(monkeypatch, listed=0)
    board = scene.board[0]
    signs = [cell.short for row in board.cells for cell in row]
    assert len(set(signs)) == len(LONG_WORDS)
    assert {row.label: row.value for row in board.rows} | {"owl": "owl"} == dict(
        zip(signs, LONG_WORDS, strict=True)
    )
    text = "\n".join(board_of(scene, size))
    assert [sign for sign in signs if sign not in text] == []
    listed = [row.value for row in board.rows if f"{row.label} {row.value}" in text]
    assert listed[:2] == ["ice cream", "castle"]
    assert f"+ {len(board.rows) - len(listed)} more" in text


def test_a_legend_with_room_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a low board and below a narrow one, all words are listed, and nothing is counted."""
    scene = seen(monkeypatch, listed=0)
    shop = Workshop(scene, UNICODE, Translator("en").text)
    for cells, rows in ((60, 14), (34, 30)):
        text = "\n".join(
            "".join(part for part, _ in line) for line in draw_grid(scene.board[0], cells, rows, shop).lines
        )
        assert [row.value for row in scene.board[0].rows if row.value not in text] == []
        assert "more" not in text


@pytest.mark.parametrize("rows", [1, 2, 4, 8])
def test_a_list_that_is_cut_says_how_much_is_missing(monkeypatch: pytest.MonkeyPatch, rows: int) -> None:
    """In one row and in several, what has room is whole, and the rest is counted."""
    scene = seen(monkeypatch)
    item = scene.board[1]
    block = draw_item(item, 40, rows, Workshop(scene, UNICODE, Translator("en").text))
    text = "\n".join("".join(part for part, _ in line) for line in block.lines)
    shown = sum(f"word{at} " in text for at in range(Clues.listed))
    assert (f"+ {Clues.listed - shown} more" if rows > 1 else f"+{Clues.listed - shown}") in text
    assert 0 < shown < Clues.listed
    assert block.height == rows
    assert block.width <= 40


def test_it_is_read_whole_in_plain_text_and_by_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plain text has words, or signs and a legend where a line would be too long; `board` cuts nothing."""
    for words, has_legend in ((LONG_WORDS, False), ([f"{word} of Milan" for word in LONG_WORDS], True)):
        monkeypatch.setattr(Clues, "words", words)
        view = rehearse(Clues, seats=2, answers=None).match.view(0)
        items = items_of(view, Words(Translator("en"), "", ("Ann", "Bea")))
        board, found = lines_of(items[0]), " ".join(lines_of(items[1]))
        assert [word for word in words if word not in "\n".join(board)] == []
        assert max(map(len, board[:-1])) <= 80
        assert (" = " in board[-1]) is has_legend
        assert [at for at in range(Clues.listed) if f"word{at} {at}" not in found] == []
        assert len(description(find_item("found", items))) == Clues.listed + 1
        data = json.loads(json.dumps(item_data(items[0])))
        assert [cell["things"] for row in data["content"] for cell in row] == [[word] for word in words]


def test_a_page_gets_words_and_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone shows the words if the cells are wide enough, otherwise the signs with the legend."""
    board = as_data(seen(monkeypatch, listed=0))["board"][0]
    assert board["words"] is True
    assert [(cell["name"], cell["short"]) for cell in board["cells"][0][:3]] == [
        ("ice cream", "ice"), ("castle", "cas"), ("cast", "c2")
    ]  # fmt: skip
    assert {"label": "c2", "value": "cast"} in board["rows"]


def test_a_form_that_nothing_draws_is_refused() -> None:
    """The error names the word that may be meant."""
    wrong: Any = "texts"
    with pytest.raises(GameError, match=r"grid_zone\(cells='texts'\) is no such word; do you mean 'text'\?"):
        grid_zone(Grid("board", 1, 1), "Board", cells=wrong)


class Camps(Clues):
    """Players have their own signs on the board."""

    name = "camps"

    def setup(self, t: Table[Options]) -> None:
        self.size, self.board = (1, 3), t.grid("board", 1, 3)
        for at in t.ring:
            self.board.put((0, at), at)

    async def turn(self, t: Table[Options]) -> Outcome | None:
        await t.ask(t.first_seat, one_of([1, 2]), N_("Which?"), N_("{seat} thinks."), seat=t.first_seat)
        return Outcome((t.first_seat,))

    def zones(self, t: Table[Options], viewer: Seat | None) -> Iterable[Zone]:
        yield grid_zone(self.board, N_("Camps"))


def test_players_with_one_beginning_have_two_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Marco and Mario both begin with the three letters that a cell has room for."""
    monkeypatch.setitem(UNDECLARED, "camps", Camps)
    monkeypatch.setattr("tests.core.ui.scene.moments.NAMES", ("Marco", "Mario"))
    found: list[Scene] = []

    def look(_: TableModel, scene: Scene) -> None:
        found.append(scene)

    moments("camps", look, seats=2, questions=1)
    (item,) = found[-1].board
    assert [cell.short for cell in item.cells[0]] == ["Mar", "M2", ""]
