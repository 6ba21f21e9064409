"""Horse Fever, races that are bet on and tampered with: the hooks of its plugin.

An unofficial adaptation of the rules of the board game. Horse Fever is a trademark of Cranio
Creations, who have nothing to do with this; no artwork and no printed text of theirs is in here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_horse_fever.rules import HorseFever  # noqa: PLC0415 - the rules are read when they are needed

    return (HorseFever,)


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_horse_fever.bots import EasyBot, HardBot, NormalBot  # noqa: PLC0415 - as above

    return tuple(("horse-fever", bot) for bot in (EasyBot, NormalBot, HardBot))
