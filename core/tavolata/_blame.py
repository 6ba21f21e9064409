"""The place of an error: the file and the line where an author of a game can look."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from types import FrameType, TracebackType

OURS = ("tavolata", "tavolata_protocol")


def place_of(error: BaseException, packages: Collection[str] = ()) -> tuple[str, int] | None:
    """Return the file and the line of the innermost frame outside Tavolata; None if there isn't one.

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


def _top(frame: FrameType) -> str:
    return str(frame.f_globals.get("__name__", "")).partition(".")[0]


def _counts(trace: TracebackType, packages: Collection[str]) -> bool:
    top = _top(trace.tb_frame)
    if packages:
        return top in packages
    return top not in OURS and not trace.tb_frame.f_code.co_filename.startswith("<")


def class_place() -> str:
    """Return the file and the line of the class that is being defined outside Tavolata, in words."""
    frame = sys._getframe(1)  # noqa: SLF001 - only CPython's frames know where a class is defined
    while frame.f_back is not None and _top(frame) in OURS:
        frame = frame.f_back
    return f"{short(frame.f_code.co_filename)}, line {frame.f_lineno}"


def function_place(function: object) -> str:
    """Return the file and the first line of a function, in words; "" for what isn't one."""
    code = getattr(function, "__code__", None)
    return "" if code is None else f"{short(code.co_filename)}, line {code.co_firstlineno}"


def short(file: str) -> str:
    """Return a file as it is named from the present folder; with its whole path if it lies elsewhere."""
    try:
        near = os.path.relpath(file)
    except ValueError:  # on another drive
        return file
    return file if near.startswith("..") else near
