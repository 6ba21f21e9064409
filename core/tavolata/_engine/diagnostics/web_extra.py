"""The check for the extra `tavolata[web]`. Nothing of it may be imported here."""

from __future__ import annotations

from importlib.util import find_spec

from tavolata.messages import N_

MISSING = N_('Browsers are served by textual-serve, which is not installed: pip install "tavolata[web]", or '
             "textual-serve by itself.")  # fmt: skip


def can_serve() -> bool:
    """Whether the packages that serve browsers are installed."""
    return all(find_spec(name) is not None for name in ("aiohttp", "textual_serve"))
