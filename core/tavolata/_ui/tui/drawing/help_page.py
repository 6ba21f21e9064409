"""The help page: every key and its action. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from tavolata._ui.i18n import Translator
from tavolata._ui.tui.input.keys import KEYS, shown
from tavolata.messages import N_

TITLE = N_("Keys")
POINT = N_("Arrows and digits point at a choice, Enter sends it; a click points, a second one sends.")
SCROLL = N_("Page up and page down scroll; Tab goes from the question to the board and the log.")
CHANGE = N_("The table [keys] of the config file gives other keys to these names:")


def help_lines(translator: Translator, keymap: Mapping[str, str]) -> list[tuple[str, str]]:
    """The lines of the page, each with its role."""
    say = translator.text
    rows = [(f"{say(shown(keymap[name]))}: {say(key.why)} ({name})", "") for name, key in KEYS.items()]
    return [(say(TITLE), "title"), (say(POINT), ""), (say(SCROLL), ""), (say(CHANGE), ""), *rows]
