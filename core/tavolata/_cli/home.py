"""The home screen of `tt` without a command, and the loop that runs the commands chosen there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from tavolata._cli.command_context import CommandContext
from tavolata._cli.commands import COMMANDS
from tavolata._cli.failures import FINISHED, report
from tavolata._cli.keeping import keep_setting
from tavolata._cli.looks import looks_of
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.network.finding import FoundTable
    from tavolata._ui.tui.model.home_facts import FoundFacts, HomeFacts

ON_SCREEN = ("play", "host", "resume")
"""Commands that show a screen of their own. After any other command, people need time to read its output."""
BACK = N_("Enter goes back to the home screen. ")
OPEN = N_("{name}: {game}, free seats: {free} ({address})")
CODE = N_("{name}: {game}, free seats: {free}, with a code ({address})")
ONCE = N_("where {name} was the host last time ({address})")
OFFERED = ("history", "doctor")


def home(context: CommandContext, run: Callable[[list[str], CommandContext], int]) -> int:
    """Show the home screen and run the chosen commands until the person leaves.

    Args:
        context: the run of `tt`.
        run: runs the words of a command.
    """
    from tavolata._ui.tui.show import show_home

    while True:
        left = asyncio.run(
            show_home(context.translator, looks_of(context), _facts(context), partial(_tables, context))
        )
        words = list(left.command)
        if left.setting is not None:
            keep_setting(context.config_path, *left.setting)
            flags = {name: value for name, value in context.flags.items() if name != left.setting[0]}
            context = CommandContext(flags, context.environ)
            continue
        if not words:
            return FINISHED
        context.note(f"tt {' '.join(words)}")
        try:
            code = run(words, context)
        except Exception as error:  # noqa: BLE001 - reported as everywhere, and the home screen goes on
            code = report(error, context.text)
        if code != FINISHED or words[0] not in ON_SCREEN:
            try:
                input(context.text(BACK))
            except EOFError:
                return code


def _facts(context: CommandContext) -> HomeFacts:
    from tavolata._cli.own_name import own_name
    from tavolata._cli.resume import line_of, waiting_matches
    from tavolata._engine.diagnostics.web_extra import can_serve
    from tavolata._ui.i18n import languages
    from tavolata._ui.tui.model.home_facts import GameFacts, HomeFacts

    games = [
        GameFacts(
            one.name, context.text(one.title, domain=one.package), one.seats, one.best,
            context.text(one.summary, domain=one.package),
        )
        for one in context.catalogue.infos()
    ]  # fmt: skip
    return HomeFacts(
        games=games,
        waiting=[(kept.path.stem, line_of(context, kept)) for kept in waiting_matches()[:5]],
        levels=lambda game: list(context.catalogue.bots(game)),
        name=own_name(context, None),
        lang=context.lang,
        langs=languages(),
        commands=[(name, COMMANDS[name][1]) for name in OFFERED if name in COMMANDS],
        can_serve=can_serve(),
    )


async def _tables(context: CommandContext) -> AsyncGenerator[Sequence[FoundFacts], None]:
    from tavolata._engine.network.finding import finder
    from tavolata._ui.tui.model.home_facts import FoundFacts

    async with finder() as looking:
        async for now in looking.tables(None):
            yield [FoundFacts(_line(context, one), one.address) for one in now]


def _line(context: CommandContext, one: FoundTable) -> str:
    message = ONCE if one.free is None else CODE if one.private else OPEN
    return context.text(message, one.params())
