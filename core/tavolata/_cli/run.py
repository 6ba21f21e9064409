"""One run of `tt`: reading its settings, running its command, and reporting errors."""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext, suppress
from typing import TextIO

from tavolata._cli.app import asks_for_help, execute
from tavolata._cli.command_context import CommandContext, config_path
from tavolata._cli.commands import PURE_OUTPUT
from tavolata._cli.completions import INSTALL, SHOW, VARIABLE, install
from tavolata._cli.failures import FINISHED, Say, report
from tavolata._cli.settings import likely_language, take_flags
from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language


def run(words: list[str]) -> int:
    """Run one command line; turn every error into a sentence and an exit code."""
    context: CommandContext | None = None
    try:
        _no_stream_is_missing()
        flags, rest = take_flags(words)
        helps = asks_for_help(rest)
        forgiving = helps or rest[:1] == ["doctor"] or VARIABLE in os.environ
        context = CommandContext(flags, os.environ, forgiving=forgiving)
        if helps and context.fault is not None:
            report(context.fault, context.text)
        code = dispatch(rest, context)
        sys.stdout.flush()  # a closed pipe is noticed here, not when the interpreter exits
    except BaseException as error:  # noqa: BLE001 - every error becomes a sentence, also a game's SystemExit
        return report(error, context.text if context else _text(words))
    return code


def _text(words: list[str]) -> Say:
    """Return the translation for an error in the settings, into the wanted language as far as it is known."""
    try:
        lang = choose_language(likely_language(words, os.environ, config_path()), os.environ)
    except (UnknownLanguage, OSError):
        lang = choose_language(None, os.environ)
    return Translator(lang).text


def dispatch(words: list[str], context: CommandContext) -> int:
    """Run the command that these words (without global flags) name; the home if there aren't any.

    Raise UsageError if there is no such command, or the words do not fit it.
    """
    if words in ([INSTALL], [SHOW]):
        install(context, words[0])
        return FINISHED
    if not words and context.on_terminal and context.frontend != "json" and VARIABLE not in os.environ:
        from tavolata._cli.home import home

        return home(context, dispatch)
    context.words = words
    named = words[0] if words else ""
    apart = bool(named) if context.frontend == "json" else named in PURE_OUTPUT
    with context.keeping_streams() if apart else nullcontext():
        return execute(words, context)


def _no_stream_is_missing() -> None:
    # A stream that the caller closed (`tt games 2>&-`) is None and has no `write`.
    sys.stdout = sys.stdout or _closed()
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as we run
    # On an old Windows code page a card symbol is printed as "?" instead of raising an error.
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if not encoding.lower().startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    with suppress(OSError):  # it was read from already
        if hasattr(sys.stdin, "reconfigure"):  # so a wrong byte ends neither match nor home
            sys.stdin.reconfigure(errors="replace")


def _closed() -> TextIO:
    """Return a stdout to replace a closed one: printing fails as it would there, so callers learn of it."""
    return open(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")  # reading alone is allowed
