"""Small JSON files in the user's folder, which are replaced atomically."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tavolata import _disk


def stored(path: Path) -> Any:
    """Return the plain data in a file; None if there is no file, or it can't be read for any reason."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (
        OSError,
        ValueError,
        RecursionError,
    ):  # the last one for lists in lists
        return None


def keep(path: Path, data: Any) -> None:
    """Store plain data; if that fails, nothing changes, because such data can be found out again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _disk.replace(path, json.dumps(data, indent=1).encode())
    except OSError:
        return
