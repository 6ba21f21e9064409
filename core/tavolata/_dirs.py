"""The folders of a user's files: those of platformdirs, or those named by TT_*_DIR.

This module only names paths; it makes and reads nothing.
"""

from __future__ import annotations

import os

from platformdirs import PlatformDirs


def config_dir() -> str:
    """Return the folder of `config.toml`."""
    return os.environ.get("TT_CONFIG_DIR") or _dirs().user_config_dir


def data_dir() -> str:
    """Return the folder of matches, keys and other data that must be stored."""
    return os.environ.get("TT_DATA_DIR") or _dirs().user_data_dir


def cache_dir() -> str:
    """Return the folder of files that can be made again at any time."""
    return os.environ.get("TT_CACHE_DIR") or _dirs().user_cache_dir


def _dirs() -> PlatformDirs:
    return PlatformDirs("tavolata", appauthor=False)
