"""The check for the extra `tavolata[web]`. Nothing of it may be imported here."""

from __future__ import annotations

from importlib.util import find_spec

from tavolata.messages import N_

MISSING = N_(
    'Playing in a browser requires aiohttp, which isn\'t installed: pip install "tavolata[web]", or just '
    "aiohttp."
)


def can_serve() -> bool:
    return find_spec("aiohttp") is not None
