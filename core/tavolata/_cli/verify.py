"""The command `tt verify`, which checks a match from its file without trusting any of its players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED
from tavolata._cli.match_files import header_of, match_file
from tavolata._cli.parameters import MatchFile
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.header import Header
    from tavolata._engine.review.findings import Findings


MatchBefore = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|ID",
        help=N_("The match that this one goes on from without the missing: check that it does."),
        autocompletion=completions.kept_matches,
    ),
]


def verify(
    context: CommandContext,
    file: MatchFile = None,
    after: MatchBefore = None,
) -> int:
    """Check a match: signatures, dealing, rules."""
    from tavolata._engine.review.verify import check_after

    header, found = _checked(context, file)
    if after is not None:
        before, of_before = _checked(context, after)
        check_after(header, before, of_before)
        found.told += of_before.told[-1:]
    for message, params in found.told:
        context.out(context.text(message, params))
    context.out(context.text(N_("Nothing is wrong with this match."), {}))
    return FINISHED


def _checked(context: CommandContext, file: str | None) -> tuple[Header, Findings]:
    """The header of a match, and what the check of its file has found.

    Raises:
        Wrong: something is not as it should be.
    """
    from tavolata._engine.review.verify import check

    kept = match_file(file)
    header = header_of(kept)
    loaded = context.catalogue.played(header.game, header.version)
    context.note(context.text(N_("Checking {path} …"), {"path": kept.path}))
    return header, check(kept, header, loaded.game)
