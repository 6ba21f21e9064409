"""The folders of a user's files: those of platformdirs, or those named by TT_*_DIR.

This module only names paths; it makes and reads nothing. FileNotFoundError means that nobody knows where the
user's home is.
"""

from __future__ import annotations

import errno
import os

from platformdirs import PlatformDirs


def config_dir() -> str:
    """Return the folder of `config.toml`."""
    return os.environ.get("TT_CONFIG_DIR") or _platform("config")


def data_dir() -> str:
    """Return the folder of matches, keys and other data that must be stored."""
    return os.environ.get("TT_DATA_DIR") or _platform("data")


def cache_dir() -> str:
    """Return the folder of files that can be made again at any time."""
    return os.environ.get("TT_CACHE_DIR") or _platform("cache")


def _platform(kind: str) -> str:
    try:
        return str(getattr(PlatformDirs("tavolata", appauthor=False), f"user_{kind}_dir"))
    except RuntimeError as error:
        raise FileNotFoundError(errno.ENOENT, str(error), "$HOME") from error
