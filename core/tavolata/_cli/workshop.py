"""The command `tt check`, for authors of games."""

from __future__ import annotations

from typing import Annotated

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERNAL
from tavolata._cli.parameters import GameName, number
from tavolata.messages import N_

FAILED = N_("{failed} of {checks} checks failed.")
PASSED = N_("All {checks} checks passed.")


def check(
    context: CommandContext,
    game: GameName,
    *,
    matches: Annotated[int | None, number(text=N_("At most so many matches for each check."), low=1)] = None,
) -> int:
    """Try a game by all the rules for games."""
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
