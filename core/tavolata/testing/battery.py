"""The battery: all checks over one game, and the report of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tavolata.bots import Bot
from tavolata.errors import GameError
from tavolata.game import Game
from tavolata.testing.cases import USUAL_BOTS, CheckFailed, cases
from tavolata.testing.checks import ALL, Check
from tavolata.testing.checks.check import MATCHES
from tavolata.testing.playthrough import (
    PlaythroughDiffers,
    how_to_record,
    playthroughs_of,
    replay_playthrough,
)
from tavolata.testing.remarks import MATCHES as WATCHED
from tavolata.testing.remarks import Remark, remarks

BROKEN = (
    "with these rules, this match goes differently. If you didn't mean that, fix the rules. If you did, "
    "record it again, and if the game is published, raise `rules_id`, which is {0}:\n    {1}"
)


@dataclass(frozen=True)
class Result:
    """The result of one check.

    Attributes:
        about: what it proves.
        matches: how many matches were sampled.
        failure: why the game does not pass; None if it does.
    """

    check: str
    about: str
    matches: int
    failure: CheckFailed | None = None

    @property
    def passed(self) -> bool:
        """Return True if the game passes."""
        return self.failure is None

    def __str__(self) -> str:
        return f"ok    {self.check}" if self.failure is None else f"FAIL  {self.failure}"


@dataclass(frozen=True)
class Report:
    """The report of the battery: the results of all checks, in their order.

    Attributes:
        remarks: what is odd and fails nothing; looked for if all checks were run and none failed.
    """

    game: str
    results: list[Result] = field(default_factory=list)
    remarks: list[Remark] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        """Return True if the game passes all checks."""
        return all(result.passed for result in self.results)

    def expect(self) -> None:
        """Raise the first failure, a `CheckFailed`, if there is one."""
        for result in self.results:
            if result.failure is not None:
                raise result.failure

    def __str__(self) -> str:
        failed = sum(not result.passed for result in self.results)
        end = f"{self.game} passes all {len(self.results)} checks." if not failed else (
            f"{self.game} fails {failed} of {len(self.results)} checks."
        )  # fmt: skip
        return "\n".join([*map(str, self.results), *map(str, self.remarks), end])


def check_game(
    game: type[Game[Any]],
    *,
    bots: Sequence[type[Bot]] = USUAL_BOTS,
    matches: int = MATCHES,
    seed: int = 0,
    seats: int | None = None,
    options: Mapping[str, Any] | None = None,
    teams: int | None = None,
    only: Sequence[str] = (),
    progress: Callable[[Check | Result | Remark], object] | None = None,
) -> Report:
    """Run the battery over a game; it ends early where a check fails that the later ones build on.

    Args:
        game: its rules.
        bots: the classes of the bots, which are seated in turn; `(*USUAL_BOTS, MyBot)` adds your own bot.
        matches: the number of matches of a check with a share of 100.
        seed: the seed of the first match; the others get the following numbers.
        seats: the number of seats in each match; None for every number that the game allows.
        options: the house rules of each match; None for different ones.
        teams: how many teams play; None for with and without, where the game has teams.
        only: the names of the checks to run, as a list or in one text; all if none are named.
        progress: called with each check before, and with its result after it has run; then with each remark.

    Raises:
        GameError: `only` names a check that doesn't exist.
        OptionError: nobody can play by these house rules.
    """
    report, known = Report(game.name), [check.name for check in ALL]
    only = only.split() if isinstance(only, str) else only
    if unknown := [name for name in only if name not in known]:
        raise GameError(f"There's no check {unknown[0]!r}. The checks: {', '.join(known)}.")
    for check in ALL:
        if only and check.name not in only:
            continue
        if progress is not None:
            progress(check)
        many, failure = check.of(matches), None
        sampled = cases(
            game, many, seed, seats=seats, options=options, bots=bots, teams=teams, turn=check._turn
        )
        played = list(sampled) if many else []
        try:
            check.over(played, game)
        except CheckFailed as error:
            failure = error
        result = Result(check.name, check.about, len(played), failure)
        report.results.append(result)
        if progress is not None:
            progress(result)
        if failure is not None and check.stops:
            break
    if report.passed and not only:
        for remark in remarks(game, matches=min(WATCHED, 10 + matches), seed=seed):
            report.remarks.append(remark)
            if progress is not None:
                progress(remark)
    return report


def follow_playthroughs(game: type[Game[Any]]) -> Iterator[Result]:
    """Follow the playthroughs in the game's project that were written by rules with its `rules_id`.

    With the same number a match has to go as it went: tables, files and other versions count on that.
    """
    for path in playthroughs_of(game):
        failure, name = None, f"{path.parent.name}/{path.name}"
        try:
            replay_playthrough(game, path)
        except PlaythroughDiffers as differs:
            sentence = BROKEN.format(game.rules_id, how_to_record(game, path))
            failure = CheckFailed(f"{name}: {sentence}\n{differs}")
        yield Result(name, "a match goes as it was written down", 1, failure)
