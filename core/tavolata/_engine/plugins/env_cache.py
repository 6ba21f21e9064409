"""Small files in the cache folder about what is installed in this Python environment.

What is kept is believed as long as all of this is as it was: the versions of Tavolata and of Python,
`sys.path`, the time of change of each folder on it, and that of the files it was found in.
Installing, upgrading or removing a package (editable ones too) touches its folder or its file. A
cache that can't be read or written is no problem of anybody's. What the files say is not known here.
"""

from __future__ import annotations

import json
import os
import sys
import time
import zlib

from tavolata import _dirs
from tavolata._version import __version__

FORMAT = 3
SETTLED_NS = 2_000_000_000
"""A file changed less than this ago may change again within one tick of its file system's clock."""


def recall(name: str) -> dict[str, object] | None:
    """What was kept under this name, if it still holds."""
    try:
        with open(_path(name), encoding="utf-8") as file:
            kept = json.load(file)
        if kept["made"] != _made() or any(_changed(path) != changed for path, changed in kept["files"]):
            return None
        body = kept["body"]
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None
    return body if isinstance(body, dict) else None


def keep(name: str, body: dict[str, object], files: list[str]) -> None:
    """Keep this until one of these files, or what is installed, changes; silently, if that is possible."""
    stamps = _stamps(files)
    young = time.time_ns() - SETTLED_NS
    if any(changed is not None and changed > young for _, changed in _stamps(sys.path) + stamps):
        return
    path = _path(name)
    mine = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(mine, "w", encoding="utf-8") as file:
            json.dump({"made": _made(), "files": stamps, "body": body}, file)
        os.replace(mine, path)  # two runs at once: each reader sees one whole file
    except (OSError, ValueError):
        return


def _path(name: str) -> str:
    return os.path.join(_dirs.cache_dir(), f"{name}-{zlib.crc32(sys.prefix.encode()):08x}.json")


def _made() -> list[object]:
    return [FORMAT, __version__, sys.hexversion, *map(list, _stamps(sys.path))]


def _stamps(paths: list[str]) -> list[tuple[str, int | None]]:
    return [(path, _changed(path)) for path in paths]


def _changed(path: str) -> int | None:
    try:
        return os.stat(path or ".").st_mtime_ns
    except OSError:
        return None
