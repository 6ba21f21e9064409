"""Tavolata Classics, games that families know: the hooks of the plugin."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tavolata import Game, hookimpl
from tavolata.bots import Bot


@hookimpl
def tavolata_games() -> Iterable[type[Game[Any]]]:
    from tavolata_classics.briscola.rules import Briscola  # noqa: PLC0415 - rules are read when needed
    from tavolata_classics.cheat.rules import Cheat  # noqa: PLC0415 - as above
    from tavolata_classics.cucu.rules import Cucu  # noqa: PLC0415 - as above
    from tavolata_classics.draughts.rules import Draughts  # noqa: PLC0415 - as above
    from tavolata_classics.fictionary.rules import Fictionary  # noqa: PLC0415 - as above
    from tavolata_classics.liars.rules import Liars  # noqa: PLC0415 - as above
    from tavolata_classics.mercante.rules import Mercante  # noqa: PLC0415 - as above
    from tavolata_classics.scala40.rules import Scala40  # noqa: PLC0415 - as above
    from tavolata_classics.scopa.rules import Scopa  # noqa: PLC0415 - as above
    from tavolata_classics.settemezzo.rules import Settemezzo  # noqa: PLC0415 - as above
    from tavolata_classics.tombola.rules import Tombola  # noqa: PLC0415 - as above
    from tavolata_classics.tressette.rules import Tressette  # noqa: PLC0415 - as above

    return (
        Briscola,
        Cheat,
        Cucu,
        Draughts,
        Fictionary,
        Liars,
        Mercante,
        Scala40,
        Scopa,
        Settemezzo,
        Tombola,
        Tressette,
    )


@hookimpl
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Yield the bots, apart from `random`."""
    from tavolata_classics.briscola import bots as briscola  # noqa: PLC0415 - as above
    from tavolata_classics.cheat import bots as cheat  # noqa: PLC0415 - as above
    from tavolata_classics.cucu import bots as cucu  # noqa: PLC0415 - as above
    from tavolata_classics.draughts import bots as draughts  # noqa: PLC0415 - as above
    from tavolata_classics.fictionary import bots as fictionary  # noqa: PLC0415 - as above
    from tavolata_classics.liars import bots as liars  # noqa: PLC0415 - as above
    from tavolata_classics.mercante import bots as mercante  # noqa: PLC0415 - as above
    from tavolata_classics.scala40 import bots as scala40  # noqa: PLC0415 - as above
    from tavolata_classics.scopa import bots as scopa  # noqa: PLC0415 - as above
    from tavolata_classics.settemezzo import bots as settemezzo  # noqa: PLC0415 - as above
    from tavolata_classics.tombola import bots as tombola  # noqa: PLC0415 - as above
    from tavolata_classics.tressette import bots as tressette  # noqa: PLC0415 - as above

    games = {
        "briscola": briscola,
        "cheat": cheat,
        "cucu": cucu,
        "draughts": draughts,
        "fictionary": fictionary,
        "liars": liars,
        "mercante": mercante,
        "scala40": scala40,
        "scopa": scopa,
        "settemezzo": settemezzo,
        "tombola": tombola,
        "tressette": tressette,
    }
    return [(name, bot) for name, of in games.items() for bot in (of.EasyBot, of.NormalBot, of.HardBot)]
