"""The class of a game: what is refused where it is written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tavolata import Game, Opening, Options, Seat, Table, interjection
from tavolata._cli import main
from tavolata.errors import GameError
from tavolata.game import interjections

HEAD = "from tavolata import Game, Options\n\n\nclass Odd(Game[Options]):\n    name, title = 'odd', 'Odd'\n"
REFUSED = {
    "seats = (3, 2)": (4, r"the seats of Odd are \(3, 2\); they are the fewest and the most, from 1 to 64"),
    "seats = (0, 2)": (4, r"the seats of Odd are \(0, 2\)"),
    "seats = (2, 65)": (4, r"the seats of Odd are \(2, 65\)"),
    "seats = 4": (4, "the seats of Odd are 4"),
    "seats = None": (4, "the seats of Odd are None"),
    "def turn(self, t): return None": (6, "`turn` of Odd can't wait for the table; it is an `async def`"),
    "async def turn(self, t): yield 1": (6, "`turn` of Odd can't wait for the table"),
    "turn = None": (4, "`turn` of Odd can't wait for the table"),
    "best = 3": (4, "`best` of Odd is now `best_with`. `tt check --rename FILE` updates a file"),
    "alone = {'talk': 'off'}": (4, "`alone` of Odd is now `local`"),
    "table = Game.layout": (4, "`table` of Odd is now `layout`"),
}


@pytest.mark.parametrize("line", REFUSED)
def test_what_can_not_be_played_is_refused_where_the_class_stands(
    line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Wrong seats, and a turn that can't wait, end the import with file and line; `tt` says one sentence."""
    number, said = REFUSED[line]
    file = tmp_path / "odd_game.py"
    file.write_text(f"{HEAD}    {line}\n", encoding="utf-8")
    with pytest.raises(GameError, match=rf"odd_game\.py, line {number}: {said}"):
        exec(compile(file.read_text(encoding="utf-8"), str(file), "exec"), {"__name__": "odd_game"})
    assert main(["check", str(file)]) != 0
    told = capsys.readouterr().err
    assert told.count("odd_game.py, line") == 1
    assert told.count("\n") == 1


def test_a_sentence_of_a_card_has_room() -> None:
    """Ninety letters are two rows of a small screen; more are refused where they are written."""
    Opening("x" * 90, "turn", "lose")
    with pytest.raises(GameError, match="91 letters; on an opening card 90 have room"):
        Opening("goal", "turn", "x" * 91)


def test_a_method_may_have_an_old_name() -> None:
    """Only values of the old kind are refused: `best`, `alone` and `table` are words that rules may use."""

    class Fine(Game[Options]):
        table = "oak"

        def best(self) -> int:
            return 3

        def alone(self) -> bool:
            return False

    assert (Fine().best(), Fine.table, Fine.best_with) == (3, "oak", 0)


def test_a_base_without_seats_and_turn_may_stand_for_itself() -> None:
    """What several games share is no game yet, and a game may leave its turn and seats to it."""

    class Shared(Game[Options]):
        seats = (2, 4)

    class Whole(Shared):
        name = "whole"

    assert Whole.seats == (2, 4)


def test_a_subclass_takes_an_interjection_away() -> None:
    """By a plain method or None of its name; one that it declares anew is its own, and others stay."""

    class Loud(Game[Options]):
        seats = (2, 4)

        @interjection("cry")
        def cry(self, t: Table[Options], seat: Seat, value: int) -> None:
            pass

        @interjection("call")
        def call(self, t: Table[Options], seat: Seat, value: int) -> None:
            pass

        @interjection("knock")
        def knock(self, t: Table[Options], seat: Seat, value: int) -> None:
            pass

        @interjection("sing")
        def sing(self, t: Table[Options], seat: Seat, value: int) -> None:
            pass

    class Quiet(Loud):
        cry: Any = None

        def call(self) -> None:  # type: ignore[override]  # it's nobody's action any more
            pass

        @interjection("knock twice")
        def knock(self, t: Table[Options], seat: Seat, value: int) -> None:  # type: ignore[override]  # its own
            pass

    assert [one.label for one in interjections(Loud).values()] == ["cry", "call", "knock", "sing"]
    assert [one.label for one in interjections(Quiet).values()] == ["knock twice", "sing"]
