"""Hook specifications: every hook of Tavolata. A plugin implements them with `@hookimpl`.

A plugin is a module (or package) named by an entry point of the group `tavolata`:

    [project.entry-points.tavolata]
    scopa = "tavolata_scopa"
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pluggy

from tavolata._players import Bot
from tavolata.game import Game

if TYPE_CHECKING:
    import typer

GROUP = "tavolata"
"""The entry-point group in which plugins are found, and the name of the pluggy project."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


@hookspec
def tavolata_games() -> Iterable[type[Game[Any]]]:
    """Return the games of this plugin.

    The loader calls it once, when a command needs this plugin's games. Each class has a unique `name`. If two
    plugins claim the same name, both games are left out and reported.
    """
    raise NotImplementedError


@hookspec
def tavolata_bots() -> Iterable[tuple[str, type[Bot]]]:
    """Bots as pairs (name of a game, class of the bot); the game may belong to another plugin.

    The loader calls it once, when a command seats bots. A bot's `level` is unique for its game.
    """
    raise NotImplementedError


@hookspec
def tavolata_commands(app: typer.Typer) -> None:
    """Add commands to `tt`.

    The loader calls it only if the first word of the command line isn't a command of the core, and for
    `tt plugins`. A command with the name of a core command is left out and reported. Its `typer.Context` has
    the run in `obj`: with `--ui json` only `obj.data` and `obj.out` write to stdout, and prints go to stderr.

    Args:
        app: the Typer application to which commands are added.
    """
    raise NotImplementedError
