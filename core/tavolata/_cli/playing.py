"""What `play`, `resume`, `host` and `join` share: options, pace, a frontend, and what follows a match."""

from __future__ import annotations

import asyncio
import shutil
import sys
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, redirect_stdout, suppress
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from tavolata import _machine
from tavolata._cli.command_context import CommandContext
from tavolata._cli.console import wiping
from tavolata._cli.failures import FINISHED, LOST, PLUGIN, UsageError
from tavolata._tasks import at_end_by_system, cancel
from tavolata._text import Clean
from tavolata._trouble import trouble
from tavolata._ui.match_plan import AGAIN, KEPT, NOT_WRITTEN, Afterwards
from tavolata._ui.streams import Outlet, typed_here
from tavolata._ui.wrapping import wrapped
from tavolata.errors import MessageError, Refused
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.game_info import GameInfo
    from tavolata._engine.review.replay import Replay
    from tavolata._engine.sessions.session import TableSession
    from tavolata._engine.storage.match_file import Kept, StoreError
    from tavolata._ui.line_frontend import LineFrontend

T = TypeVar("T")
GRACE = 1.0
"""Seconds for writing out pending lines before an error is reported."""
BELL = Clean("\a")
ONCE_MENDED = N_("{problem} Fix that, then run `tt resume {id}` to continue the saved match.")
WATCH, KEEP, HISTORY = N_("watch"), N_("keep"), N_("history")
LOOK_BACK = N_("{watch}: watch the replay; {keep}: save the result; {history}: list matches.")
MORE = N_("Enter: quit; {again}: play again; a game's name: play that game ({games}).")


def option_words(given: list[str] | None) -> dict[str, str]:
    """Return the house rules as text by name; raise UsageError if a rule is not NAME=VALUE."""
    words: dict[str, str] = {}
    for one in given or ():
        name, equals, value = one.partition("=")
        if not equals:
            raise UsageError(N_("Write a house rule as NAME=VALUE, not {words}."), words=one)
        words[name.strip()] = value.strip()
    return words


@contextmanager
def in_words_of(package: str) -> Iterator[None]:
    """Translate what a game's own house rules refuse by the catalogue of that game's package."""
    try:
        yield
    except MessageError as error:
        error.package = package
        raise


def read_pace(given: str | None, *, watched: bool) -> float | None:
    """Return the value of `--pace`: None for off, 0 for waiting for a key, otherwise seconds.

    Raise UsageError if the value isn't one of these.
    """
    if given is None:
        return 0 if watched else None
    if given == "off":
        return None
    if given == "key":
        return 0
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds <= 60:
        raise UsageError(
            N_("--pace can be key, off, or a number of seconds up to 60, not {pace}."), pace=given
        )
    return seconds


async def show(context: CommandContext, session: TableSession) -> int:
    return (await show_and_ask(context, session))[0]


async def show_and_ask(
    context: CommandContext, session: TableSession, games: Sequence[str] = (), kept: Kept | None = None
) -> tuple[int, str]:
    """Run the frontend that fits; return the exit code and the next game: "", AGAIN or one of `games`.

    If `games` is empty, nobody is asked. `kept` is the file of a match that is resumed.
    """
    from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
    from tavolata._engine.network.table_errors import HasLeft, TableLost, TableRejoined
    from tavolata._engine.storage.match_file import StoreError
    from tavolata._ui.line_frontend import InputEnded

    try:
        shown = partial(_screen, kept=kept) if context.frontend == "tui" else _lines
        wanted = await shown(context, session, games)
    except InputEnded as error:
        _say_return(context, session, context.text(error.message))
        return LOST, ""
    except (TableRejoined, HasLeft):
        raise  # the caller joins the table again at once
    except BaseException as error:
        if session.match is not None and is_rules_fault(error, session.match.rules):
            _say_return(context, session)
            raise rules_fault(error, session.match.rules) from error
        if isinstance(error, StoreError):
            raise _with_the_way_back(context, error) from error
        if isinstance(error, TableLost) or (not isinstance(error, MessageError) and _goes_on(session)):
            _say_return(context, session)
        raise
    if session.match is not None and session.match.fault is not None:
        return PLUGIN, ""
    if _goes_on(session):
        _say_return(context, session)
    return FINISHED, wanted


