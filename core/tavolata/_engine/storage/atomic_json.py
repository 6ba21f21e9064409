"""Small JSON files in the user's folder, which are replaced atomically."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def keep(path: Path, data: Any) -> None:
    """Store plain data; if that fails, nothing changes, because such data can be found out again."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.new")
        draft.write_text(json.dumps(data, indent=1), encoding="utf-8")
        draft.replace(path)
    except OSError:
        return
