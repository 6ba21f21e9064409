"""What is offered below the podium, in a match of one process."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata._ui.match_plan import Afterwards
from tavolata._ui.tui.screens.frame import Left


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


async def nothing() -> None:
    """Show nothing again."""


def full(_lines: object) -> str:
    """A disk that is full."""
    raise OSError(28, "No space left on device")


SHOWN = (
    "a  play again", "f  see the final board", "v  watch the replay", "g  another game", "s  save", "h  your",
    "q  quit",
)  # fmt: skip
ACTS: list[tuple[str, Callable[[Any], bool]]] = [
    ("a", lambda played: played.app.return_value == Left(again=True)),
    ("v", lambda played: played.app.return_value == Left(watch=True)),
    ("q", lambda played: played.app.return_value == Left()),
    ("s", lambda played: "Couldn't save the result: the disk is full." in played.text()),
    ("h", lambda played: "Berto: 3 matches together" in played.text()),
    ("g", lambda played: "Which game?" in played.text()),
]


@pytest.mark.battery
@pytest.mark.parametrize(("key", "done"), ACTS, ids=[key for key, _ in ACTS])
def test_check_16_each_act_after_a_match_has_its_letter(key: str, done: Callable[[Any], bool]) -> None:
    """All acts of an ending are on view at 80x24, and the letter of each does it."""
    past, games = ["Berto: 3 matches together"], {"bang": "Bang, 2 to 8 players"}
    after = Afterwards(nothing, full, lambda: past, again=True, games=games)

    async def play() -> None:
        async with screen(session("zompa", 4, humans=0), (80, 24), after=after) as played:
            app = played.app
            await played.until(lambda: app.model.ended)
            await played.until("What now?")
            text = played.text()
            for shown in SHOWN:
                assert shown in text
            await played.press(key)
            await played.until(lambda: done(played))
            if key == "g":
                await played.press("enter")
                assert app.return_value == Left(game="bang")

    asyncio.run(play())


def test_a_press_meant_for_the_match_does_nothing_after_it() -> None:
    """Enter and letters that come with the podium, or go on from before it, count after a pause alone."""

    async def play() -> None:
        async with screen(session("zompa", 4, humans=0), (80, 24)) as played:
            app = played.app
            await played.until(lambda: app.model.ended)
            await played.until("What now?")
            for key in ("enter", "q", "enter", "q"):
                await played.pilot.press(key)
            assert app.return_value is None
            await played.press("q")
            assert app.return_value == Left()

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_the_final_board_is_one_key_away(size: tuple[int, int]) -> None:
    """`f` shows the board as the last move left it, and the result again, as often as anybody likes."""

    async def play() -> None:
        async with screen(session("conto", 4, humans=0), size) as played:
            app = played.app
            await played.until(lambda: app.model.ended)
            await played.until("f  see the final board")
            result = played.text()
            board = "\n On the table"
            assert board not in result
            for _ in range(2):
                await played.press("f")
                await played.until("f  see the result")
                assert board in played.text()
                await played.press("f")
                await played.until("f  see the final board")
                assert played.text() == result

    asyncio.run(play())
