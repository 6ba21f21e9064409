"""Il Conto, Prego! (The Bill, Please!), a game of calling dishes and doubting: the hooks of its plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_conto.rules import Conto  # noqa: PLC0415 - the rules are read when they are needed

    return (Conto,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_conto.bots import EasyBot, HardBot, NormalBot  # noqa: PLC0415 - as above

    return (("conto", EasyBot), ("conto", NormalBot), ("conto", HardBot))
