"""What may be done at any time, on the screen and in lines: what was shown is what is done."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.core.colours import Colours
from tests.core.ui.tui.playing import NAMES, screen

from tavolata._engine.match.header import Header
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.plain_commands import Commands
from tavolata._ui.tui.model.table_model import TableModel
from tavolata.bots import RandomBot
from tavolata.errors import Refused
from tavolata.ring import SEATS

ME, OTHER = SEATS[0], SEATS[1]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def sit() -> LocalSession:
    """One person with a bot that thinks for a day: what it takes, the test says."""
    header = Header(
        id="0" * 16, game="colours", version="1", rules_id=1, options={}, names=NAMES[:2],
        bots=(None, "random"), seed=2, pace=0,
    )  # fmt: skip
    return LocalSession(header, Colours, "colours", [None, RandomBot()], think=86400)


def take(at: LocalSession, colour: str) -> None:
    """The other takes a colour."""
    at.interject(OTHER, "take", colour)


@pytest.mark.parametrize("language", ["en", "it"])
def test_on_the_screen_what_is_pointed_at_is_done(language: str) -> None:
    """The list is open, red is taken by another, the second row is sent: that is green, as it reads there."""

    async def play() -> None:
        at: Any = sit()
        async with screen(at, (90, 30), language) as played:
            await played.until(lambda: len(at.match.standing(ME).get("take", _EMPTY).values) == 3)
            await played.press("d")
            await played.until("green")
            take(at, "red")
            await played.press("2", "enter")
            await played.until(lambda: ME in at.match.game.taken)
            assert at.match.game.taken == {OTHER: "red", ME: "green"}

    asyncio.run(play())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "Your choice is no longer possible."),
        ("it", "La tua scelta non è più possibile."),
    ],
)
def test_on_the_screen_what_is_gone_is_told(language: str, said: str) -> None:
    """The list is open, another takes what is pointed at: nothing is done, and a sentence says so."""

    async def play() -> None:
        at: Any = sit()
        async with screen(at, (90, 30), language) as played:
            await played.until(lambda: len(at.match.standing(ME).get("take", _EMPTY).values) == 3)
            await played.press("d")
            await played.until("green")
            take(at, "green")
            await played.press("2", "enter")
            await played.until(said)
            assert at.match.game.taken == {OTHER: "green"}

    asyncio.run(play())


class _Empty:
    values = ()


_EMPTY = _Empty()


def typed() -> tuple[Any, Commands, list[str]]:
    """A match and the commands of its person, with the lines that they print."""
    at, lines = sit(), list[str]()
    at.match.run()
    translator = Translator("en")
    return at, Commands(TableModel(at, translator), at, translator, lines.append), lines


def test_a_typed_number_means_the_row_that_was_shown() -> None:
    """`do` lists, another takes red, `do 2` takes green, as the list says."""
    at, commands, lines = typed()
    commands.do("do")
    assert lines == ["  1. take red", "  2. take green", "  3. take blue"]
    take(at, "red")
    commands.do("do 2")
    assert at.match.game.taken == {OTHER: "red", ME: "green"}
    at._file.close()


def test_a_typed_number_of_what_is_gone_is_refused() -> None:
    """`do` lists, another takes green, `do 2` is refused with its reason; `do` lists what is left."""
    at, commands, lines = typed()
    commands.do("do")
    take(at, "green")
    with pytest.raises(Refused, match="is no longer possible"):
        commands.do("do 2")
    assert at.match.game.taken == {OTHER: "green"}
    commands.do("do")
    assert lines[3:] == ["  1. take red", "  2. take blue"]
    commands.do("do 2")
    assert at.match.game.taken[ME] == "blue"
    at._file.close()
