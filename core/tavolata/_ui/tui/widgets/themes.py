"""The two themes, dark and light, and the style of each role in them.

Colour-blind people can tell the colours of things apart on both backgrounds. In addition, a letter
always is beside the colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.style import Style
from textual.theme import Theme

from tavolata._text import number_within
from tavolata._ui.scene.identity import HUES, NO_HUE
from tavolata.looks import INKS


def _hues(colours: str) -> dict[str, str]:
    return {f"hue-{seat}": colour for seat, colour in enumerate(colours.split())}


DARK: Final = Theme(
    name="dark", dark=True, primary="#7aa2d8", secondary="#9aa5b1", accent="#e9c923", warning="#e9c923",
    error="#ff8f7a", success="#31c99f", foreground="#e6e6e6", background="#14171a", surface="#1b1f23",
    panel="#22272c",
    variables={
        "thing-green": "#3fdba8", "thing-blue": "#5b8def", "thing-red": "#f04a38", "thing-black": "#828086",
        "thing-white": "#fefefe", "thing-yellow": "#e9c923", "quiet": "#9aa5b1", "edge": "#6b7680",
        "inverse": "#14171a",
        **_hues("#6cb6ff #f0b429 #3ddc97 #e48cf0 #ff8a65 #b7c4d1 #9fe870 #c9a3ff"),
        "scrollbar": "#4a545d", "scrollbar-background": "#1b1f23",
    },
)  # fmt: skip
LIGHT: Final = Theme(
    name="light", dark=False, primary="#0a4a8a", secondary="#4a5560", accent="#7a4f00", warning="#7a4f00",
    error="#9c1200", success="#145f52", foreground="#16191c", background="#fbfaf7", surface="#f3f1ec",
    panel="#e9e6df",
    variables={
        "thing-green": "#036145", "thing-blue": "#1420a0", "thing-red": "#830500", "thing-black": "#030303",
        "thing-white": "#6e6e8a", "thing-yellow": "#9a6a00", "quiet": "#59636c", "edge": "#868f96",
        "inverse": "#fbfaf7",
        **_hues("#0b57a4 #8a5a00 #0d6b52 #8e2a9c #a8320f #4b5763 #3d6b0c #5a3fb0"),
        "scrollbar": "#b3b9be", "scrollbar-background": "#f3f1ec",
    },
)  # fmt: skip


def is_light(environ: Mapping[str, str]) -> bool:
    """Return True if the terminal reports a light background (COLORFGBG in rxvt, Konsole and others)."""
    back = environ.get("COLORFGBG", "").rpartition(";")[2]
    return number_within(back, 7, 15) in (7, 15)


@dataclass(frozen=True, slots=True)
class RoleLook:
    color: str = ""
    background: str = ""
    bold: bool = False
    italic: bool = False
    underline: bool = False


ROLES: Final[Mapping[str, RoleLook]] = {
    "title": RoleLook("primary", bold=True),
    "dim": RoleLook("quiet"),
    "strong": RoleLook(bold=True),
    "em": RoleLook(italic=True),
    "number": RoleLook(bold=True),
    "coin": RoleLook("accent"),
    "turn": RoleLook("accent", bold=True),
    "own": RoleLook(bold=True),
    "edge": RoleLook("edge"),
    "choice": RoleLook("primary", bold=True),
    "taken": RoleLook("success", bold=True),
    "cursor": RoleLook("inverse", "primary", bold=True),
    "back": RoleLook("quiet"),
    "face": RoleLook(bold=True),
    "prompt": RoleLook(bold=True),
    "token": RoleLook("accent", bold=True),
    "token-here": RoleLook("inverse", "accent", bold=True),
    "hedge": RoleLook("warning"),
    "talk": RoleLook("success"),
    "private": RoleLook("accent"),
    "notice": RoleLook("quiet", italic=True),
    "wrong": RoleLook("error", bold=True),
    "key": RoleLook("primary", bold=True),
    "tab": RoleLook("quiet"),
    "tab-on": RoleLook("primary", bold=True, underline=True),
    "hint": RoleLook("success", italic=True),
    "hot": RoleLook("accent", bold=True),
    "act": RoleLook("inverse", "accent", bold=True),
    "up": RoleLook("success", bold=True),
    "down": RoleLook("error", bold=True),
    "good": RoleLook("success"),
    "qr": RoleLook("paper-ink", "paper"),
    **{f"hue{seat}": RoleLook(f"hue-{seat}", bold=True) for seat in range(HUES)},
    **{f"hue{seat}-here": RoleLook("inverse", f"hue-{seat}", bold=True) for seat in range(HUES)},
    f"hue{NO_HUE}": RoleLook(bold=True),
    f"hue{NO_HUE}-here": RoleLook("inverse", "quiet", bold=True),
    **{one: RoleLook(f"thing-{one}", bold=True) for one in INKS},
    **{f"{one}-here": RoleLook("inverse", f"thing-{one}", bold=True) for one in INKS},
}
"""Every role that a run can have."""


def role_styles(theme: Theme, *, color: bool) -> dict[str, Style]:
    """Return the style of every role; without colour, reverse video replaces a background.

    It's computed once for each theme; rules of a style sheet would slow every start by a tenth of a second.
    """
    colors = {
        **theme.variables, "primary": theme.primary, "accent": theme.accent or "", "error": theme.error or "",
        "success": theme.success or "", "warning": theme.warning or "",
        "paper": "#ffffff", "paper-ink": "#000000",
    }  # fmt: skip
    return {
        role: Style(
            color=colors[look.color] if color and look.color else None,
            bgcolor=colors[look.background] if color and look.background else None,
            bold=look.bold or None,
            italic=look.italic or None,
            underline=look.underline or None,
            reverse=True if look.background and not color else None,
        )
        for role, look in ROLES.items()
    }
