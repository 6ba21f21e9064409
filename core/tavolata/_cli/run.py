"""One run of `tt`: its settings, its command, and the one place where errors end."""

from __future__ import annotations

import os
import sys

from tavolata._cli.command_context import CommandContext, config_path
from tavolata._cli.command_group import execute
from tavolata._cli.failures import Say, report
from tavolata._cli.settings import likely_language, take_flags
from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language


def run(words: list[str]) -> int:
    """Run one command line; every error ends here as a sentence and an exit code."""
    context: CommandContext | None = None
    try:
        _never_fail_to_print()
        flags, rest = take_flags(words)
        helps = asks_for_help(rest)
        context = CommandContext(flags, os.environ, forgiving=helps or rest[:1] == ["doctor"])
        if helps and context.fault is not None:
            report(context.fault, context.text)
        code = dispatch(rest, context)
        sys.stdout.flush()  # a reader that went away is noticed here, not at the interpreter's end
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place that turns errors into sentences
        return report(error, context.text if context else _text(words))
    return code


def asks_for_help(words: list[str]) -> bool:
    """Whether these words (without global flags) only want to read how something is used."""
    return any(word in ("-h", "--help") for word in (words[: words.index("--")] if "--" in words else words))


def _text(words: list[str]) -> Say:
    """How to say what is wrong with the settings: in the language they want, as far as that is known."""
    try:
        lang = choose_language(likely_language(words, os.environ, config_path()), os.environ)
    except UnknownLanguage:
        lang = choose_language(None, os.environ)
    return Translator(lang).text


def dispatch(words: list[str], context: CommandContext) -> int:
    """Run the command that these words (without global flags) name; the home screen if there are none.

    Raises:
        UsageError: there is no such command, or the words do not fit it.
    """
    if not words and context.face == "tui":
        from tavolata._cli.home import home

        return home(context, dispatch)
    return execute(words, context)


def _never_fail_to_print() -> None:
    # What was closed by whoever started `tt` (`tt games >&-`) is a sink, not a None that has no `write`.
    sys.stdout = sys.stdout or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as we run
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open as long as we run
    # A card symbol on an old Windows code page is shown as "?", not as a traceback.
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if not encoding.lower().startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
