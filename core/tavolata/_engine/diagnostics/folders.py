"""Folder diagnostics of `tt doctor`: whether this user's data and settings can be written.

The check writes a temporary file, in the folder or where the folder would be made, and leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile

from tavolata import _dirs
from tavolata._engine.diagnostics.checkup import Finding
from tavolata._trouble import trouble
from tavolata.messages import N_, Text

DATA = N_("Matches and keys are kept in {path}.")
SETTINGS = N_("Settings are kept in {path}.")
NO_DATA = N_(
    "No match and no key can be kept in {path}: {problem}. Mend that, or set TT_DATA_DIR to another folder."
)
NO_SETTINGS = N_(
    "No setting can be kept in {path}: {problem}. Mend that, or set TT_CONFIG_DIR to another folder."
)


def folder_findings() -> Iterator[Finding]:
    """The findings about the folders of data and of settings."""
    for folder, kept, state, lost in (
        (_dirs.data_dir(), DATA, "wrong", NO_DATA),
        (_dirs.config_dir(), SETTINGS, "hint", NO_SETTINGS),  # everything works without them
    ):
        problem = why_not(folder)
        if problem is None:
            yield Finding("folder", "ok", kept, {"path": folder})
        else:
            yield Finding("folder", state, lost, {"path": folder, "problem": problem})


def why_not(folder: str) -> Text | str | None:
    """Why a folder, or the one in which it would be made, can't be written; None if it can."""
    try:
        place = Path(folder)
        while not place.exists() and place != place.parent:
            place = place.parent
        with TemporaryFile(dir=place) as file:
            file.write(b"tavolata")
    except OSError as error:
        return trouble(error)
    return None
