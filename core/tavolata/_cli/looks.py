"""The appearance of the full screen, read from the settings of a context."""

from __future__ import annotations

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._ui.tui.model.director import PACES
from tavolata._ui.tui.screens.frame import Looks
from tavolata._ui.tui.widgets.themes import is_light
from tavolata.messages import N_

KNOWN = ("theme", "pace", "bell", "notify")


def looks_of(context: CommandContext) -> Looks:
    """Read the appearance from flags, the environment and the tables [screen] and [keys] of the config file.

    Raise UsageError if a setting has an invalid value.
    """
    table = context.config.get("screen", {})
    wanted = dict(table) if isinstance(table, dict) else {}
    for name in wanted:
        if name not in KNOWN:
            raise UsageError(
                N_("[screen]: no setting called {name}. Try: {known}."),
                name=name, known=", ".join(KNOWN),
            )  # fmt: skip
    if theme := context.environ.get("TT_THEME"):
        wanted["theme"] = theme
    theme = wanted.get("theme", "auto")
    if theme not in ("auto", "dark", "light"):
        raise UsageError(N_("The theme can be auto, dark or light, not {word}."), word=theme)
    pace = wanted.get("pace", "normal")
    if pace not in [*PACES]:  # it may be anything, even a list
        raise UsageError(
            N_("[screen]: pace must be one of {words}, not {word}."), words=", ".join(PACES), word=pace
        )
    return Looks(
        ascii=context.ascii,
        color=context.color,
        light=theme == "light" or (theme == "auto" and is_light(context.environ)),
        keys=context.config.get("keys"),
        pace=PACES[pace],
        bell=wanted.get("bell", True) is True,
        notify=wanted.get("notify", True) is True,
        environ=context.environ,
    )
