"""The names of bot levels. In Italian the level "hard" is shown as "difficile" but typed as "hard".

Plugins may add bots of other levels; these keep the names that their plugins give them.
"""

from __future__ import annotations

from collections.abc import Callable

from tavolata.messages import N_, Text

LEVELS = {
    "slow": N_("slow"), "easy": N_("easy"), "normal": N_("normal"), "hard": N_("hard"),
    "random": N_("random"), "thinker": N_("thinker"),
}  # fmt: skip


def level_text(level: str) -> Text | str:
    return Text(LEVELS[level]) if level in LEVELS else level


def level_to_choose(level: str, say: Callable[[str], str]) -> str:
    """Return the name of a level, followed by the word to type if that's different."""
    said = say(LEVELS[level]) if level in LEVELS else level
    return level if said == level else f"{said} ({level})"
