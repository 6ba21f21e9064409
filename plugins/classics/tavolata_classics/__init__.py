"""Tavolata Classics, games that families know: the hooks of the plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_classics.draughts.rules import Draughts  # noqa: PLC0415 - rules are read when needed

    return (Draughts,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_classics.draughts import bots as draughts  # noqa: PLC0415 - as above

    levels = {"draughts": (draughts.EasyBot, draughts.NormalBot, draughts.HardBot)}
    return [(game, bot) for game, bots in levels.items() for bot in bots]
