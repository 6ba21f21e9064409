"""The help page: what the keys do now, then the others, and what the signs of the table mean. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tavolata._ui.i18n import Translator
from tavolata._ui.tui.drawing.glyphs import Glyphs
from tavolata._ui.tui.input.keys import KEYS, shown
from tavolata.messages import N_

NOW = N_("Active keys")
OTHERS = N_("Other keys")
POINT = N_("Choose with the arrows or digits and press Enter; or click once to choose and again to confirm.")
SCROLL = N_("Page Up and Page Down scroll; Esc closes the open page.")
CHANGE = N_("To change keys, use these names in the [keys] table of the config file:")
SIGNS = N_("Symbols")
HIDDEN = N_("{back}2: two things you can't see, usually cards.")
TAKEN = N_("{on} and {off}: a choice that's picked, and one that isn't.")
CHANGED = N_("{up} and {down} beside a number: it has gone up or down.")
WINNER = N_("{star}: winner.")


def help_lines(
    translator: Translator, keymap: Mapping[str, str], now: Collection[str], glyphs: Glyphs
) -> list[tuple[str, str]]:
    """Return the lines of the page, each with its role; `now` names the keys that matter now."""
    say = translator.text
    signs = {
        "back": glyphs.back, "on": glyphs.on, "off": glyphs.off, "up": glyphs.up, "down": glyphs.down_by,
        "star": glyphs.star,
    }  # fmt: skip
    rows = {name: (f"{say(shown(keymap[name]))}: {say(key.why)} ({name})", "") for name, key in KEYS.items()}
    first = [row for name, row in rows.items() if name in now]
    others = [row for name, row in rows.items() if name not in now]
    told = [(say(one, signs), "") for one in (HIDDEN, TAKEN, CHANGED, WINNER)]
    keys = [(say(NOW), "title"), *first, (say(POINT), ""), (say(SCROLL), ""), ("", "")]
    keys += [(say(OTHERS), "title"), *others, (say(CHANGE), "")]
    return [*keys, ("", ""), (say(SIGNS), "title"), *told]
