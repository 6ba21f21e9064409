"""Ctrl+C asks on every screen; any other key stays, and what was typed is still there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.ui.tui.model.test_replay_model import played
from tests.core.ui.tui.screens.test_home_screen import FACTS, tables
from tests.core.ui.tui.screens.test_replay_screen import app_of
from tests.core.ui.virtual_time import run

from tavolata._ui.i18n import Translator
from tavolata._ui.people_here import people_of
from tavolata._ui.tui.screens import frame
from tavolata._ui.tui.screens.frame import ONCE_MORE, Frame, Left, Looks
from tavolata._ui.tui.screens.home_app import HomeApp
from tavolata._ui.tui.screens.people_app import PeopleApp
from tavolata._ui.tui.show import _watched

ASKS = ONCE_MORE.split(";", maxsplit=1)[0]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def home() -> Frame:
    return HomeApp(Translator("en"), Looks(), FACTS, tables)


def form(count: int = 2) -> Frame:
    return PeopleApp(Translator("en"), Looks(), "Bang", people_of([f"Ann {n}" for n in range(count)], ()))


def replay() -> Frame:
    return app_of(played("conto")[1])


def text_of(app: Frame) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


SCREENS = {
    "home": (home, (80, 24), ("n", "z", "z"), "Annzz"),
    "the keys of home": (home, (80, 24), ("question_mark",), "Keys"),
    "form": (form, (80, 24), tuple("Berta"), "Berta"),
    "form of twelve": (lambda: form(12), (60, 20), tuple("Berta"), "Berta"),
    "replay": (replay, (80, 24), ("g", "1", "7"), "17"),
    "small replay": (replay, (40, 12), (), ""),
}


@pytest.mark.battery
@pytest.mark.parametrize("name", SCREENS)
def test_the_first_ctrl_c_asks_and_every_other_key_stays(name: str) -> None:
    """The first asks and keeps what was typed, another key takes the question back, the next two leave."""
    make, size, typed, kept = SCREENS[name]
    app = make()

    async def play() -> None:
        async with app.run_test(size=size) as pilot:
            await pilot.press(*typed, "ctrl+c")
            await pilot.pause()
            assert ASKS in text_of(app)
            await pilot.press("f5", "ctrl+c")
            await pilot.pause()
            assert app.return_value is None
            assert ASKS in text_of(app)
            await pilot.press("f5")
            await pilot.pause()
            assert ASKS not in text_of(app)
            assert kept in text_of(app)
            await pilot.press("ctrl+c", "ctrl+c")
        assert app.return_value == Left(interrupted=True)

    asyncio.run(play())


def test_a_ctrl_c_that_nothing_follows_is_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the second one would not leave any more, the sentence that says so is gone."""
    monkeypatch.setattr(frame, "PATIENCE", 0.05)
    app = form()

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("ctrl+c")
            async with asyncio.timeout(20):
                while app.prompt.trouble:
                    await pilot.pause(0.01)
            await pilot.pause()
            assert ASKS not in text_of(app)

    run(play())


def test_ctrl_c_while_a_match_is_watched_again_is_an_interrupt_and_no_traceback() -> None:
    """It comes out of the screen of the match, which clears up after it; the loop is not torn down."""

    async def watch() -> None:
        raise KeyboardInterrupt

    async def play() -> str:
        after: Any = SimpleNamespace(watch=watch)
        director: Any = SimpleNamespace(goes_on=asyncio.Event().wait)
        try:
            return await _watched(after, director, Translator("en"))
        except KeyboardInterrupt:
            return "interrupted"

    assert asyncio.run(play()) == "interrupted"
