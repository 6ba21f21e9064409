"""Where files of a person lie: as platformdirs says, or where TT_*_DIR says.

Only paths may be named here; nothing is made or read. platformdirs is asked late because it costs
more than all the rest of a short command.
"""

from __future__ import annotations

import os

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
    from platformdirs import PlatformDirs

    return PlatformDirs(APP, appauthor=False)


TYPE_CHECKING = False  # not from typing, for the same cost
if TYPE_CHECKING:
    from platformdirs import PlatformDirs
