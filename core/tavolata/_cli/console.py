"""Escape sequences and the console: on Windows a program has to ask for them."""

from __future__ import annotations

import shutil
import sys

from tavolata._text import Clean

_STDOUT, _STDERR = -11, -12
_VIRTUAL_TERMINAL = 4


def obeys_escapes() -> bool:
    """Have the console obey escape sequences, where it must be asked; return True if that of stdout does."""
    obeyed = True
    if sys.platform == "win32":
        import ctypes
        from ctypes import wintypes

        system = ctypes.WinDLL("kernel32")
        system.GetStdHandle.restype = wintypes.HANDLE

        def obeys(stream: int) -> bool:
            console, mode = wintypes.HANDLE(system.GetStdHandle(stream)), wintypes.DWORD()
            is_console = system.GetConsoleMode(console, ctypes.byref(mode))
            return bool(is_console and system.SetConsoleMode(console, mode.value | _VIRTUAL_TERMINAL))

        obeyed = [obeys(stream) for stream in (_STDERR, _STDOUT)][-1]
    return obeyed


def wiping(*, escapes: bool) -> Clean:
    """Return what clears a terminal; without escape sequences a screenful of empty lines."""
    return Clean("\x1b[H\x1b[2J\x1b[3J" if escapes else "\n" * shutil.get_terminal_size().lines)
