"""The commands `tt simulate` and `tt check`, for authors of games and bots."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERNAL
from tavolata._cli.parameters import GameName, HouseRules, TeamCount
from tavolata._cli.playing import in_words_of, option_words
from tavolata.messages import N_, NN_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tavolata.outcome import Outcome

SHARE = NN_(
    "{level} at {n} of {all} seats: {share} % of the matches won (95 %: {low} to {high} %)",
    "{level} at {n} of {all} seats: {share} % of the matches won (95 %: {low} to {high} %)",
)
LENGTH = N_("{games} matches, {entries} entries each on average, {speed} matches a second")
MEAN = N_("  {title}: {mean} on average")
POINTS = N_("Points")
FAILED = N_("{failed} of {checks} checks failed.")
PASSED = N_("All {checks} checks passed.")


def simulate(
    context: CommandContext,
    game: GameName,
    *,
    bots: Annotated[
        str,
        typer.Option(
            help=N_("The bots by level, one for each seat: easy,normal."), autocompletion=completions.levels
        ),
    ],
    games: Annotated[int, typer.Option(help=N_("How many matches."), min=1)] = 1000,
    teams: TeamCount = 0,
    option: HouseRules = None,
    seed: Annotated[int, typer.Option(help=N_("The seed of the first match; the others follow."))] = 0,
) -> None:
    """Play many matches between bots."""
    from time import perf_counter

    from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
    from tavolata._engine.match.seating import check_seats, check_teams, known_level
    from tavolata._engine.match.simulate import play
    from tavolata._ui.levels import level_text
    from tavolata.options import problems_of, refuse_first

    loaded = context.catalogue.game(game)
    known = context.catalogue.bots(loaded.info.name)
    levels = [known_level(word.strip(), known) for word in bots.split(",")]
    check_seats(loaded.game, len(levels))
    check_teams(loaded.game.teams, loaded.info.name, teams, len(levels))
    with in_words_of(loaded.info.package):
        options = loaded.game.options.parse({**loaded.game.alone, **option_words(option)})
        refuse_first(problems_of(options, len(levels)))
    won, means = dict.fromkeys(levels, 0.0), Means()
    entries = 0
    start = perf_counter()
    for number in range(games):
        # Seats rotate, so that no bot wins because of its seat.
        order = [levels[(place + number) % len(levels)] for place in range(len(levels))]
        try:
            played = play(loaded.game, options, [known[level]() for level in order], seed + number, teams)
        except Exception as error:
            if is_rules_fault(error, loaded.game):
                raise rules_fault(error, loaded.game) from error
            raise
        entries += len(played.log)
        means.add(played.outcome, order)
        for winner in played.outcome.winners:
            won[order[winner]] += 1 / len(played.outcome.winners)
    seconds = perf_counter() - start
    for level, wins in won.items():
        seats = levels.count(level)
        bottom, top = _interval(wins, games)
        shown = {"level": level_text(level), "n": seats, "all": len(levels)}
        shown["share"] = f"{100 * wins / games:.1f}"
        context.out(context.text(SHARE, {**shown, "low": f"{bottom:.1f}", "high": f"{top:.1f}"}))
        for message, mean in means.of(level):
            told = {"title": context.text(message, domain=loaded.info.package), "mean": f"{mean:.1f}"}
            context.out(context.text(MEAN, told))
    speed = {"games": games, "entries": f"{entries / games:.1f}", "speed": f"{games / seconds:.0f}"}
    context.note(context.text(LENGTH, speed))


class Means:
    """The means of points and of the game's statistics, by the level of the bots that made them."""

    def __init__(self) -> None:
        self._made: dict[str, dict[str, tuple[int, int]]] = {}

    def add(self, outcome: Outcome, levels: Sequence[str]) -> None:
        """Count an outcome, in which bots of these levels had the seats; where there is no number, none."""
        points = {} if outcome.scores is None else {POINTS: outcome.scores}
        for message, row in {**points, **outcome.statistics}.items():
            for level, number in zip(levels, row, strict=True):
                if number is not None:
                    made = self._made.setdefault(level, {})
                    total, many = made.get(message, (0, 0))
                    made[message] = total + number, many + 1

    def of(self, level: str) -> list[tuple[str, float]]:
        """The means of a level by message id."""
        return [(message, total / many) for message, (total, many) in self._made.get(level, {}).items()]


def _interval(wins: float, games: int) -> tuple[float, float]:
    """Wilson's confidence interval of a share, in percent."""
    z, share = 1.96, wins / games
    middle = share + z * z / (2 * games)
    reach = z * (share * (1 - share) / games + z * z / (4 * games * games)) ** 0.5
    scale = 100 / (1 + z * z / games)
    return max(0.0, (middle - reach) * scale), min(100.0, (middle + reach) * scale)


def check(
    context: CommandContext,
    game: GameName,
    *,
    matches: Annotated[
        int | None, typer.Option(help=N_("At most so many matches for each check."), min=1)
    ] = None,
) -> int:
    """Try a game by all the rules for games."""
    from tavolata.testing import check_game
    from tavolata.testing.battery import Result, follow_playthroughs
    from tavolata.testing.cases import USUAL_BOTS
    from tavolata.testing.checks.check import MATCHES

    loaded = context.catalogue.game(game)
    bots = dict.fromkeys([*USUAL_BOTS, *context.catalogue.bots(loaded.info.name).values()])

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
