"""Jumpy Jack, a race of horses that everybody rides and secret orders of arrival: the hooks of its plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_jumpy_jack.rules import JumpyJack  # noqa: PLC0415 - the rules are read when they are needed

    return (JumpyJack,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_jumpy_jack.bots import EasyBot, HardBot, NormalBot  # noqa: PLC0415 - as above

    return (("jumpy-jack", EasyBot), ("jumpy-jack", NormalBot), ("jumpy-jack", HardBot))
