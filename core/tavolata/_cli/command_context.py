"""The context of a command: settings, language, plugins and output of one run of `tt`.

A `CommandContext` is the first argument of a command of the core; one of a plugin finds it as
`ctx.obj`. Decisions that need a terminal, a catalogue or a language are taken here when they are
first asked for, not before.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from functools import cached_property

from tavolata import _dirs
from tavolata._cli.failures import UsageError
from tavolata._cli.settings import from_config, from_environment, read_config
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language
from tavolata.errors import MessageError


def config_path() -> str:
    """Where the config file is, or would be."""
    return os.path.join(_dirs.config_dir(), "config.toml")


class CommandContext:
    """One run of `tt`.

    Args:
        flags: the settings that the command line sets.
        environ: the environment variables.
        forgiving: whether to go on without a config file that can't be understood.

    Attributes:
        ui, ascii, screen_reader, verbosity: as set; `face` and `color` say what follows from them.
        flags: as given.
        config, config_path: the whole config file, and where it is.
        fault: what is wrong with the config file, if that was forgiven.
    """

    def __init__(
        self, flags: Mapping[str, str], environ: Mapping[str, str], *, forgiving: bool = False
    ) -> None:
        path = config_path()
        self.flags, self.config_path = flags, path
        self.config: dict[str, object] = {}
        self.fault: MessageError | None = None
        kept: dict[str, str] = {}
        try:
            self.config = read_config(path)
            kept = from_config(self.config, path)
        except UsageError as error:
            if not forgiving:
                raise
            self.fault = error
            if isinstance(self.config.get("lang"), str):
                kept = {"lang": str(self.config["lang"])}  # what is wrong is said in it, too
        self.settings = {**kept, **from_environment(environ), **flags}
        self.environ = environ
        self.ui = self.settings.get("ui", "auto")
        self.ascii = self.settings.get("ascii") == "yes"
        self.screen_reader = self.settings.get("screen_reader") == "yes"
        self.verbosity = int(self.settings.get("verbosity", "0"))
        try:
            self.lang = choose_language(self.settings.get("lang"), environ)
        except UnknownLanguage as error:
            if not forgiving or self.settings["lang"] != kept.get("lang"):
                raise
            self.fault, self.lang = error, choose_language(None, environ)

    @property
    def face(self) -> str:
        """Which face to show: "tui", "plain" or "json".

        Plain wherever stdin or stdout is no terminal or the terminal is dumb, whatever was asked:
        a full screen would hang there. A screen reader is told lines, too.
        """
        if self.ui == "json":
            return "json"
        drawn = self.ui != "plain" and not self.screen_reader
        return "tui" if drawn and self.on_terminal else "plain"

    @property
    def on_terminal(self) -> bool:
        """Whether a person sits at a terminal that can do more than print lines."""
        streams = (sys.stdin, sys.stdout)
        terminal = all(one is not None and one.isatty() for one in streams)
        return terminal and self.environ.get("TERM") != "dumb"

    def address_for_others(self, address: str) -> str:
        """The address of a table that was joined at this one, as others reach it."""
        return address

    @property
    def color(self) -> bool:
        """Whether output may be coloured: as set, else on a terminal only."""
        return self.settings.get("color", "yes" if self.on_terminal else "no") == "yes"

    @cached_property
    def translator(self) -> Translator:
        """The catalogues of the chosen language."""
        return Translator(self.lang)

    def text(self, message: str, params: Mapping[str, object] | None = None, domain: str = "") -> str:
        """A message id in the person's language; `domain` is the package of the game that says it."""
        return self.translator.text(message, params or {}, domain)

    @cached_property
    def catalogue(self) -> Catalogue:
        """Games, bots and commands of the plugins that are installed."""
        return Catalogue()

    def out(self, line: str = "") -> None:
        """Print a line of the result."""
        print(line)

    def note(self, line: str) -> None:
        """Print a line that is no result: narration goes to stderr."""
        print(line, file=sys.stderr)

    @property
    def defaults(self) -> dict[str, dict[str, object]]:
        """What the config file says about the options of each command: its table there."""
        return {
            command: {str(name).replace("-", "_"): value for name, value in table.items()}
            for command, table in self.config.items()
            if isinstance(table, dict)
        }
