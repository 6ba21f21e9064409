"""The command `tt verify`, which checks a match from its file without trusting any of its players."""

from __future__ import annotations

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED
from tavolata._cli.match_files import header_of, match_file
from tavolata._cli.parameters import MatchFile
from tavolata.messages import N_


def verify(
    context: CommandContext,
    file: MatchFile = None,
) -> int:
    """Check a match: signatures, dealing, rules."""
    from tavolata._engine.review.verify import check

    kept = match_file(file)
    header = header_of(kept)
    loaded = context.catalogue.played(header.game, header.version)
    context.note(context.text(N_("Checking {path} …"), {"path": kept.path}))
    for message, params in check(kept, header, loaded.game).told:
        context.out(context.text(message, params))
    context.out(context.text(N_("Nothing is wrong with this match."), {}))
    return FINISHED
