"""Every hook of Tavolata, typed and documented. A plugin implements them with `@hookimpl`.

A plugin is a module (or package) named by an entry point of the group `tavolata`:

    [project.entry-points.tavolata]
    scopa = "tavolata_scopa"

Nothing but hook specifications may live here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

from tavolata.bots import Bot
from tavolata.game import Game

if TYPE_CHECKING:
    import typer

GROUP = "tavolata"
"""The entry-point group in which plugins are found, and the name of the pluggy project."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """The games that this plugin brings.

    Called once by the loader when a command needs this plugin's games. Each class has a `name` that
    no other plugin has taken: where two claim one name, both are left out and named.
    """
    raise NotImplementedError


@hookspec
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Bots as pairs (name of a game, class of the bot); the game may be another plugin's.

    Called once by the loader when a command seats bots. A bot's `level` is unique for its game.
    """
    raise NotImplementedError


@hookspec
def tavolata_commands(app: typer.Typer) -> None:
    """Add commands to `tt`.

    Called only for a command line whose first word is no command of the core, and for
    `tt plugins`; a command that has the name of a core command is left out and named.

    Args:
        app: the Typer application to which commands are added.
    """
    raise NotImplementedError
