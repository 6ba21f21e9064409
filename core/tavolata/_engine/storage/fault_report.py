"""Reports for whoever looks for a fault: text files beside the files of matches."""

from __future__ import annotations

import platform
import traceback
from datetime import UTC, datetime
from pathlib import Path

from tavolata import __version__, _machine
from tavolata._machine import disk


def written_now() -> list[str]:
    """Return the lines that say when and by which program a report is written."""
    return [
        f"Written {datetime.fromtimestamp(_machine.wall(), UTC).isoformat(timespec='seconds')}",
        f"Tavolata {__version__}, Python {platform.python_version()} on {platform.platform()}",
    ]


def write_report(match_file: Path, about: str, lines: list[str]) -> Path | None:
    """Write a report beside a match file; return its path, None if it couldn't be written."""
    path = match_file.with_name(f"{match_file.stem}-{about}.txt")
    try:
        disk().make_folder(path.parent)
        disk().replace(path, ("\n".join(lines) + "\n").encode())
    except OSError:
        return None
    return path


def write_fault(match_file: Path, error: BaseException) -> Path | None:
    """Write where an error came from; return the path as above."""
    place = "".join(traceback.format_exception(error)).rstrip()
    return write_report(match_file, "fault", [*written_now(), "", place])
