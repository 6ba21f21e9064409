"""Small JSON files in the user's folder, which are replaced atomically."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tavolata._machine import disk


def stored(path: Path) -> Any:
    """Return the plain data in a file; None if there is no file, or it can't be read for any reason."""
    try:
        return json.loads(disk().read(path).decode())
    except (
        OSError,
        ValueError,
        RecursionError,
    ):  # the last one for lists in lists
        return None


def keep(path: Path, data: Any) -> bool:
    """Store plain data, and return if that worked; if not, nothing changes: it can be found out again."""
    try:
        disk().make_folder(path.parent)
        disk().replace(path, json.dumps(data, indent=1).encode())
        disk().sync_folder(path.parent)
    except OSError:
        return False
    return True
