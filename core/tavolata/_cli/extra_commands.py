"""Commands that plugins bring (hook `tavolata_commands`), under the same law as games.

A command that has the name of a core command is left out and named; of two plugins that bring one
command neither gets it. Only collecting and sorting them out may live here.
"""

from __future__ import annotations

import typer

from tavolata._cli.commands import COMMANDS
from tavolata._engine.plugins.catalogue import Catalogue, refused_to_all
from tavolata._engine.plugins.loader import Plugin
from tavolata.messages import N_


def new_app() -> typer.Typer:
    """An empty application that prints plainly and leaves errors to us."""
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )


def plugin_commands(catalogue: Catalogue) -> dict[str, typer.Typer]:
    """The commands of all plugins by name, each as an application of its own."""
    claims: dict[str, list[tuple[Plugin, typer.Typer]]] = {}
    for plugin in catalogue.plugins():
        offered = new_app()
        plugin.call("tavolata_commands", app=offered)
        for name, app in _split(offered).items():
            if name in COMMANDS:
                plugin.complain(N_("{plugin} brings a command {name}, which is Tavolata's own."), name=name)
            else:
                claims.setdefault(name, []).append((plugin, app))
    commands: dict[str, typer.Typer] = {}
    for name, owners in sorted(claims.items(), key=lambda claim: claim[0]):
        message = N_("The command {name} is brought by {owners}; uninstall all but one of them to use it.")
        if not refused_to_all(name, [owner for owner, _ in owners], message):
            plugin, commands[name] = owners[0]
            plugin.brings["commands"].append(name)
    return commands


def _split(app: typer.Typer) -> dict[str, typer.Typer]:
    found: dict[str, typer.Typer] = {}
    for command in app.registered_commands:
        one = new_app()
        one.registered_commands = [command]
        spoken = command.name or str(getattr(command.callback, "__name__", ""))
        found[spoken.lower().replace("_", "-")] = one
    for group in app.registered_groups:
        if isinstance(group.name, str) and group.typer_instance is not None:
            found[group.name] = group.typer_instance
    return found
