"""The command `tt check`, for authors of games."""

from __future__ import annotations

import io
import tokenize
from pathlib import Path
from typing import Annotated

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERNAL, UsageError
from tavolata._cli.parameters import GameName, number
from tavolata._trouble import trouble
from tavolata.messages import N_

FAILED = N_("{failed} of {checks} checks failed.")
PASSED = N_("All {checks} checks passed.")
RENAMED = N_("{file}, line {line}: {old} is now {new}.")
NOTHING = N_("Nothing to rename in {file}.")
UNWRITTEN = N_("Couldn't update {file}: {problem}.")
NO_PYTHON = N_("{file}, line {line}, isn't valid Python. Fix that first.")


def check(
    context: CommandContext,
    game: GameName,
    *,
    matches: Annotated[int | None, number(text=N_("At most so many matches for each check."), low=1)] = None,
    rename: Annotated[
        bool, typer.Option("--rename", help=N_("Update a file's renamed words instead."))
    ] = False,
) -> int:
    """Try a game by all the rules for games."""
    if rename:
        return _rename(context, game)
    from tavolata.testing import check_game
    from tavolata.testing.battery import Result, follow_playthroughs
    from tavolata.testing.cases import USUAL_BOTS
    from tavolata.testing.checks.check import MATCHES

    loaded = context.catalogue.game(game)
    bots = dict.fromkeys([*USUAL_BOTS, *context.catalogue.written_bots(loaded.info.name).values()])

    def progress(step: object) -> None:
        if isinstance(step, Result):
            context.out(str(step))

    report = check_game(
        loaded.game, bots=tuple(bots), matches=MATCHES if matches is None else matches, progress=progress
    )
    for followed in follow_playthroughs(loaded.game):
        report.results.append(followed)
        progress(followed)
    counts = {"checks": len(report.results), "failed": sum(not result.passed for result in report.results)}
    context.note(context.text(PASSED if report.passed else FAILED, counts))
    return FINISHED if report.passed else INTERNAL


def _rename(context: CommandContext, file: str) -> int:
    from tavolata.testing.renaming import renamed

    path = Path(file)
    try:
        before = path.read_bytes()
        coding, _ = tokenize.detect_encoding(io.BytesIO(before).readline)
        after, found = renamed(before.decode(coding))
        if found:
            path.write_bytes(after.encode(coding))
    except (OSError, UnicodeError) as error:
        raise UsageError(UNWRITTEN, file=file, problem=trouble(error)) from error
    except (SyntaxError, ValueError) as error:  # ValueError: zero bytes
        raise UsageError(NO_PYTHON, file=file, line=getattr(error, "lineno", None) or 1) from error
    for one in found:
        context.out(context.text(RENAMED, {"file": file, "line": one.line, "old": one.old, "new": one.new}))
    if not found:
        context.note(context.text(NOTHING, {"file": file}))
    return FINISHED