async def _lines(context: CommandContext, session: TableSession, games: Sequence[str]) -> str:
    from tavolata._ui.endings import kept_lines
    from tavolata._ui.line_frontend import InputEnded

    loop, broken, wanted = asyncio.get_running_loop(), asyncio.Event(), ""

    def failed(error: OSError) -> None:
        if not isinstance(error, BrokenPipeError):  # who reads no more may have read enough
            with suppress(RuntimeError):  # the match is over, and what comes after it says so
                loop.call_soon_threadsafe(broken.set)

    outlet = Outlet(context.stdout, failed=failed)
    try:
        frontend = _line_frontend(context, session, outlet)
        with redirect_stdout(sys.stderr):  # prints of a game stay out of our lines
            ended = await _unless(broken, frontend.run(), outlet, session.step_away)
        if games and ended is not None and context.frontend == "plain" and context.on_terminal:
            after = afterwards(context, session, games)
            title = context.catalogue.title(session.game, context.text)
            names = () if session.match is None else session.match.terms.names
            kept = kept_lines(title, names, ended, frontend.words())
            wanted = await _ask_for_more(context, outlet, after, kept)
        await outlet.drained()
    except BaseException as error:
        outlet.drain(GRACE)  # pending lines are written before the error
        failure = outlet.failure
        if isinstance(error, InputEnded) and failure and not isinstance(failure, BrokenPipeError):
            raise failure from error  # nobody saw what was asked
        raise
    return wanted


async def _unless(
    broken: asyncio.Event, running: Coroutine[Any, Any, T], outlet: Outlet, interrupted: Callable[[], object]
) -> T:
    """Run this until it ends, or until nothing can be written: nobody sits at a table who sees nothing of it.

    `interrupted` is called before Ctrl+C ends it; a signal of the system is nobody's word. Raise OSError if
    nothing can be written, KeyboardInterrupt at such a signal.
    """
    stopped = asyncio.Event()
    run, ends = asyncio.create_task(running), [asyncio.create_task(one.wait()) for one in (broken, stopped)]
    try:
        with at_end_by_system(stopped.set):
            await asyncio.wait((run, *ends), return_when=asyncio.FIRST_COMPLETED)
        if run.done():
            return run.result()
        if stopped.is_set():
            raise KeyboardInterrupt
        assert outlet.failure is not None  # `broken` was set for it
        raise outlet.failure
    except asyncio.CancelledError:
        interrupted()
        raise
    finally:
        await cancel(run, *ends)


def _goes_on(session: TableSession) -> bool:
    facts = session.table()
    more = facts is not None and not facts.by_itself  # a table that starts on its own plays only one match
    return session.match is None or not session.match.over or more


async def _ask_for_more(
    context: CommandContext, outlet: Outlet, after: Afterwards, result: Sequence[str]
) -> str:
    from tavolata._ui.plain import CHOICE, LABELLED, MATCH, NOTICE, QUESTION, WRONG
    from tavolata._ui.plain_replay import QUIT

    names = {name: context.text(name) for name in (AGAIN, WATCH, KEEP, HISTORY)}

    out = _printer(context, outlet)

    def tell(label: str, line: str) -> None:
        told = {"label": context.text(label), "line": line}
        out(context.text(LABELLED, told) if context.screen_reader else line)

    while True:
        tell(QUESTION, context.text(MORE, {"again": names[AGAIN], "games": ", ".join(after.games)}))
        tell(CHOICE, context.text(LOOK_BACK, {name: names[name] for name in (WATCH, KEEP, HISTORY)}))
        await outlet.drained()
        word = (await typed_here(context.stdin).next() or "").strip().lower()
        if word in ("", "q", QUIT, context.text(QUIT)):
            return ""
        asked = next((name for name, shown in names.items() if word in (name, shown)), word)
        try:
            if asked in (AGAIN, *after.games):
                return asked
            if asked == WATCH:
                await after.watch()
            elif asked == KEEP:
                tell(NOTICE, context.text(KEPT, {"path": after.keep(result)}))
            elif asked == HISTORY:
                for line in after.history():
                    tell(MATCH, line)
            else:
                said = {"word": word, "known": ", ".join((*names.values(), *after.games))}
                tell(WRONG, context.text(N_("No such command: {word}. Try: {known}."), said))
        except MessageError as error:
            tell(WRONG, context.text(error.message, error.params))
        except OSError as error:
            tell(WRONG, context.text(NOT_WRITTEN, {"problem": trouble(error)}))


