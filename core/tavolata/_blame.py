"""The place of an error: the file and the line where an author of a game can look."""

from __future__ import annotations

from types import TracebackType

OURS = ("tavolata", "tavolata_protocol")


def place_of(error: BaseException) -> tuple[str, int] | None:
    """The file and the line of the innermost frame outside Tavolata; None if there is none."""
    found, trace = None, error.__traceback__
    while trace is not None:
        if not _is_ours(trace):
            found = trace.tb_frame.f_code.co_filename, trace.tb_lineno
        trace = trace.tb_next
    return found


def _is_ours(trace: TracebackType) -> bool:
    name = str(trace.tb_frame.f_globals.get("__name__", ""))
    return name.partition(".")[0] in OURS or trace.tb_frame.f_code.co_filename.startswith("<")
