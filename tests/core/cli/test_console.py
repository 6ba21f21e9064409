"""The console of Windows, which is faked here: it obeys escape sequences after it was asked to."""

from __future__ import annotations

import asyncio
import ctypes
import shutil
import sys
from io import StringIO
from os import terminal_size
from typing import Any

import pytest
from tests.core.ui.tui.playing import session

from tavolata._cli.command_context import CommandContext
from tavolata._cli.console import obeys_escapes, wiping
from tavolata._cli.playing import _line_frontend
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.plain import Plain
from tavolata._ui.streams import Outlet

OUT, ERR = 7, 9
"""The handles of stdout and stderr."""
VT = 4


class Kernel:
    """The library of the console: what the mode of each handle is; None for what is no console."""

    def __init__(self, *, old: bool = False, **modes: int | None) -> None:
        self.modes = {OUT: modes.get("out", 3), ERR: modes.get("err", 3)}
        self._old = old

        def get_std_handle(number: int) -> int:
            return {-11: OUT, -12: ERR}[number]

        self.GetStdHandle = get_std_handle  # a function, because ctypes sets its type

    def GetConsoleMode(self, console: Any, mode: Any) -> int:
        found = self.modes[console.value]
        if found is None:
            return 0
        mode._obj.value = found
        return 1

    def SetConsoleMode(self, console: Any, mode: int) -> int:
        if self._old and mode & VT:
            return 0
        self.modes[console.value] = mode
        return 1


def on_windows(kernel: Kernel, patch: pytest.MonkeyPatch) -> None:
    """Make this Windows, as far as the console's module can see."""
    patch.setattr(ctypes, "WinDLL", {"kernel32": kernel}.__getitem__, raising=False)
    patch.setattr(sys, "platform", "win32")


@pytest.mark.parametrize(
    ("kernel", "obeys", "after"),
    [
        (Kernel(), True, {OUT: 7, ERR: 7}),
        (Kernel(out=7), True, {OUT: 7, ERR: 7}),
        (Kernel(err=None), True, {OUT: 7, ERR: None}),
        (Kernel(out=None), False, {OUT: None, ERR: 7}),
        (Kernel(old=True), False, {OUT: 3, ERR: 3}),
    ],
)
def test_a_console_is_asked_to_obey(
    kernel: Kernel, obeys: bool, after: dict[int, int | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its other modes stay; a pipe is no console, and an old console refuses."""
    on_windows(kernel, monkeypatch)
    assert obeys_escapes() is obeys
    assert kernel.modes == after


def test_elsewhere_terminals_obey() -> None:
    """No library is asked."""
    assert obeys_escapes() is (sys.platform != "win32")


def test_a_neighbour_sees_no_hand_on_an_old_console(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screenful of empty lines takes the place of the sequence, and nothing is coloured."""
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    monkeypatch.setattr(shutil, "get_terminal_size", lambda: terminal_size((80, 31)))
    with monkeypatch.context() as patch:
        on_windows(Kernel(old=True), patch)
        patch.setattr("tavolata._cli.command_context.choose_language", lambda *_: "en")
        old = CommandContext({}, {})
    new = CommandContext({}, {})
    assert [(wiping(escapes=one.escapes), one.color) for one in (old, new)] == [
        ("\n" * 31, False),
        ("\x1b[H\x1b[2J\x1b[3J", True),
    ]


def test_the_curtain_wipes_as_the_console_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """What falls between two people at one keyboard fits the terminal of this run."""
    monkeypatch.setattr(CommandContext, "on_terminal", True)
    context, screen = CommandContext({"ui": "plain"}, {}), StringIO()
    at = session("conto", 3, humans=2)
    at._file.close()  # nothing is played here

    async def made() -> LineFrontend:
        return _line_frontend(context, at, Outlet(screen))

    face = asyncio.run(made())
    assert isinstance(face, Plain)
    assert face._wipe is not None
    for context.escapes in (True, False):
        face._wipe()
    assert screen.getvalue() == wiping(escapes=True) + wiping(escapes=False)
