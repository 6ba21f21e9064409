"""The commands `tt install` and `tt uninstall`, and the offer of `tt join` to install a table's game."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli.choosing import agreed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, PLUGIN, UsageError
from tavolata._cli.more_games import package_of
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.plugins.loader import NoSuchGame
from tavolata._engine.plugins.manifest import read_manifest, scan
from tavolata._text import one_line
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.network.joining import TableCard
    from tavolata._engine.plugins.installer import Installer


def install(
    context: CommandContext,
    name: Annotated[
        str | None,
        typer.Argument(help=N_("A package, such as tavolata-hearts or tavolata-hearts==1.2, or a game.")),
    ] = None,
    *,
    again: Annotated[
        bool, typer.Option("--again", help=N_("Reinstall packages that an upgrade of Tavolata removed."))
    ] = False,
) -> int:
    """Install a game."""
    from tavolata._engine.plugins.installer import installer, missing

    if again == (name is not None):
        raise UsageError(N_("Install what? Run tt install NAME, or tt install --again."))
    if name is not None:
        return install_package(context, name)
    dropped = missing()
    if not dropped:
        context.out(context.text(N_("All packages installed with `tt install` are in place.")))
        return FINISHED
    by = installer()
    return max(_add(context, by, package, word) for package, word in dropped.items())


def install_package(context: CommandContext, name: str) -> int:
    """Install one package, and say which games it brings.

    `name` is a package with or without its version, the folder or file of one, or a game in the list. Raise
    UsageError if there can be no such package, NotInstalled if it could not be installed.
    """
    from tavolata._engine.plugins.installer import installer, is_path
    from tavolata._engine.plugins.package_names import wanted

    word = package_of(name) or name
    package = wanted(word)
    if not package and not is_path(word):
        raise UsageError(
            N_("{name} isn't a package, nor a folder or file containing one."),
            name=one_line(name, 60),
        )
    if package and any(info.name == name for info in context.catalogue.infos()):
        raise UsageError(N_("{name} is already installed: tt play {name}"), name=name)
    return _add(context, installer(), package, word)


def uninstall(
    context: CommandContext,
    name: Annotated[str, typer.Argument(help=N_("An installed package, or a game from one."))],
) -> int:
    """Uninstall a game."""
    from tavolata._engine.plugins.installer import forget, installer, normal, plugins_of
    from tavolata._engine.plugins.package_names import wanted

    games = {info.name: info.distribution for info in context.catalogue.infos()}
    package = games.get(name) or package_of(name) or wanted(name)
    if not package or not plugins_of(package):
        forget(package or name)
        raise UsageError(
            N_("No game package called {name} is installed. See `tt plugins`."), name=one_line(name, 60)
        )
    if normal(package) == "tavolata":
        raise UsageError(N_("{name} is part of Tavolata and can't be uninstalled."), name=name)
    installer().uninstall(package)
    forget(package)
    context.out(context.text(N_("Uninstalled {name}."), {"name": package}))
    return FINISHED


def _add(context: CommandContext, by: Installer, package: str, word: str) -> int:
    """Install a package and keep that it was asked for; return its exit code."""
    from tavolata._engine.plugins.installer import plugins_of, remember

    before = {entry.distribution for entry in scan().plugins}
    context.note(context.text(N_("Installing {what} with {name}…"), {"what": word, "name": by.name}))
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
            context.text(N_("{what} is installed, but contains nothing for Tavolata."), {"what": word})
        )
        return PLUGIN
    version = metadata.version(found)
    context.out(context.text(N_("Installed {name} {version}."), {"name": found, "version": version}))
    for info in games:
        title = context.text(info.title, domain=info.package)
        context.out(context.text(N_("{title}: tt play {game}"), {"title": title, "game": info.name}))
    problems = [one for one in context.catalogue.problems() if one.distribution == found]
    for problem in problems:
        context.note(context.text(problem.message, problem.params))
    return PLUGIN if problems else FINISHED


NO_PACKAGE = N_(
    "{name} is hosting {game}, which isn't installed here. Ask {name} which package it's in, then run tt "
    "install."
)
SAYS = N_(
    "{name} is hosting {game}, which isn't installed here. {name} says it's in the package "
        "\"{package}\". If you trust that, run tt install \"{package}\" and join again."
)  # fmt: skip
KNOWN = N_(
    "{name} is hosting {game}, which isn't installed here. Run tt install {game} (package "
        "\"{package}\"), then join again."
)  # fmt: skip
OFFER = N_(
    "{game} isn't installed here. {name} says it's in the package \"{package}\". A package can do "
        "anything you can do on this computer: install only what you trust. Install it?"
)  # fmt: skip
OFFER_KNOWN = N_('{name} is hosting {game}, which isn\'t installed here. Install the package "{package}"?')


class GameWanted(NoSuchGame):
    """The table of this card plays a game that is not installed here."""

    def __init__(self, card: TableCard) -> None:
        known = package_of(card.game)
        package = known or _named(card)
        message = KNOWN if known else SAYS if package else NO_PACKAGE
        super().__init__(message, name=card.name, game=card.game, package=package)
        self.card = card


def offer_to_install(context: CommandContext, card: TableCard) -> None:
    """Ask whether to install the game of a table, and do so.

    The package is the one of the list of games if that has the game, otherwise the one that the host names,
    in the version that the host has. Nothing else that the host says counts.

    Raises:
        GameWanted: there is nobody to ask, no package, or the answer is no.
        NotInstalled: it could not be installed.
    """
    wanted = GameWanted(card)
    package = str(wanted.params["package"])
    offer = OFFER_KNOWN if package_of(card.game) else OFFER
    if not (package and context.on_terminal and agreed(context, context.text(offer, wanted.params))):
        raise wanted
    install_package(context, package)
    if all(info.name != card.game for info in context.catalogue.infos()):
        raise NoSuchGame(
            N_("{package} is installed, but has no playable game called {game}."),
            package=package, game=card.game,
        )  # fmt: skip


def _named(card: TableCard) -> str:
    """Return the package that a host names, in its version, as an installer takes it; "" if it names none."""
    exact = f"=={card.package_version}" if card.package_version else ""
    return card.distribution and f"{card.distribution}{exact}"
