"""Where files of a person lie: as platformdirs says, or where TT_*_DIR says.

Only paths are named here; nothing is made or read.
"""

from __future__ import annotations

import os

from platformdirs import PlatformDirs

APP = "tavolata"


def config_dir() -> str:
    """The folder of `config.toml`."""
    return os.environ.get("TT_CONFIG_DIR") or _dirs().user_config_dir


def data_dir() -> str:
    """The folder of matches, keys and what else must be kept."""
    return os.environ.get("TT_DATA_DIR") or _dirs().user_data_dir


def cache_dir() -> str:
    """The folder of what can be made anew at any time."""
    return os.environ.get("TT_CACHE_DIR") or _dirs().user_cache_dir


def _dirs() -> PlatformDirs:
    return PlatformDirs(APP, appauthor=False)
