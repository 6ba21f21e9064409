"""The place of an error: the file and the line where an author of a game can look."""

from __future__ import annotations

import os
from collections.abc import Collection
from types import TracebackType

OURS = ("tavolata", "tavolata_protocol")


def place_of(error: BaseException, packages: Collection[str] = ()) -> tuple[str, int] | None:
    """The file and the line of the innermost frame outside Tavolata; None if there is none.

    Args:
        error: an error that was caught.
        packages: the top-level packages and modules whose frames count; if empty, all but Tavolata's do.
    """
    found, trace = None, error.__traceback__
    while trace is not None:
        if _counts(trace, packages):
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found


def _counts(trace: TracebackType, packages: Collection[str]) -> bool:
    top = str(trace.tb_frame.f_globals.get("__name__", "")).partition(".")[0]
    if packages:
        return top in packages
    return top not in OURS and not trace.tb_frame.f_code.co_filename.startswith("<")


def short(file: str) -> str:
    """A file as it is named from the present folder; with its whole path if it lies elsewhere."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith("..") else near
