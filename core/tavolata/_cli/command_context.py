"""The context of a command: settings, language, plugins and output of one run of `tt`.

A command of the core gets a `CommandContext` as its first argument; a plugin's command finds it as
`ctx.obj`. The terminal, the catalogue and the language are looked up when they are first needed.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from io import TextIOWrapper
from typing import TYPE_CHECKING, TextIO

from tavolata import _dirs
from tavolata._cli.console import obeys_escapes
from tavolata._cli.failures import UsageError
from tavolata._cli.settings import from_config, from_environment, read_config
from tavolata._streams import kept_apart, put
from tavolata._text import Clean
from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language
from tavolata.errors import MessageError

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import Catalogue


def config_path() -> str:
    """Return the path of the config file, even if it doesn't exist."""
    return os.path.join(_dirs.config_dir(), "config.toml")


class CommandContext:
    """One run of `tt`.

    A `forgiving` context ignores a config file that can't be understood, and keeps the error as `fault`.
    `frontend` and `color` are derived from the settings; `flags` are those of the command line, `words` the
    rest of it. `escapes` is True if a terminal obeys escape sequences.
    """

    def __init__(
        self, flags: Mapping[str, str], environ: Mapping[str, str], *, forgiving: bool = False
    ) -> None:
        path = config_path()
        self.flags, self.config_path = flags, path
        self.words: Sequence[str] = ()
        self.escapes = obeys_escapes()
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
                kept = {"lang": str(self.config["lang"])}  # the error is reported in this language, too
        self.settings = {**kept, **from_environment(environ), **flags}
        self.environ = environ
        self._streams: tuple[TextIO, TextIO] | None = None
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
    def stdin(self) -> TextIO | None:
        return sys.stdin if self._streams is None else self._streams[0]

    @property
    def stdout(self) -> TextIO:
        return sys.stdout if self._streams is None else self._streams[1]

    @contextmanager
    def keeping_streams(self) -> Iterator[None]:
        """Keep `stdin` and `stdout`, in UTF-8 for JSON; a game prints to stderr, and reads nothing."""
        with kept_apart() as streams:
            self._streams = streams
            for stream in streams if self.ui == "json" else ():
                if isinstance(stream, TextIOWrapper):
                    stream.reconfigure(encoding="utf-8", errors="replace")
            try:
                yield
            finally:
                self._streams = None

    @property
    def frontend(self) -> str:
        """The frontend to show: "tui", "plain" or "json".

        It is always plain where stdin or stdout isn't a terminal or the terminal is dumb, because
        a full screen would hang there. A screen reader gets the plain frontend, too.
        """
        if self.ui == "json":
            return "json"
        drawn = self.ui != "plain" and not self.screen_reader
        return "tui" if drawn and self.on_terminal else "plain"

    @property
    def on_terminal(self) -> bool:
        """True if stdin and stdout are a terminal that can do more than print lines."""
        terminal = all(one is not None and one.isatty() for one in (self.stdin, self.stdout))
        return terminal and self.environ.get("TERM") != "dumb"

    @property
    def think(self) -> float:
        """The seconds that a bot waits when people watch at a terminal; with a pipe it does not wait."""
        return 0.8 if self.on_terminal else 0.0

    @property
    def color(self) -> bool:
        """True if output may be coloured: the setting decides, otherwise only a terminal gets colours."""
        return self.settings.get("color", "yes" if self.on_terminal and self.escapes else "no") == "yes"

    @cached_property
    def translator(self) -> Translator:
        return Translator(self.lang)

    def text(self, message: str, params: Mapping[str, object] | None = None, domain: str = "") -> str:
        """Return a message in the person's language; `domain` is the package of the game that defines it."""
        return self.translator.text(message, params or {}, domain)

    @cached_property
    def catalogue(self) -> Catalogue:
        from tavolata._engine.plugins.catalogue import Catalogue

        return Catalogue()

    def let_think(self, seconds: float | None) -> None:
        if seconds is not None:
            self.catalogue.seconds = seconds

    def out(self, line: str = "") -> None:
        """Print a line of the result, broken between words at a terminal; a screen reader reads it whole."""
        self._put(line, self.stdout)

    def out_as_it_is(self, text: str) -> None:
        """Print a result whose lines are laid out already, or are for a program to read."""
        put(text, self.stdout)

    def data(self, kind: str, facts: Mapping[str, object]) -> None:
        """Print a line of the result for programs, as JSON; `kind` is its type."""
        import json

        put(json.dumps({"type": kind, **facts}, ensure_ascii=False), self.stdout, flush=True)

    def note(self, line: str) -> None:
        """Print a line that is not part of the result, on stderr; a screen reader reads it whole."""
        self._put(line, sys.stderr)

    def _put(self, line: str, file: TextIO) -> None:
        from tavolata._ui.wrapping import fitted

        put(line if self.screen_reader or isinstance(line, Clean) else fitted(line, file), file)

    @property
    def defaults(self) -> dict[str, dict[str, object]]:
        """The defaults for the options of each command: the table of its name in the config file."""
        return {
            command: {str(name).replace("-", "_"): _as_typed(value) for name, value in table.items()}
            for command, table in self.config.items()
            if isinstance(table, dict)
        }


def _as_typed(value: object) -> object:
    """Return a config value as it would be typed: Typer would round a number or trip over a date."""
    return value if isinstance(value, bool | str | list | dict) else str(value)
