"""Leaving a table's screen: the person's word is passed on; a signal of the system is nobody's word."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest
from tests.core.ui.tui.playing import session

from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.tui import show
from tavolata._ui.tui.screens.frame import Left, Looks


class Screen:
    """A screen that draws nothing, and is left at once as `how` says; by that signal, if it is one."""

    failure = None

    def __init__(self, how: Left | str) -> None:
        self._how = how
        self._left = asyncio.get_running_loop().create_future()

    async def run_async(self) -> Left:
        if isinstance(self._how, str):
            os.kill(os.getpid(), getattr(signal, self._how))
        else:
            self.exit(self._how)
        left = await self._left
        assert isinstance(left, Left)
        return left

    def exit(self, left: Left) -> None:
        self._left.set_result(left)


BY_SIGNAL = pytest.mark.skipif(sys.platform == "win32", reason="Windows has none of them")


@pytest.mark.usefixtures("hears_hangups")
@pytest.mark.parametrize(
    ("how", "word"),
    [
        (Left(), True),
        (Left(interrupted=True), True),
        pytest.param("SIGTERM", False, marks=BY_SIGNAL),
        pytest.param("SIGHUP", False, marks=BY_SIGNAL),
    ],
)
def test_who_leaves_steps_away(
    how: Left | str, word: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By q or Ctrl+C; the signals end the screen as Ctrl+C does, and the match can be resumed."""
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(show, "TableApp", lambda *_, **__: Screen(how))
    away: list[bool] = []
    monkeypatch.setattr(LocalSession, "step_away", lambda _: away.append(True))

    async def play() -> None:
        await show.show_table(session("zompa"), Translator("en"), Looks(), title="", rules=str)

    if how == Left():
        asyncio.run(play())
    else:
        with pytest.raises(KeyboardInterrupt):
            asyncio.run(play())
    assert bool(away) is word
