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
    data, settings = _dirs.data_dir(), _dirs.config_dir()
    problem = why_not(data)
    if problem is None:
        yield Finding("folder", "ok", DATA, {"path": data})
    else:
        yield Finding("folder", "wrong", NO_DATA, {"path": data, "problem": problem})
    problem = why_not(settings)
    if problem is None:
        yield Finding("folder", "ok", SETTINGS, {"path": settings})
    else:  # everything works without settings: only changes to them are lost
        yield Finding("folder", "hint", NO_SETTINGS, {"path": settings, "problem": problem})


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
