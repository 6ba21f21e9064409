"""Bang, a game of reflexes with 54 cards: the hooks of its plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_bang.rules import Bang  # noqa: PLC0415 - the rules are read when they are needed

    return (Bang,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_bang.bots import EasyBot, HardBot, NormalBot, SlowBot  # noqa: PLC0415 - as above

    return tuple(("bang", bot) for bot in (SlowBot, EasyBot, NormalBot, HardBot))
