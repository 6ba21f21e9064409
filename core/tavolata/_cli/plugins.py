"""The command `tt plugins`, which lists the plugins, their packages, and why a plugin was left out."""

from __future__ import annotations

from tavolata._cli.app import plugin_commands
from tavolata._cli.command_context import CommandContext
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.manifest import read_manifest
from tavolata.messages import N_

FROM = N_("{name}: {distribution} {version}, {value} in {where}")
BRINGS = {
    "games": N_("games: {names}"),
    "bots": N_("bots: {names}"),
    "commands": N_("commands: {names}"),
}
NOTHING = N_("No plugin is installed.")


def plugins(context: CommandContext) -> None:
    """List plugins, and why one was left out."""
    catalogue = Catalogue(read_manifest(fresh=True))  # only this command never uses the cache
    plugin_commands(catalogue)
    problems = catalogue.problems()
    if context.frontend == "json":
        for plugin in catalogue.plugins():
            context.data("plugin", {**plugin.entry._asdict(), **plugin.brings})
        for problem in problems:
            context.data("problem", {"plugin": problem.plugin, "sentence": problem.sentence})
        return
    for plugin in catalogue.plugins():
        context.out(context.text(FROM, plugin.entry._asdict()))
        for kind, names in plugin.brings.items():
            if names:
                context.out("  " + context.text(BRINGS[kind], {"names": ", ".join(names)}))
    if not catalogue.plugins():
        context.out(context.text(NOTHING))
    if problems:
        context.out()
    # If several plugins claim one name, each has the same sentence; it is printed once.
    for sentence in dict.fromkeys(context.text(problem.message, problem.params) for problem in problems):
        context.out(sentence)
