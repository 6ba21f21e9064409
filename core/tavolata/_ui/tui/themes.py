"""The two themes, dark and light, and what each role looks like in them.

The colours of things were chosen so that eyes which confuse colours tell them apart on their
background; a letter says them as well wherever they are used.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.theme import Theme

from tavolata._ui.tui.marks import COLOURS

DARK: Final = Theme(
    name="dark", dark=True, primary="#7aa2d8", secondary="#9aa5b1", accent="#e9c923", warning="#e9c923",
    error="#ff8f7a", success="#31c99f", foreground="#e6e6e6", background="#14171a", surface="#1b1f23",
    panel="#22272c",
    variables={
        "thing-green": "#31c99f", "thing-blue": "#4770c5", "thing-red": "#d31f06", "thing-black": "#716e6c",
        "thing-white": "#fefefe", "thing-yellow": "#e9c923", "quiet": "#9aa5b1", "edge": "#6b7680",
        "inverse": "#14171a", "scrollbar": "#4a545d", "scrollbar-background": "#1b1f23",
    },
)  # fmt: skip
LIGHT: Final = Theme(
    name="light", dark=False, primary="#0a4a8a", secondary="#4a5560", accent="#7a4f00", warning="#7a4f00",
    error="#9c1200", success="#145f52", foreground="#16191c", background="#fbfaf7", surface="#f3f1ec",
    panel="#e9e6df",
    variables={
        "thing-green": "#145f52", "thing-blue": "#0a136a", "thing-red": "#830500", "thing-black": "#030303",
        "thing-white": "#8d8893", "thing-yellow": "#b57f10", "quiet": "#59636c", "edge": "#8b949b",
        "inverse": "#fbfaf7", "scrollbar": "#b3b9be", "scrollbar-background": "#f3f1ec",
    },
)  # fmt: skip


def is_light(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that its background is light (COLORFGBG, as rxvt, Konsole and others)."""
    back = environ.get("COLORFGBG", "").rpartition(";")[2]
    return back.isdecimal() and (int(back) in (7, 15))


_ROLES: Final = {
    "title": "color: $primary; text-style: bold;",
    "dim": "color: $quiet;",
    "number": "text-style: bold;",
    "coin": "color: $accent;",
    "turn": "color: $accent; text-style: bold;",
    "own": "text-style: bold;",
    "edge": "color: $edge;",
    "choice": "color: $primary; text-style: bold;",
    "taken": "color: $success; text-style: bold;",
    "cursor": "background: $primary; color: $inverse; text-style: bold;",
    "back": "color: $quiet;",
    "face": "text-style: bold;",
    "prompt": "text-style: bold;",
    "token": "color: $accent; text-style: bold;",
    "token-here": "background: $accent; color: $inverse; text-style: bold;",
    "hedge": "color: $warning;",
    "chat": "color: $success;",
    "private": "color: $accent;",
    "notice": "color: $quiet; text-style: italic;",
    "wrong": "color: $error; text-style: bold;",
    "key": "color: $primary; text-style: bold;",
    "tab": "color: $quiet;",
    "tab-on": "color: $primary; text-style: bold underline;",
    "hint": "color: $success; text-style: italic;",
    "qr": "color: #000000; background: #ffffff;",
}

ROLE_CSS: Final = "\n".join(
    [
        *(f"Sheet > .sheet--{role} {{ {css} }}" for role, css in _ROLES.items()),
        *(f"Sheet > .sheet--{one} {{ color: $thing-{one}; text-style: bold; }}" for one in COLOURS),
        *(
            f"Sheet > .sheet--{one}-here {{ background: $thing-{one}; color: $inverse; text-style: bold; }}"
            for one in COLOURS
        ),
    ]
)
"""The style of every role, for all sheets."""

_REVERSED: Final = ("cursor", "qr", "token-here", *(f"{one}-here" for one in COLOURS))
NO_COLOUR_CSS: Final = "\n".join(
    f"App:nocolor Sheet > .sheet--{role} {{ text-style: bold reverse; }}" for role in _REVERSED
)
"""Where there is no colour, what a background says is said by reversing."""
