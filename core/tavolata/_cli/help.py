"""The page that `tt --help` and a bare `tt` print, made from the table of commands.

Typer does not print it: importing that would take most of what `tt --help` may cost.
"""

from __future__ import annotations

from tavolata._cli.commands import COMMANDS
from tavolata._cli.session import Session
from tavolata.messages import N_

WELCOME = N_("Tavolata, a tabletop for the terminal.")
USAGE = N_("Usage: tt COMMAND [OPTIONS] [ARGUMENTS]")
COMMANDS_TITLE = N_("Commands:")
OPTIONS_TITLE = N_("Options, before or after the command:")
CLOSING = N_("`tt COMMAND --help` says more about one; plugins may bring others, see `tt plugins`.")

OPTIONS = {
    "--ui auto|tui|plain|json": N_("How to show things; plain whenever there is no terminal."),
    "--lang LANGUAGE": N_("The language: {languages}."),
    "--ascii": N_("Use nothing but ASCII to draw."),
    "--no-color": N_("No colours (NO_COLOR does the same)."),
    "--screen-reader": N_("Plain lines, each with what it is first."),
    "-q, -v": N_("Say less, say more."),
    "--version": N_("Print the version."),
    "-h, --help": N_("Print this page."),
}


def print_help(session: Session) -> None:
    """Print the page to stdout in the person's language."""
    from tavolata._ui.i18n import languages

    values = {"languages": ", ".join(languages())}
    width = max(map(len, [*COMMANDS, *OPTIONS])) + 2

    def rows(lines: dict[str, str]) -> None:
        for name, text in lines.items():
            session.out(f"  {name:<{width}}{session.text(text, values)}")

    session.out(session.text(WELCOME))
    session.out()
    session.out(session.text(USAGE))
    session.out()
    session.out(session.text(COMMANDS_TITLE))
    rows({name: text for name, (_, text) in COMMANDS.items()})
    session.out()
    session.out(session.text(OPTIONS_TITLE))
    rows(OPTIONS)
    session.out()
    session.out(session.text(CLOSING))
