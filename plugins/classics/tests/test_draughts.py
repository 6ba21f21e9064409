"""Draughts: the counts of positions that are public, the rules of captures, draws, and what bots see."""

from __future__ import annotations

from typing import Any

import pytest

from tavolata._ui.i18n import Translator
from tavolata._ui.scene.text import items_of, lines_of
from tavolata._ui.words import Words
from tavolata.bots import Chance
from tavolata.sim import Simulation
from tavolata.testing import Rehearsal, rehearse
from tavolata_classics.draughts.board import Cell, moves, perft, start
from tavolata_classics.draughts.bots import EasyBot, HardBot
from tavolata_classics.draughts.rules import Draughts


@pytest.mark.parametrize(
    ("italian", "counts"),
    [
        (False, [7, 49, 302, 1469, 7361, 36768, 179740]),  # published for English draughts
        (True, [7, 49, 302, 1469, 7361, 36473, 177532]),
    ],
)
def test_positions_are_counted_as_elsewhere(italian: bool, counts: list[int]) -> None:
    """From the first position to depth 7, all sequences of moves are counted."""
    at = start(italian=italian)
    assert [perft(at, 0, depth, italian=italian) for depth in range(1, 8)] == counts


def ends(men: dict[Cell, int], *, italian: bool) -> set[tuple[Cell, Cell, int]]:
    found = moves(men, 0, italian=italian)
    return {(move.path[0], move.path[-1], len(move.taken)) for move in found}


def test_italians_take_the_most_and_english_any() -> None:
    """A man can take one here and two there: both by English rules, the two by Italian ones."""
    men = {(6, 3): 0, (5, 2): 2, (5, 4): 2, (3, 4): 2}
    assert ends(men, italian=False) == {((6, 3), (4, 1), 1), ((6, 3), (2, 3), 2)}
    assert ends(men, italian=True) == {((6, 3), (2, 3), 2)}


def test_an_italian_man_takes_no_king() -> None:
    """In front of a king a man moves aside; by English rules it has to capture."""
    men = {(6, 3): 0, (5, 2): 3}
    assert ends(men, italian=False) == {((6, 3), (4, 1), 1)}
    assert ends(men, italian=True) == {((6, 3), (5, 4), 0)}


def test_an_italian_king_captures_before_a_man_and_kings_first() -> None:
    """Of captures of one man each, the king's counts; of two such, the one of a king."""
    men = {(6, 1): 0, (5, 2): 2, (6, 5): 1, (5, 6): 2, (5, 4): 3}
    assert ends(men, italian=True) == {((6, 5), (4, 3), 1)}
    assert len(ends(men, italian=False)) == 3


def test_a_man_that_becomes_a_king_stops() -> None:
    """It doesn't capture backward in the same move; a king does, and can come back to where it began."""
    men = {(2, 1): 0, (1, 2): 2, (1, 4): 2}
    assert ends(men, italian=False) == {((2, 1), (0, 3), 1)}
    around = {(7, 2): 1, (6, 3): 2, (4, 3): 2, (4, 1): 2, (6, 1): 2}
    assert ends(around, italian=False) == {((7, 2), (7, 2), 4)}


def asked(table: Rehearsal) -> list[Any]:
    question = table.open[0].question
    return [question.nth(number) for number in range(question.count())]


def test_the_sample_round_is_what_the_rules_play() -> None:
    """The four points of the rulebook."""
    table = rehearse(Draughts, seats=2, first=0, answers=None)
    table.play((((5, 2), (4, 3)), ()))  # from 6c to 5d
    table.play((((2, 5), (3, 4)), ()))  # from 3f to 4e
    (capture,) = asked(table)
    assert capture == (((4, 3), (2, 5)), ((3, 4),))  # from 5d over 4e to 3f
    table.play(capture)
    assert table.game.lost == [0, 1]
    board = table.game.board
    assert {board.at(path[0]).label for path, _ in asked(table)} == {"2g", "2e"}


@pytest.mark.parametrize("lang", ["en", "it"])
def test_its_board_in_lines_is_no_wider_than_a_terminal(lang: str) -> None:
    """Men are letters, which the line below explains, and light squares are blank."""
    table = rehearse(Draughts, seats=2, first=0, answers=None)
    words = Words(Translator(lang), "tavolata_classics", ("Ann", "Ben"))
    board = next(one for one in items_of(table.views(0), words) if one.zone.id == "board")
    _, letters, *rows, legend = lines_of(board)
    assert letters.split() == [*"abcdefgh"]
    assert max(map(len, [*rows, legend])) <= 80
    assert {len(row.split()) for row in rows} == {5}
    assert legend.count("(") == 2


def test_a_position_that_comes_up_three_times_is_a_draw() -> None:
    """Two kings walk to and fro until both have seen enough."""
    table = rehearse(Draughts, seats=2, first=0, answers=None)
    board = table.game.board
    for cell in [cell for cell in board.cells() if board[cell]]:
        board.take(cell)
    board.put((7, 0), "black king (B)")
    board.put((0, 7), "white king (W)")
    table.game.seen, table.game.quiet = {}, 0
    assert table.game.draw(table.table) is None
    assert table.game.draw(table.table) is None
    outcome = table.game.draw(table.table)
    assert outcome is not None
    assert outcome.winners == ()


def test_a_match_without_captures_ends_in_a_draw() -> None:
    """After as many quiet moves as the table has agreed on, nobody wins."""
    table = rehearse(Draughts, seats=2, options={"quiet": 10}, answers=None)
    table.game.quiet = 19
    assert table.game.draw(table.table) is None
    table.game.quiet = 20
    outcome = table.game.draw(table.table)
    assert outcome is not None
    assert outcome.why is not None


def test_the_hard_bot_beats_the_easy_one() -> None:
    """In four matches with changing seats it loses none and wins three or more."""
    won = 0
    for seed in range(4):
        bots = [EasyBot(), HardBot()] if seed % 2 else [HardBot(), EasyBot()]
        outcome = Simulation(Draughts, 2, seed=seed).rollout(bots, Chance(seed))
        assert outcome is not None
        won += outcome.winners == (seed % 2,)
    assert won >= 3
