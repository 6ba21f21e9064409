"""The command `tt replay`, which shows a match from its file, forward and back, from any allowed seat."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from typing import Annotated

import typer

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, WRONG
from tavolata._cli.match_files import check_code_of_match, header_of, match_file
from tavolata._cli.parameters import MatchFile, UnlikeThen, number
from tavolata._engine.match.header import Header, OtherRules
from tavolata._engine.storage.match_file import Kept
from tavolata._streams import put
from tavolata.messages import N_

ONLY_TOLD = N_("Only the story of this match can be shown: {reason}")


def replay(
    context: CommandContext,
    file: MatchFile = None,
    *,
    seat: Annotated[
        str, typer.Option(help=N_("View to show: a player's name or number, or all (every hand)."))
    ] = "",
    turn: Annotated[int | None, number(text=N_("Start at this turn."), low=1)] = None,
    unlike: UnlikeThen = False,
) -> int:
    """Replay a match."""
    from tavolata._engine.plugins.loader import NoSuchGame
    from tavolata._engine.review.replay import Replay
    from tavolata._ui.plain_replay import PlainReplay

    kept = match_file(file)
    header = header_of(kept)
    try:
        loaded = context.catalogue.played(header.game, header.version)
        check_code_of_match(context, loaded, header, unlike=unlike)
        match = Replay(kept, header, loaded.game)
    except (OtherRules, NoSuchGame) as error:
        if not kept.events:
            raise
        _tell_events(context, kept, header, context.text(error.message, error.params))
        return FINISHED
    frontend = PlainReplay(match, context.translator, loaded.info.package, context.out)
    frontend.sit(seat)
    if context.frontend == "json":
        from tavolata._ui.ndjson import line_of
        from tavolata._ui.plain_replay import told

        for line in told(match, context.translator, loaded.info.package, frontend.seat, turn or 1):
            context.out(line_of(line))
    elif not context.on_terminal:
        frontend.all(turn or 1)
    elif context.frontend == "tui":
        from tavolata._cli.looks import looks_of
        from tavolata._ui.tui.show import show_replay

        package = loaded.info.package
        title = context.text(loaded.info.title, domain=package)
        ended = asyncio.run(show_replay(
            match, context.translator, looks_of(context), title=title, package=package, seat=frontend.seat,
            turn=turn or 1,
        ))  # fmt: skip
        for said in ended:
            context.out(said)
    else:
        if turn is not None:
            match.go(match.step_of_turn(turn))
        frontend.run(_typed())
    return FINISHED if match.broken_at is None else WRONG


def _typed() -> Iterator[str]:
    """Yield the lines that are typed; Ctrl+D ends them."""
    while True:
        put("> ", sys.stdout, end="", flush=True)
        line = sys.stdin.readline()
        if not line:
            put("", sys.stdout)
            return
        yield line


def _tell_events(context: CommandContext, kept: Kept, header: Header, reason: str) -> None:
    from tavolata._engine.storage.recorded import told_events
    from tavolata._ui.json_data import event_data, hello_data
    from tavolata._ui.words import Words

    context.note(context.text(ONLY_TOLD, {"reason": reason}))
    package = next((one.package for one in context.catalogue.infos() if one.name == header.game), "")
    words = Words(context.translator, package, header.names)
    if as_json := context.frontend == "json":
        context.data("hello", hello_data(context.lang))
    for event in told_events(kept.events, package):
        if event.to is None and as_json:
            context.data("event", event_data(event, words, None))
        elif event.to is None:
            context.out(words.event(event))
