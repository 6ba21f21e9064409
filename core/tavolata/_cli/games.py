"""The command `tt games`, which lists the installed games."""

from __future__ import annotations

import shutil
import textwrap
from dataclasses import asdict

from tavolata._cli.command_context import CommandContext
from tavolata.messages import N_

NOTHING_HERE = N_("There are no games here; `tt plugins` says why.")
SEATS = N_("{low} to {high} players")
SOME_LEFT_OUT = N_("Something was left out; `tt plugins` says what and why.")


def games(context: CommandContext) -> None:
    """List the games that can be played here."""
    found = context.catalogue.infos()
    if context.frontend == "json":
        for one in found:
            context.data("game", asdict(one))
        return
    width = max((len(one.name) for one in found), default=0)
    for one in found:
        title = context.text(one.title, domain=one.package)
        seats = context.text(SEATS, {"low": one.seats[0], "high": one.seats[1]})
        summary = context.text(one.summary, domain=one.package)
        line = f"{one.name:<{width}}  {title} ({seats}). {summary}".rstrip()
        for row in _rows(line, width + 2) if context.on_terminal else [line]:
            context.out(row)
        if context.verbosity > 0:
            brings = f"{one.plugin} ({one.distribution} {one.distribution_version})"
            context.out(f"{'':<{width}}  {one.version}, {brings}")
    if not found:
        context.out(context.text(NOTHING_HERE))
    elif context.verbosity >= 0 and not context.catalogue.whole:
        context.note(context.text(SOME_LEFT_OUT))


def _rows(line: str, hang: int) -> list[str]:
    """A line wrapped between words at the width of the terminal."""
    return textwrap.wrap(line, max(40, shutil.get_terminal_size().columns), subsequent_indent=" " * hang)
