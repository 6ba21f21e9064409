"""Zompa Cavallo! (Jump Horse), a Christmas game of fiches and cards: the hooks of its plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_zompa.rules import Zompa  # noqa: PLC0415 - the rules are read when they are needed

    return (Zompa,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_zompa.bots import EasyBot, NormalBot  # noqa: PLC0415 - as above

    return (("zompa", EasyBot), ("zompa", NormalBot))