async def _screen(
    context: CommandContext, session: TableSession, games: Sequence[str], *, kept: Kept | None
) -> str:
    from tavolata._cli.looks import looks_of
    from tavolata._ui.tui.show import show_table

    info = context.catalogue.game(session.game).info
    title = context.text(info.title, domain=info.package)
    looks, rules = looks_of(context), partial(_rules, context, session)
    wanted, ended = await show_table(
        session, context.translator, looks, title=title, rules=rules,
        after=afterwards(context, session, games), is_new=is_new, past=partial(_past, session, kept),
    )  # fmt: skip
    if ended and not wanted:  # the full screen is gone with its contents
        for line in ended:
            context.out(line)
        context.note(context.text(N_("Watch the replay with `tt replay`.")))
    return wanted


def _past(session: TableSession, kept: Kept | None) -> Replay | None:
    """Return what was played of a match before it's resumed; None without that, or with other rules."""
    from tavolata._cli.match_files import header_of
    from tavolata._engine.review.replay import Replay

    if kept is None or session.match is None:
        return None
    with suppress(MessageError):
        return Replay(kept, header_of(kept), session.match.rules)
    return None


def is_new(game: str) -> bool:
    """Return True if the person has never finished a match of a game."""
    from tavolata._engine.storage.history import history

    with history() as one:
        return not one.has_played(game)


def _rules(context: CommandContext, session: TableSession) -> str:
    from tavolata._cli.rules import at_table

    return at_table(context.catalogue.game(session.game), context.translator)


def _told_rules(context: CommandContext, session: TableSession, topic: str) -> Sequence[str]:
    from tavolata._ui.tui.drawing.markdown import told_rules

    return told_rules(_rules(context, session), topic)


def _line_frontend(context: CommandContext, session: TableSession, outlet: Outlet) -> LineFrontend:
    lines = typed_here(context.stdin) if session.attended else None
    if context.frontend == "json":
        from tavolata._ui.ndjson import Ndjson

        return Ndjson(session, context.translator, outlet.line, lines, outlet.drained)
    from tavolata._ui.plain import Plain

    loud = context.verbosity
    said = context.config.get("plain", {})
    rings = isinstance(said, dict) and said.get("bell") is True

    def wipe() -> None:
        outlet.write(wiping(escapes=context.escapes))

    return Plain(
        session, context.translator, _printer(context, outlet), lines,
        narrate=loud >= 0, proof=loud > 0, bell=partial(outlet.write, BELL) if rings else None,
        labelled=context.screen_reader, rules=partial(_told_rules, context, session),
        wipe=wipe if context.on_terminal else None, drained=outlet.drained,
    )  # fmt: skip


def _printer(context: CommandContext, outlet: Outlet) -> Callable[[str], object]:
    """Return what prints a line of a match: broken between words at a terminal, whole for a screen reader."""
    if not context.on_terminal or context.screen_reader:
        return outlet.line
    return lambda line: outlet.line(wrapped(line, shutil.get_terminal_size().columns))


def _with_the_way_back(context: CommandContext, error: StoreError) -> StoreError:
    """Return the error of a failed write, with a hint how to resume if the file already holds a match."""
    from tavolata._engine.storage.match_file import StoreError, read

    try:
        path = read(Path(str(error.params["path"]))).path
    except StoreError:
        return error
    return StoreError(ONCE_MENDED, problem=context.text(error.message, error.params), id=path.stem)


