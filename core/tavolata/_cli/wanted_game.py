"""The offer of `tt join` to install the game of a table that is not here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tavolata._cli.choosing import agreed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.more_games import package_of
from tavolata._engine.plugins.catalogue import NoSuchGame
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.network.joining import TableCard

NO_PACKAGE = N_("{name} plays {game}, which is not installed here, and names no package that has it.")
SAYS = N_(
    "{name} plays {game}, which is not installed here. {name} says that the package \"{package}\" has it: if "
    "you trust that, tt install \"{package}\", then join again."
)  # fmt: skip
KNOWN = N_(
    "{name} plays {game}, which is not installed here. The package \"{package}\" has it: tt install {game}, "
    "then join again."
)  # fmt: skip
OFFER = N_(
    "{name} plays {game}, which is not installed here. {name} says that the package \"{package}\" has it. A "
    "package is a program that can do all that you can: take only one that you trust. Install it?"
)  # fmt: skip
OFFER_KNOWN = N_('{name} plays {game}, which is not installed here. Install "{package}", which has it?')


class GameWanted(NoSuchGame):
    """A table plays a game that is not installed here.

    Attributes:
        card: the card of the table.
    """

    def __init__(self, card: TableCard) -> None:
        known = package_of(card.game)
        package = known or _named(card)
        message = KNOWN if known else SAYS if package else NO_PACKAGE
        super().__init__(message, name=card.name, game=card.game, package=package)
        self.card = card


def offer_to_install(context: CommandContext, card: TableCard) -> None:
    """Ask whether to install the game of a table, and do so.

    The package is the one of the list of games if that has the game, else the one that the host names, in the
    version that the host has. Nothing else that the host says counts.

    Raises:
        GameWanted: there is nobody to ask, no package, or the answer is no.
        NotInstalled: it could not be installed.
    """
    from tavolata._cli.install import install_package

    wanted = GameWanted(card)
    package = str(wanted.params["package"])
    offer = OFFER_KNOWN if package_of(card.game) else OFFER
    if not (package and context.on_terminal and agreed(context, context.text(offer, wanted.params))):
        raise wanted
    install_package(context, package)
    if all(info.name != card.game for info in context.catalogue.infos()):
        raise NoSuchGame(
            N_("{package} is installed, but brings no game {game} that can be played here."),
            package=package, game=card.game,
        )  # fmt: skip


def _named(card: TableCard) -> str:
    """The package that a host names, in its version, as an installer takes it; "" if it names none."""
    exact = f"=={card.package_version}" if card.package_version else ""
    return card.distribution and f"{card.distribution}{exact}"
