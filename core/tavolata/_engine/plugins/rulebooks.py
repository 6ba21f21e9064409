"""Rulebooks: `rules.md` in a package, or `game.md` beside a lone file `game.py`.

Other languages are beside it, such as `rules.it.md`. A package with several games has these files in one
folder for each game, named after the game.
"""

from __future__ import annotations

import sys
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from tavolata.game import Game

UNTOUCHED = "Write here, in your own words, how it's played."
"""The line of a new package's rulebook that stands for the rules."""


def rulebook(game: type[Game[Any]], package: str, lang: str = "en") -> str | None:
    """Return the rulebook of a game in this language, otherwise in English; None if there's none.

    Args:
        game: its rules.
        package: the package that has its texts; "" for a lone file.
        lang: the code of the language.
    """
    folder, stem = _home(game, package)
    names = [f"{stem}.{lang}.md", f"{stem}.md"] if lang != "en" else [f"{stem}.md"]
    for place in [folder / game.name, folder] if package else [folder]:
        for name in names:
            try:
                return place.joinpath(name).read_text(encoding="utf-8")
            except (OSError, UnicodeDecodeError):
                continue
    return None


def place_of_rulebook(game: type[Game[Any]], package: str) -> str:
    """Return the file in which its author can write the English rulebook of a game."""
    folder, stem = _home(game, package)
    return str(folder.joinpath(f"{stem}.md"))


def _home(game: type[Game[Any]], package: str) -> tuple[Traversable, str]:
    """Return the folder of the rulebooks, and the beginning of their names."""
    if package:
        return resources.files(package), "rules"
    file = Path(getattr(sys.modules.get(game.__module__), "__file__", None) or "-")
    return file.parent, file.stem