def _say_return(context: CommandContext, session: TableSession, *before: str) -> None:
    message, params = session.how_to_return()
    if sentences := " ".join([*before, *([context.text(message, params)] if message else [])]):
        context.note(sentences)


LAST = 10
"""The most matches of the game that the history after a match tells."""
BORDER = 8
"""The columns that the edges of a page of the screen take."""
WITH_SEATS = N_("{title}, {low} to {high} players")


def afterwards(context: CommandContext, session: TableSession, games: Iterable[str]) -> Afterwards:
    """Return what can be done after the matches of a session.

    `games` can follow in this process; none where the table says what follows.
    """
    offered = [one for one in context.catalogue.infos() if one.name in set(games)]

    def called(one: GameInfo) -> str:
        title, (low, high) = context.text(one.title, domain=one.package), one.seats
        return context.text(WITH_SEATS, {"title": title, "low": low, "high": high})

    return Afterwards(
        partial(_watch, context, session),
        lambda lines: _keep(session.game, lines),
        lambda: _history(context, session),
        again=bool(offered),
        games={one.name: called(one) for one in offered if one.name != session.game},
    )


async def _watch(context: CommandContext, session: TableSession) -> None:
    """Show the last match of a session; raise MessageError if it is not kept, or its file can't be read."""
    from tavolata._cli.match_files import header_of
    from tavolata._engine.review.replay import ALL, Replay
    from tavolata._engine.storage.match_file import read

    if session.match_file is None or session.match is None:
        raise Refused(N_("This match isn't saved here, so it can't be replayed."))
    kept = read(session.match_file)
    match = Replay(kept, header_of(kept), session.match.rules)
    eyes = next((seat for seat in (ALL, *session.people, None) if _may_see(match, seat)), None)
    if context.frontend == "tui":
        from tavolata._cli.looks import looks_of
        from tavolata._ui.tui.show import show_replay

        title = context.catalogue.title(session.game, context.text)
        looks, package = looks_of(context), session.package
        await show_replay(
            match, context.translator, looks, title=title, package=package, seat=eyes, turn=None
        )
    else:
        from tavolata._ui.plain_replay import PlainReplay

        frontend = PlainReplay(match, context.translator, session.package, context.out)
        frontend.seat = eyes
        frontend.all()


def _may_see(match: Replay, seat: int | None) -> bool:
    with suppress(MessageError):
        match.check_seat(seat)
        return True
    return False


def _keep(game: str, lines: Sequence[str]) -> str:
    """Write the result to a new text file in the folder of the shell, otherwise in that of the person.

    Raise OSError if neither can be written.
    """
    name = f"{game}-{datetime.fromtimestamp(_machine.wall()).astimezone():%Y-%m-%d-%H%M%S}.txt"
    text = "\n".join([*lines, ""])
    try:
        path = Path.cwd() / name
        path.write_text(text, encoding="utf-8")
    except OSError:
        path = Path.home() / name
        path.write_text(text, encoding="utf-8")
    return str(path)


def _history(context: CommandContext, session: TableSession) -> list[str]:
    """Return the last matches of this game, and the record of everyone who sat at the last one."""
    from tavolata._cli.history import NONE, OPPONENT, match_lines, numbers_of, opponents_in
    from tavolata._engine.storage.history import history

    with history() as one:
        numbers, every = numbers_of(one), [*one.matches()]
    same = [match for match in every if match.game == session.game and match.mine is not None][-LAST:]
    if not same:
        return [context.text(NONE)]
    here = {player.who for match in every[-1:] for player in match.players}
    opponents = [
        context.text(OPPONENT, said) for who, said in opponents_in(context, every) if who in here
    ]  # fmt: skip
    width = shutil.get_terminal_size().columns - BORDER if context.on_terminal else None
    return [*match_lines(context, same, numbers, width), *(["", *opponents] if opponents else [])]
