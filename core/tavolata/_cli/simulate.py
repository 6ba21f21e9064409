"""The command `tt simulate`, the laboratory: it plays many matches between bots and says what they show."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from io import StringIO
from pathlib import Path
from time import localtime, perf_counter, strftime
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from tavolata._cli import completions
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, INTERRUPT, UsageError
from tavolata._cli.parameters import GameName, HouseRules, SeatCount, TeamCount, ThinkingTime, number
from tavolata._cli.playing import in_words_of, option_words
from tavolata._cli.progress import ProgressLine
from tavolata._machine import wall
from tavolata._trouble import trouble
from tavolata._version import __version__
from tavolata.messages import N_
from tavolata.options import problems_of, refuse_first

if TYPE_CHECKING:
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._lab.crew import Experiment
    from tavolata._lab.measures import Measures, PairedChange, Ranking
    from tavolata._lab.trial import Arm, Trial

PROGRESS = N_("{done} of {all} matches, about {left} s left")
SWEPT = N_("`--sweep` needs a house rule with at least two values, e.g. fiches=3,5,7, not {words}.")
EITHER = N_("Use either `--sweep` or `--round-robin`, not both.")
EVEN = N_("A round robin needs at least two levels of bots, and even numbers of seats and teams.")
UNEVEN = N_("{bots} bots don't match {seats} seats. Name one level, or one for each seat.")
NOT_WRITTEN = N_("Couldn't write {path}: {problem}.")
SPEED = N_("{speed} matches a second.")


def simulate(
    context: CommandContext,
    game: GameName,
    *,
    bots: Annotated[
        str | None,
        typer.Option(
            help=N_("Number of bots (normal if the game has them), or a level per seat: 4, or easy,normal."),
            autocompletion=completions.levels,
        ),
    ] = None,
    seats: SeatCount = None,
    games: Annotated[
        int, number(text=N_("Number of matches for each setup being compared."), low=1, high=10_000_000)
    ] = 1000,
    teams: TeamCount = 0,
    option: HouseRules = None,
    sweep: Annotated[
        str | None,
        typer.Option(
            metavar="RULE=VALUES",
            help=N_("Compare values of a house rule on the same seeds, e.g. fiches=3,5,7."),
        ),
    ] = None,
    round_robin: Annotated[
        bool,
        typer.Option("--round-robin", help=N_("Play every level against every other, and rate them.")),
    ] = False,
    seed: Annotated[  # -5 would deal the cards of 5, which may be among the matches, too
        int, number(text=N_("Seed of the first match; the others follow from it."), low=0)
    ] = 0,
    jobs: Annotated[
        int | None, number(text=N_("Number of processes (default: one per core)."), low=1, high=256)
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help=N_("Play on the Dask cluster whose scheduler has this address: tcp://HOST:8786."),
        ),
    ] = None,
    think: ThinkingTime = None,
    report: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Write the report to a file, .html or .txt."))
    ] = None,
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help=N_("Write the matches to a file, one per line."))
    ] = None,
) -> int:
    """Simulate many matches between bots."""
    from tavolata._lab.cluster import Cluster
    from tavolata._lab.crew import Crew, Experiment, code_here, gather
    from tavolata._lab.measures import compare, measure, rank

    if report is not None and not report.endswith((".html", ".txt")):
        raise UsageError(N_("{path} must end in .html or .txt."), path=report)
    if dask is not None and jobs is not None:
        raise UsageError(N_("Use either `--jobs` or `--dask`, not both."))
    context.let_think(think)
    loaded = context.catalogue.game(game)
    arms = _arms(context, loaded, bots, seats, teams, option, sweep, round_robin=round_robin)
    known = context.catalogue.bots(loaded.info.name)
    code = code_here(loaded.game, known, arms)
    experiment = Experiment(game, code, tuple(arms), games, seed, context.catalogue.seconds)
    crew = Crew(jobs or os.cpu_count() or 1) if dask is None else Cluster(dask)
    for path in (report, csv):
        if path is not None:
            _write(path, "", "a")  # what can't be written is said before a thousand matches, not after them
    start, progress = perf_counter(), ProgressLine(context, PROGRESS)
    trials, cut = gather(crew.play(experiment, loaded.game, known), games * len(arms), progress)
    progress.wipe()
    if not trials:
        raise UsageError(N_("No match was finished.")) if cut is None else cut
    stopped = cut is not None
    speed = len(trials) / (perf_counter() - start)
    measures = {
        number: measure(those, arm)
        for number, arm in enumerate(arms)
        if (those := [one for one in trials if one.arm == number])
    }
    differences = compare(trials, arms) if sweep is not None else []
    ranking = rank(trials) if round_robin else None
    made: dict[str, object] = {
        "date": strftime("%Y-%m-%d", localtime(wall())), "version": __version__,
        "game_version": loaded.info.version, "rules_id": loaded.game.rules_id, "seed": seed,
    }  # fmt: skip
    if context.ui == "json":
        _as_data(context, made, experiment, measures, differences, ranking, stopped=stopped)
    _as_text(context, loaded, made, experiment, report, measures, differences, ranking, stopped=stopped)
    if csv is not None:
        _write_csv(csv, trials, arms)
    for path in (report, csv):
        if path is not None:
            context.note(context.text(N_("Wrote {path}"), {"path": path}))
    context.note(context.text(SPEED, {"speed": f"{speed:.0f}" if speed >= 10 else f"{speed:.1f}"}))
    if isinstance(cut, Exception):
        raise cut  # what was played is reported; now its end is
    return INTERRUPT if stopped else FINISHED


def _arms(
    context: CommandContext,
    loaded: LoadedGame,
    bots: str | None,
    seats: int | None,
    teams: int,
    option: list[str] | None,
    sweep: str | None,
    *,
    round_robin: bool,
) -> list[Arm]:
    """Return the arms of the experiment that the words mean.

    Raise UsageError, Refused or OptionError, with the reason, if they mean none.
    """
    from tavolata._engine.match.seating import check_seats, read_bots, teams_for, usual_level, usual_seats
    from tavolata._lab.trial import Arm

    if sweep is not None and round_robin:
        raise UsageError(EITHER)
    game, known = loaded.game, context.catalogue.bots(loaded.info.name)
    usual = usual_seats(game) if seats is None else seats
    levels = [usual_level(known)] * usual if bots is None else read_bots(bots, known)
    if seats is not None and not round_robin:
        levels = levels * seats if len(levels) == 1 else levels
        if len(levels) != seats:
            raise UsageError(UNEVEN, bots=len(levels), seats=seats)
    words = {**game.local, **option_words(option)}
    lineups = [("", tuple(levels), words)]
    if sweep is not None:
        name, equals, values = sweep.partition("=")
        each = [value.strip() for value in values.split(",")]
        if not equals or len(set(each)) < 2 or len(set(each)) < len(each):
            raise UsageError(SWEPT, words=sweep)
        lineups = [
            (f"{name.strip()}={value}", tuple(levels), {**words, name.strip(): value}) for value in each
        ]
    elif round_robin:
        meant = (
            sorted(level for level, bot in known.items() if not bot.seconds)
            if bots is None
            else sorted(set(levels))
        )
        if len(meant) < 2:
            raise UsageError(EVEN)
        fits = seats is None and bots is not None and len(levels) >= game.seats[0]
        usual = len(levels) if fits else usual
        if seats is None and usual % 2 and game.seats[0] < game.seats[1]:
            usual += 1 if usual < game.seats[1] else -1
        lineups = [
            (f"{one} – {other}", tuple((one, other)[seat % 2] for seat in range(usual)), words)
            for at, one in enumerate(meant)
            for other in meant[at + 1 :]
        ]
    arms = []
    for name, seated, given in lineups:
        check_seats(game, len(seated))
        parted = teams_for(game, teams, len(seated))
        # Otherwise one level would have more chairs, or both would share a team.
        if round_robin and (len(seated) % 2 or parted % 2):
            raise UsageError(EVEN)
        with in_words_of(loaded.info.package):
            options = game.options.parse(given)
            refuse_first(problems_of(options, len(seated), parted))
        arms.append(Arm(name, seated, options.plain(), parted, mirrored=round_robin))
    return arms


def _as_data(
    context: CommandContext,
    made: Mapping[str, object],
    experiment: Experiment,
    measures: dict[int, Measures],
    differences: Sequence[PairedChange],
    ranking: Ranking | None,
    *,
    stopped: bool,
) -> None:
    for index, one in measures.items():
        arm = experiment.arms[index]
        said = {"arm": arm.name, "bots": arm.levels, "options": dict(arm.options), "stopped": stopped}
        context.data("measures", {**said, **made, **_plain(asdict(one))})
    for difference in differences:
        names = {"arm": experiment.arms[difference.arm].name, "first": experiment.arms[0].name}
        context.data("difference", {**_plain(asdict(difference)), **names})
    if ranking is not None:
        beaten = [
            {"level": one, "other": other, "share": share} for (one, other), share in ranking.beaten.items()
        ]
        context.data("ratings", _plain({"ratings": ranking.ratings, "beaten": beaten}))


def _plain(value: Any) -> Any:
    """Return the value with every estimate as `{"value": .., "low": .., "high": ..}`."""
    from tavolata._lab.numbers import Estimate

    if isinstance(value, Estimate):
        return {name: round(part, 6) for name, part in value._asdict().items()}
    if isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return round(value, 6) if isinstance(value, float) else value


def _as_text(
    context: CommandContext,
    loaded: LoadedGame,
    made: Mapping[str, object],
    experiment: Experiment,
    path: str | None,
    measures: dict[int, Measures],
    differences: Sequence[PairedChange],
    ranking: Ranking | None,
    *,
    stopped: bool,
) -> None:
    """Print the report, unless a program reads, and write its file."""
    from tavolata._lab.blocks import lines
    from tavolata._lab.page import page
    from tavolata._lab.report import TITLE, ReportWriter

    package = loaded.info.package
    game = context.text(loaded.game.title, domain=package)
    title, command = context.text(TITLE, {"game": game}), shlex.join(["tt", *context.words])
    writer = ReportWriter(context.text, package, experiment, {**made, "game": game, "command": command})
    chapters = writer.chapters(measures, differences, ranking, whole=not stopped)
    if context.ui != "json":
        for line in lines(title, chapters, ascii_only=context.ascii, heard=context.screen_reader):
            context.out(line)
    if path is not None:
        text = "\n".join([*lines(title, chapters), ""])
        _write(path, page(title, chapters, context.lang) if path.endswith(".html") else text)


def _write_csv(path: str, trials: Sequence[Trial], arms: Sequence[Arm]) -> None:
    import csv

    from tavolata._lab.report import rows

    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows(trials, [arm.name for arm in arms]))
    _write(path, text.getvalue())


def _write(path: str, text: str, mode: Literal["w", "a"] = "w") -> None:
    """Write a file; raise UsageError if it can't be written."""
    try:
        with Path(path).open(mode, encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise UsageError(NOT_WRITTEN, path=path, problem=trouble(error)) from None
