"""The commands `tt install` and `tt uninstall`, which add and remove the packages of games."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, PLUGIN, UsageError
from tavolata._cli.more_games import package_of
from tavolata._text import one_line
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.plugins.installer import Installer


def install(
    context: CommandContext,
    name: Annotated[
        str | None,
        typer.Argument(help=N_("A package, such as tavolata-hearts or tavolata-hearts==1.2, or a game.")),
    ] = None,
    *,
    again: Annotated[
        bool, typer.Option("--again", help=N_("Install anew what an upgrade of Tavolata has dropped."))
    ] = False,
) -> int:
    """Install a game that somebody has published."""
    from tavolata._engine.plugins.installer import installer, missing

    if again == (name is not None):
        raise UsageError(N_("Say what to install: tt install NAME, or tt install --again."))
    if name is not None:
        return install_package(context, name)
    dropped = missing()
    if not dropped:
        context.out(context.text(N_("Everything that was installed by `tt install` is here.")))
        return FINISHED
    by = installer()
    return max(_add(context, by, package, word) for package, word in dropped.items())


def install_package(context: CommandContext, name: str) -> int:
    """Install one package, and say which games it brings.

    Args:
        context: the run of `tt`.
        name: a package with or without its version, the folder or file of one, or a game in the list.

    Raises:
        UsageError: there can be no such package.
        NotInstalled: it could not be installed.
    """
    from tavolata._engine.plugins.installer import installer, is_path
    from tavolata._engine.plugins.package_names import wanted

    word = package_of(name) or name
    package = wanted(word)
    if not package and not is_path(word):
        raise UsageError(
            N_("{name} is neither the name of a package nor a folder or file of one."),
            name=one_line(name, 60),
        )
    if package and any(info.name == name for info in context.catalogue.infos()):
        raise UsageError(N_("{name} is here already: tt play {name}"), name=name)
    return _add(context, installer(), package, word)


def uninstall(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help=N_("A package that was installed, or a game of it."))],
) -> int:
    """Remove a game that was installed."""
    from tavolata._engine.plugins.installer import forget, installer, normal, plugins_of
    from tavolata._engine.plugins.package_names import wanted

    games = {info.name: info.distribution for info in context.catalogue.infos()}
    package = games.get(name, wanted(name))
    if not package or not plugins_of(package):
        forget(package or name)
        raise UsageError(
            N_("No package {name} with games is here; `tt plugins` lists them."), name=one_line(name, 60)
        )
    if normal(package) == "tavolata":
        raise UsageError(N_("{name} comes with Tavolata itself and stays."), name=name)
    installer().uninstall(package)
    forget(package)
    context.out(context.text(N_("{name} is removed."), {"name": package}))
    return FINISHED


def _add(context: CommandContext, by: Installer, package: str, word: str) -> int:
    """Install a package and keep that it was asked for; its exit code."""
    from tavolata._engine.plugins.catalogue import Catalogue
    from tavolata._engine.plugins.installer import plugins_of, remember
    from tavolata._engine.plugins.manifest import read_manifest, scan

    before = {entry.distribution for entry in scan().plugins}
    context.note(context.text(N_("Installing {what} with {name} …"), {"what": word, "name": by.name}))
    by.install(word)
    manifest = read_manifest(fresh=True)
    new = (one.distribution for one in manifest.plugins if one.distribution not in before)
    found = package or next(new, "")
    if found:
        remember(found, word)
    context.catalogue = Catalogue(manifest)
    games = [info for info in context.catalogue.infos() if found and info.distribution == found]
    if not found or not plugins_of(found):
        context.note(
            context.text(N_("{what} is installed, but brings nothing for Tavolata."), {"what": word})
        )
        return PLUGIN
    version = metadata.version(found)
    context.out(context.text(N_("{name} {version} is installed."), {"name": found, "version": version}))
    for info in games:
        title = context.text(info.title, domain=info.package)
        context.out(context.text(N_("{title}: tt play {game}"), {"title": title, "game": info.name}))
    problems = [one for one in context.catalogue.problems() if one.distribution == found]
    for problem in problems:
        context.note(context.text(problem.message, problem.params))
    return PLUGIN if problems else FINISHED
