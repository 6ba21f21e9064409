"""The command `tt dev`: a match that follows its file, on the screen, on a page, as text or as JSON."""

from __future__ import annotations

import asyncio
import json
from dataclasses import asdict, replace
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep
from typing import Annotated, Any, Final

import typer

from tavolata._cli.bench import Bench, BenchState, Do
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import FINISHED, UsageError
from tavolata._cli.following import EVERY, FollowedMatch
from tavolata._cli.parameters import HouseRules, SeatCount, number
from tavolata._cli.playing import option_words
from tavolata._engine.plugins.game_file import file_in, look_for
from tavolata._text import one_line, small_number
from tavolata.errors import Refused
from tavolata.messages import N_

NO_FILE = N_("`tt dev` needs a file: tt dev ./game.py")
ON_PAGE = N_("Open {url} in a browser on this computer. Ctrl+C stops the server.")
UNKNOWN = N_(
    "Commands: back, on, end, sit N, reveal, attributes, do N, test, quit. Anything else is an answer."
)


def dev(
    context: CommandContext,
    file: Annotated[str, typer.Argument(help=N_("The game's file: ./game.py or ./game.py:Class."))],
    *,
    seats: SeatCount = None,
    seed: Annotated[int, number(text=N_("The seed of the match."))] = 1,
    option: HouseRules = None,
    web: Annotated[
        bool, typer.Option("--web", help=N_("Show the match in a browser on this computer."))
    ] = False,
) -> int:
    """Play a game while you write it."""
    path = file_in(file)
    if path is None:
        if all(one.name != file for one in context.catalogue.infos()):
            look_for(Path(file), one_line(file, 200))
        raise UsageError(NO_FILE)
    look_for(path, one_line(file, 200))

    def start() -> Bench:
        return Bench(file, seats, seed, option_words(option), context.lang, plain=context.ascii)

    followed = FollowedMatch(start, path, context.text)
    try:
        if web:
            _on_a_page(context, followed)
        elif context.frontend == "tui" and context.on_terminal:
            from tavolata._cli.dev_app import DevApp
            from tavolata._cli.looks import looks_of
            from tavolata._ui.tui.show import run_screen

            asyncio.run(run_screen(DevApp(followed, context.translator, looks_of(context))))
        else:
            _by_lines(context, followed)
    finally:
        followed.end()
    return FINISHED


# -- lines and JSON -------------------------------------------------------------------------------

WORDS: Final = {
    "back": Do.BACK, "on": Do.ON, "end": Do.END, "reveal": Do.REVEAL, "test": Do.TEST,
}  # fmt: skip


def command_of(line: str) -> tuple[Do, Any]:
    """Return the command that a line means."""
    word, _, rest = line.strip().partition(" ")
    if word == "sit" and rest.strip().isdecimal():
        return Do.SIT, small_number(rest.strip())
    return (WORDS[word], None) if word in WORDS and not rest else (Do.SAY, line)


def _by_lines(context: CommandContext, followed: FollowedMatch) -> None:
    """Show each state as text, or as a line of JSON, and read a command from each line."""
    lines: SimpleQueue[str | None] = SimpleQueue()
    as_json, shows = context.ui == "json", False

    def read() -> None:
        for line in context.stdin or ():
            lines.put(line)
        lines.put(None)

    def show() -> None:
        state = followed.shown
        for line in [json.dumps(_plain(state))] if as_json else _as_text(state, attributes=shows):
            context.out(line)
        context.stdout.flush()

    followed.wait()
    show()
    Thread(target=read, daemon=True, name="lines").start()
    while True:
        try:
            line = lines.get(timeout=EVERY)
        except Empty:
            if followed.look():
                show()
            continue
        if line is None or line.strip() == "quit":
            return
        if line.strip() == "attributes":
            shows = not shows
        elif line.strip() == "help":
            context.note(context.text(UNKNOWN))
        else:
            try:
                followed.do(*command_of(line.rstrip("\n")))
                followed.wait()
            except Refused as refusal:
                context.note(context.text(refusal.message, refusal.params))
        show()


def _on_a_page(context: CommandContext, followed: FollowedMatch) -> None:
    """Show each state on a page, and read commands from it, until Ctrl+C."""
    from tavolata._cli.dev_web import DevPage

    page = DevPage()
    context.out(context.text(ON_PAGE, {"url": page.address}))
    context.stdout.flush()
    try:
        followed.wait()
        while True:
            page.show({**_plain(followed.shown), "rows": followed.shown.rows})
            while page.lines.empty():
                if followed.look():
                    break
                sleep(EVERY)
            else:
                try:
                    followed.do(*command_of(page.lines.get()))
                    followed.wait()
                except Refused as refusal:
                    followed.shown = replace(
                        followed.shown, note=context.text(refusal.message, refusal.params)
                    )
    except KeyboardInterrupt:
        return
    finally:
        page.end()


def _plain(shown: BenchState) -> dict[str, Any]:
    said = asdict(replace(shown, rows=()))
    moves = [{"seat": one.seat + 1, "value": one.value} for one in shown.position.moves]
    left_out = ("rows", "cursor", "position", "attributes")
    return {
        "type": "dev", **{name: value for name, value in said.items() if name not in left_out},
        "at": shown.position.at, "sitting": shown.position.sitting, "reveals": shown.position.reveals,
        "answers": moves,
        "attributes": {name: value for name, value, _ in shown.attributes},
        "changed": [name for name, _, changed in shown.attributes if changed],
    }  # fmt: skip


def _as_text(shown: BenchState, *, attributes: bool) -> list[str]:
    lines = [] if shown.trouble else list(shown.lines)
    if attributes:
        lines += [f"{'*' if changed else ' '} {name} = {value}" for name, value, changed in shown.attributes]
    lines += shown.offers
    lines += [f"| {line}" for line in shown.printed.splitlines()]
    return [*lines, *shown.trouble, *([shown.note] if shown.note else [])]
