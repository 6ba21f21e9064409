"""From the words of a command line to a command: which one it is, and running it under Typer.

Only dispatch may live here. Typer is imported when there is something to parse: `tt --help` and
bare words do without.
"""

from __future__ import annotations

import os
import sys

from tavolata._cli.failures import FINISHED, UsageError, report
from tavolata._cli.session import Session, config_path
from tavolata._cli.settings import likely_language, take_flags
from tavolata.messages import N_

TYPE_CHECKING = False  # not from typing, which costs more than this module
if TYPE_CHECKING:
    from tavolata._cli.failures import Say

HELP = ("-h", "--help")


def run(words: list[str]) -> int:
    """Run one command line; every error ends here as a sentence and an exit code."""
    session: Session | None = None
    try:
        _never_fail_to_print()
        flags, rest = take_flags(words)
        helps = asks_for_help(rest)
        session = Session(flags, os.environ, forgiving=helps or rest[:1] == ["doctor"])
        if helps and session.fault is not None:
            report(session.fault, session.text)
        code = dispatch(rest, session)
        sys.stdout.flush()  # a reader that went away is noticed here, not at the interpreter's end
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place that turns errors into sentences
        return report(error, session.text if session else _text(words))
    return code


def asks_for_help(words: list[str]) -> bool:
    """Whether these words (without global flags) only want to read how something is used."""
    return any(word in HELP for word in (words[: words.index("--")] if "--" in words else words))


def _text(words: list[str]) -> Say:
    """How to say what is wrong with the settings: in the language they want, as far as that is known."""
    from tavolata._ui.i18n import Translator, UnknownLanguage, choose_language

    try:
        lang = choose_language(likely_language(words, os.environ, config_path()), os.environ)
    except UnknownLanguage:
        lang = choose_language(None, os.environ)
    return Translator(lang).text


def dispatch(words: list[str], session: Session) -> int:
    """Find the command that these words (without global flags) name, and run it.

    Raises:
        UsageError: there is no such command.
    """
    if not words and session.face == "tui":
        from tavolata._cli.home import home

        return home(session, dispatch)
    if not words or words[0] in HELP:
        from tavolata._cli.help import print_help

        print_help(session)
        return FINISHED
    name = words[0]
    if name.startswith("-"):
        raise UsageError(N_("There is no option {name}; `tt --help` lists all."), name=name)
    from tavolata._cli.bare import run_bare

    done = run_bare(name, words[1:], session)
    if done is not None:
        return done
    from tavolata._cli.launch import app_of, execute

    return execute(app_of(name, session), name, words[1:], session)


def _never_fail_to_print() -> None:
    # A card symbol on an old Windows code page is shown as "?", not as a traceback.
    for stream in (sys.stdout, sys.stderr):
        encoding = getattr(stream, "encoding", None) or "utf-8"
        if not encoding.lower().startswith("utf") and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
