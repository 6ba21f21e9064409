"""The command `tt resume`, which lists the unfinished matches and resumes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata._cli import completions
from tavolata._cli.choosing import choose_number
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._cli.local_match import run_match
from tavolata._cli.match_files import header_of, match_file
from tavolata._cli.parameters import ProgramSeconds
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.storage.match_file import Kept

WAITING = N_("{id}: {game} with {names}, {turns} turns, left on {day}")
NONE = N_("No match is waiting to go on; `tt replay` shows the last one, `tt play` begins another.")


def resume(
    context: CommandContext,
    match: Annotated[
        str | None,
        typer.Argument(
            metavar="[FILE|ID]",
            help=N_("A match file, or the id of a match; the latest if none is named."),
            autocompletion=completions.kept_matches,
        ),
    ] = None,
    *,
    listed: Annotated[
        bool, typer.Option("--list", help=N_("Only list the matches that wait to go on."))
    ] = False,
    seat_program: Annotated[
        list[str] | None,
        typer.Option(help=N_("A program that plays a seat, as a command line; one for each that had one.")),
    ] = None,
    program_seconds: ProgramSeconds = 10.0,
) -> int:
    """Go on with a match that was left or cut off."""
    from tavolata._engine.match.header import OPEN
    from tavolata._engine.match.seating import PROGRAM
    from tavolata._engine.storage.match_file import StoreError, unfinished

    if match is None:
        waiting = [kept for kept in unfinished() if kept.header.get("dealer") == OPEN]
        if listed:
            return _list(context, waiting)
        if not waiting:
            raise StoreError(NONE)
        kept = _chosen(context, waiting)
    else:
        kept = match_file(match, "tt resume --list")
        if kept.end is not None:
            raise StoreError(N_("The match {id} is over; `tt replay {id}` shows it."), id=match)
    header = header_of(kept)
    if header.dealer != OPEN:
        raise StoreError(
            N_("The match {id} was played at a table of peers: `tt join` goes back there."), id=match
        )
    programs = seat_program or []
    wanted = header.bots.count(PROGRAM)
    if len(programs) != wanted:
        raise UsageError(
            N_("Programs played {n} seats of this match; say --seat-program for each of them."), n=wanted
        )
    return run_match(
        context, context.catalogue.game(header.game), header, kept,
        programs=programs, program_seconds=program_seconds,
    )  # fmt: skip


def _facts(kept: Kept) -> dict[str, Any]:
    from datetime import datetime

    left = datetime.fromtimestamp(kept.path.stat().st_mtime).astimezone()
    return {
        "id": kept.path.stem,
        "game": str(kept.header.get("game", "?")),
        "names": [str(name) for name in kept.header.get("names", ())],
        "turns": len(kept.turns),
        "left": left.isoformat(timespec="minutes"),
    }


def line_of(context: CommandContext, kept: Kept) -> str:
    """An unfinished match, described in one line."""
    facts = _facts(kept)
    day = facts["left"].replace("T", " ")[:16]
    return context.text(WAITING, {**facts, "names": ", ".join(facts["names"]), "day": day})


def _list(context: CommandContext, waiting: list[Kept]) -> int:
    if context.frontend == "json":
        for kept in waiting:
            context.data("waiting", _facts(kept))
        return FINISHED
    for kept in waiting:
        context.out(line_of(context, kept))
    if not waiting:
        context.note(context.text(NONE))
    return FINISHED


def _chosen(context: CommandContext, waiting: list[Kept]) -> Kept:
    """The match to resume: chosen on a terminal, else the latest."""
    if len(waiting) > 1 and context.on_terminal:
        for number, kept in enumerate(waiting, 1):
            context.out(f"{number}. {line_of(context, kept)}")
        return waiting[choose_number(context, len(waiting)) - 1]
    for other in waiting[1:]:
        context.note(context.text(N_("Another match waits: `tt resume {id}`."), {"id": other.path.stem}))
    return waiting[0]
