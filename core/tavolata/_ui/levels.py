"""The levels of bots in words: "hard" is "difficile" to read in Italian, and "hard" to type.

Plugins may bring bots of other levels, which are called what their plugins call them.
"""

from __future__ import annotations

from collections.abc import Callable

from tavolata.messages import N_, Text

LEVELS = {"easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard"), "random": N_("random")}


def level_text(level: str) -> Text | str:
    """A level as the field of a message."""
    return Text(LEVELS[level]) if level in LEVELS else level


def level_to_choose(level: str, say: Callable[[str], str]) -> str:
    """A level in words, and what is typed for it where that is another word.

    Args:
        level: the level.
        say: puts a message id into words.
    """
    said = say(LEVELS[level]) if level in LEVELS else level
    return level if said == level else f"{said} ({level})"
