"""Small files of plain data in the user's folder: replaced whole, never half written."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any


def keep(path: Path, data: Any) -> None:
    """Store plain data; where that can't be, nothing changes: what is kept so can be learnt anew."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(f".{os.getpid()}.new")
        draft.write_text(json.dumps(data, indent=1), encoding="utf-8")
        draft.replace(path)
    except OSError:
        return
