"""The commands `tt resume` and `tt forget`: unfinished matches are listed, resumed or thrown away."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata import _machine
from tavolata._cli import completions
from tavolata._cli.choosing import choose_number, confirmed
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._cli.lists import ago
from tavolata._cli.local_match import run_match
from tavolata._cli.match_files import NUMBERS, check_code_of_match, header_of, match_file
from tavolata._cli.parameters import ProgramSeconds, ThinkingTime, UnlikeThen, WebPort
from tavolata._engine.match.header import OPEN
from tavolata._engine.storage import match_file as files
from tavolata._engine.storage.match_file import Kept, StoreError
from tavolata._machine import disk
from tavolata.messages import N_, NN_

if TYPE_CHECKING:
    from tavolata._engine.storage.ways_back import WayBack, WayFile

WAITING = NN_("{game} with {names}: {n} turn, {ago}", "{game} with {names}: {n} turns, {ago}")
ANOTHER = N_("Another saved match: {match} (`tt resume {number}`).")
DELETE = N_("Delete this match for good? {match}")
UNASKED = N_("Can't ask for confirmation without a terminal. Add --yes to delete the match.")
MIGRATED = N_(
    "The match began under rules {before}. From the end of its last complete turn, rules {now} apply."
)
WENT_BACK = N_("The match continues from the end of its last complete turn.")
CUT = N_("The end of the match file is damaged, so the match continues from its last complete entry.")
NONE = N_("No saved matches. Watch the latest match with `tt replay`, or start another with `tt play`.")


def resume(
    context: CommandContext,
    match: Annotated[
        str | None,
        typer.Argument(
            metavar="MATCH",
            help=N_("Match number, id or file (default: the latest)."),
            autocompletion=completions.kept_matches,
        ),
    ] = None,
    *,
    listed: Annotated[
        bool, typer.Option("--list", help=N_("List saved matches without resuming one."))
    ] = False,
    seat_program: Annotated[
        list[str] | None,
        typer.Option(
            help=N_("Command that starts a program to play a seat (repeat for each seat that had one).")
        ),
    ] = None,
    program_seconds: ProgramSeconds = 10.0,
    think: ThinkingTime = None,
    unlike: UnlikeThen = False,
    web: Annotated[
        bool | None,
        typer.Option(
            "--web/--no-web",
            help=N_("Let phones and browsers join the table (default: as before)."),
        ),
    ] = None,
    web_port: WebPort = None,
    back: Annotated[
        bool,
        typer.Option(
            "--back",
            help=N_("Go back to the end of an earlier turn if the match keeps failing at the same point."),
        ),
    ] = False,
) -> int:
    """Resume a saved match."""
    from tavolata._cli.browsers import check_web
    from tavolata._engine.match.seating import PROGRAM

    context.let_think(think)
    if match is None or match in NUMBERS:
        waiting = waiting_matches()
        if listed:
            return _list(context, waiting)
        for kept in () if waiting else files.unfinished():
            raise StoreError(files.PLAYED, path=kept.path)
        if not waiting:
            raise StoreError(NONE)
        kept = _chosen(context, waiting) if match is None else _numbered(waiting, int(match))
    else:
        kept = _unfinished(match)
    header = header_of(kept)
    if header.dealer != OPEN:
        from tavolata._cli.table import resume_at_table

        way = way_to(kept)
        if way is None:
            raise StoreError(N_("Match {id} was played at a table. Rejoin it with `tt join`."), id=header.id)
        loaded = context.catalogue.played(header.game, header.version)
        header.terms(loaded.game)
        served = way[1].pages is not None if web is None else web
        check_web(wanted=served, port=web_port)
        unlike = unlike or way[1].unlike
        check_code_of_match(context, loaded, header, unlike=unlike)
        return resume_at_table(
            context, header.game, *way, unlike=unlike, web=served, web_port=web_port, back=back
        )
    check_web(wanted=bool(web), port=web_port)
    if web:
        raise UsageError(
            N_("This match was played on one computer, without a table. --web works only at a table.")
        )
    programs = seat_program or []
    wanted = header.bots.count(PROGRAM)
    if len(programs) != wanted:
        raise UsageError(
            N_("Seats played by programs in this match: {n}. Add --seat-program exactly that many times."),
            n=wanted,
        )
    if kept.cut:
        context.note(context.text(CUT))
    loaded = context.catalogue.played(header.game, header.version)
    before, now = header.rules_id, loaded.game.rules_id
    if before == now:
        check_code_of_match(context, loaded, header, unlike=unlike)
    if back or before != now:
        from tavolata._engine.sessions.migrating import migrate

        kept = migrate(kept, header, loaded)
        header = header_of(kept)
        context.note(context.text(WENT_BACK if before == now else MIGRATED, {"before": before, "now": now}))
    return run_match(context, loaded, header, kept, programs=programs, program_seconds=program_seconds)


def forget(
    context: CommandContext,
    match: Annotated[
        str,
        typer.Argument(
            metavar="MATCH",
            help=N_("Match number from `tt resume --list`, or the match's id or file."),
            autocompletion=completions.kept_matches,
        ),
    ],
    *,
    yes: Annotated[bool, typer.Option("--yes", help=N_("Don't ask for confirmation."))] = False,
) -> int:
    """Delete an unfinished match."""
    waiting = waiting_matches()
    kept = _numbered(waiting, int(match)) if match in NUMBERS else _unfinished(match)
    told = {"match": line_of(context, kept)}
    if confirmed(context, context.text(DELETE, told), UNASKED, yes=yes):
        _throw_away(kept)
        context.note(context.text(N_("Deleted: {match}"), told))
    return FINISHED


def _unfinished(match: str) -> Kept:
    kept = match_file(match, "tt resume --list")
    if kept.end is not None:
        raise StoreError(N_("Match {id} is over. Watch it with `tt replay {id}`."), id=match)
    return kept


def waiting_matches() -> list[Kept]:
    """Return the matches that wait to continue, the latest first: those of one process and those of tables.

    A match of a table that has waited for too long is deleted.
    """
    from tavolata._engine.storage.ways_back import is_too_old, way_files

    found = files.waiting()
    for file in way_files():
        way = file.read()
        if way is None or not disk().is_file(files.path_of(way.match)):
            continue
        try:
            kept = files.read(files.path_of(way.match))
        except files.StoreError:
            continue
        if kept.end is not None or files.is_played(kept.path):
            continue
        if is_too_old(file):
            with suppress(StoreError, OSError):  # another window has it, or it can only be read
                _throw_away(kept)
        else:
            found.append(kept)
    by_path = {kept.path: kept for kept in found}
    return [by_path[path] for path in files.match_files() if path in by_path]


def way_to(kept: Kept) -> tuple[WayFile, WayBack] | None:
    from tavolata._engine.storage.ways_back import way_files

    ways = ((file, file.read()) for file in way_files())
    return next(((file, way) for file, way in ways if way and way.match == kept.path.stem), None)


def _throw_away(kept: Kept) -> None:
    """Delete a match file; for a match of a table also its secret, the copy of the log and the way back."""
    from tavolata._engine.review.signed_log import own_nonces
    from tavolata._engine.storage import secret_files

    # A file somewhere else is a backup, or another person's: the rest belongs to the match here.
    is_here = kept.path.resolve() == files.path_of(kept.path.stem).resolve()
    way = way_to(kept) if is_here else None
    if way is not None and files.is_played(way[0].log):  # it waits for the others
        raise StoreError(files.PLAYED, path=kept.path)
    files.delete(kept)
    if not is_here:
        return
    for nonce in own_nonces(kept):
        with suppress(OSError):  # it is erased at the next try, or stays there unused
            secret_files.erase(nonce)
    if way is not None:
        for path in (way[0].log, way[0].secret, way[0].fell, way[0].path):
            disk().remove(path)


def _facts(kept: Kept) -> dict[str, Any]:
    left = datetime.fromtimestamp(_machine.wall()).astimezone()
    with suppress(OSError, OverflowError, ValueError):  # it's gone, or its time is out of all calendars
        left = datetime.fromtimestamp(disk().state(kept.path).changed).astimezone()
    return {
        "id": kept.path.stem,
        "game": str(kept.header.get("game", "?")),
        "names": [str(name) for name in kept.header.get("names", ())],
        "turns": kept.turns[-1][1] if kept.turns else 0,
        "left": left.isoformat(timespec="seconds"),
    }


def line_of(context: CommandContext, kept: Kept) -> str:
    facts, now = _facts(kept), datetime.fromtimestamp(_machine.wall()).astimezone()
    names, when = ", ".join(facts["names"]), context.text(*ago(datetime.fromisoformat(facts["left"]), now))
    game = context.catalogue.title(facts["game"], context.text)
    return context.text(WAITING, {"game": game, "names": names, "n": facts["turns"], "ago": when})


def _list(context: CommandContext, waiting: list[Kept]) -> int:
    if context.frontend == "json":
        for kept in waiting:
            context.data("waiting", _facts(kept))
        return FINISHED
    for number, kept in enumerate(waiting, 1):
        context.out(f"{number}. {line_of(context, kept)}")
    if not waiting:
        context.note(context.text(NONE))
    return FINISHED


def _chosen(context: CommandContext, waiting: list[Kept]) -> Kept:
    """Return the match to resume: chosen on a terminal, otherwise the latest."""
    if len(waiting) > 1 and context.on_terminal:
        _list(context, waiting)
        return waiting[choose_number(context, len(waiting)) - 1]
    for number, other in enumerate(waiting[1:], 2):
        context.note(context.text(ANOTHER, {"match": line_of(context, other), "number": number}))
    return waiting[0]


def _numbered(waiting: list[Kept], number: int) -> Kept:
    """Return the match of this number in the list, 1 for the latest; raise UsageError if there isn't one."""
    if not 1 <= number <= len(waiting):
        raise UsageError(N_("No match {number}. See `tt resume --list`."), number=number)
    return waiting[number - 1]
