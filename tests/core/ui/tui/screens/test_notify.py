"""The bell and the notifications for a person who looks elsewhere."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata._ui.tui.screens.notify import BELL, notification


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.battery
def test_a_person_who_looks_elsewhere_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only while the terminal has no focus: the bell and a notification, each of which can be turned off."""

    async def play(focused: bool, **looks: Any) -> str:
        written: list[str] = []
        async with screen(session("jumpy-jack", 2), **looks) as played:
            monkeypatch.setattr(played.app.notifier, "_write", written.append)  # what the terminal would get
            played.app.notifier.focused = focused
            for key in ("1", "space", "2", "space", "3", "space", "enter"):
                await played.press(key)
            await played.asked()
        return "".join(written)

    assert asyncio.run(play(True)) == ""
    called = asyncio.run(play(False))
    assert BELL in called
    assert "\x1b]9;Jumpy Jack: " in called
    assert asyncio.run(play(False, bell=False, notify=False)) == ""


def test_a_notification_reaches_the_terminal_around_tmux_and_nothing_can_be_smuggled_in() -> None:
    """Control signs of a player's name are dropped; inside tmux the sequence is wrapped."""
    plain = notification("Game", "your \x1b]0;turn\a; now", {})
    assert plain == "\x1b]9;Game: your ]0,turn, now\x1b\\"
    assert notification("Game", "now", {"TERM": "foot"}).startswith("\x1b]777;notify;Game;now")
    wrapped = notification("Game", "now", {"TMUX": "/tmp/x"})
    assert wrapped == "\x1bPtmux;\x1b\x1b]9;Game: now\x1b\x1b\\\x1b\\"
