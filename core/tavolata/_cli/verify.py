"""The command `tt verify`, which checks a match from its file without trusting any of its players."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UNFINISHED, exit_code
from tavolata._cli.match_files import check_code_of_match, header_of, match_file
from tavolata._cli.parameters import MatchFile, UnlikeThen
from tavolata._engine.match.header import Header, OtherRules
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.review.findings import Findings


UNCHECKED = N_("The rules weren't checked: {reason}")
MatchBefore = Annotated[
    str | None,
    typer.Option(
        metavar="FILE|ID",
        help=N_("Check that this match continues the given earlier one without the absent players."),
        autocompletion=completions.kept_matches,
    ),
]


def verify(
    context: CommandContext,
    file: MatchFile = None,
    after: MatchBefore = None,
    unlike: UnlikeThen = False,
) -> int:
    """Verify a match: signatures, deals, rules."""
    from tavolata._engine.review.verify import check_after

    header, found = _checked(context, file, unlike=unlike)
    if after is not None:
        before, of_before = _checked(context, after, unlike=unlike)
        check_after(header, before, of_before)
        found.told += of_before.told[-1:]
    for message, params in found.told:
        context.out(context.text(message, params))
    if found.without is not None:
        reason = context.text(found.without.message, found.without.params)
        context.out(context.text(UNCHECKED, {"reason": reason}))
        context.out(context.text(N_("No problems found in the part that could be checked."), {}))
        return exit_code(found.without)
    if found.is_unfinished:
        return UNFINISHED
    context.out(context.text(N_("Verified: no problems found."), {}))
    return FINISHED


def _checked(context: CommandContext, file: str | None, *, unlike: bool) -> tuple[Header, Findings]:
    """Return the header of a match, and the findings about its file; raise Wrong if something is amiss."""
    from tavolata._engine.plugins.loader import NoSuchGame
    from tavolata._engine.review.verify import check, check_without_rules

    kept = match_file(file)
    header = header_of(kept)
    context.note(context.text(N_("Checking {path}…"), {"path": kept.path}))
    try:
        loaded = context.catalogue.played(header.game, header.version)
        check_code_of_match(context, loaded, header, unlike=unlike)
        header.terms(loaded.game)
    except (OtherRules, NoSuchGame) as error:
        return header, check_without_rules(kept, header, error)
    return header, check(kept, header, loaded.game)
