"""The home of `tt` without a command, as a screen or in lines; what is chosen there is run."""

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
    from tavolata._cli.home_lines import Chosen
    from tavolata._engine.network.finding import FoundTable
    from tavolata._ui.match_plan import GameChoices
    from tavolata._ui.tui.model.home_facts import FoundFacts, HomeFacts

ON_SCREEN = ("play", "host", "resume")
"""Commands that show a screen of their own. After any other command, people need time to read its output."""
BACK = N_("Enter goes back to the home screen. ")
OPEN = N_("{name}: {game}, free seats: {free} ({address})")
CODE = N_("{name}: {game}, free seats: {free}, with a code ({address})")
SHORT, SHORT_CODE = (
    N_("{name}: {game}, free seats: {free}"),
    N_("{name}: {game}, free seats: {free}, with a code"),
)
ONCE = N_("where {name} was the host last time ({address})")
OFFERED = ("history", "doctor")


def home(context: CommandContext, run: Callable[[list[str], CommandContext], int]) -> int:
    """Show the home and run the chosen commands until the person leaves.

    Args:
        context: the run of `tt`.
        run: runs the words of a command.
    """
    while True:
        words, setting = _on_screen(context) if context.frontend == "tui" else _in_lines(context)
        if setting is not None:
            keep_setting(context.config_path, *setting)
            flags = {name: value for name, value in context.flags.items() if name != setting[0]}
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


def _on_screen(context: CommandContext) -> Chosen:
    from tavolata._ui.tui.show import show_home

    left = asyncio.run(
        show_home(context.translator, looks_of(context), home_facts(context), partial(_tables, context))
    )
    return list(left.command), left.setting


def _in_lines(context: CommandContext) -> Chosen:
    from tavolata._cli.home_lines import HomeLines

    return HomeLines(context, home_facts(context)).choose()


def home_facts(context: CommandContext) -> HomeFacts:
    """The data of the home screen, and of the home in lines."""
    from tavolata._cli.last_plans import keep_plan, last_people, last_plans
    from tavolata._cli.own_name import own_name
    from tavolata._cli.resume import line_of, waiting_matches
    from tavolata._ui.i18n import languages
    from tavolata._ui.tui.model.home_facts import GameFacts, HomeFacts

    (last, plans), name = last_plans(), own_name(context, None)
    games = [
        GameFacts(
            one.name, context.text(one.title, domain=one.package), one.seats,
            context.text(one.summary, domain=one.package),
        )
        for one in context.catalogue.infos()
    ]  # fmt: skip
    return HomeFacts(
        games=games,
        waiting=[(kept.path.stem, line_of(context, kept)) for kept in waiting_matches()],
        choices=partial(_choices, context),
        records=_records,
        name=name,
        others=[one.name for one in last_people() if one.name != name],
        lang=context.lang,
        langs=languages(),
        commands=[(name, COMMANDS[name][1]) for name in OFFERED if name in COMMANDS],
        plans=plans,
        last=last,
        keep=keep_plan,
    )


def _choices(context: CommandContext, name: str) -> GameChoices:
    """What can be chosen for a match of a game."""
    from tavolata._engine.diagnostics.web_extra import can_serve
    from tavolata._engine.match.seating import usual_level, usual_seats
    from tavolata._ui.match_plan import PLACES, GameChoices

    loaded, known = context.catalogue.game(name), context.catalogue.bots(name)
    first, info = usual_level(known), loaded.info
    return GameChoices(
        name, info.seats, usual_seats(loaded.game),
        levels=[first, *(level for level in known if level not in (first, "random"))],
        guided=loaded.game.has_hints(), teams=loaded.game.teams,
        options=loaded.game.options, alone=loaded.game.local, first=loaded.game.first_match,
        package=info.package,
        places=[place for place in PLACES if place != "telephones" or can_serve()],
    )  # fmt: skip


def _records() -> dict[str, tuple[int, int]]:
    """By game, how many matches the person here has finished and won."""
    from tavolata._engine.storage.history import history

    found: dict[str, tuple[int, int]] = {}
    with history() as one:
        for match in one.matches():
            if match.finished and match.mine is not None:
                n, won = found.get(match.game, (0, 0))
                found[match.game] = n + 1, won + match.mine.won
    return found


async def _tables(context: CommandContext) -> AsyncGenerator[Sequence[FoundFacts], None]:
    from tavolata._engine.network.finding import finder

    async with finder() as looking:
        async for now in looking.tables(None):
            yield [_found(context, one) for one in now]


def _found(context: CommandContext, one: FoundTable) -> FoundFacts:
    from tavolata._ui.tui.model.home_facts import FoundFacts

    said = {**one.params(), "game": context.catalogue.title(one.game, context.text) if one.game else ""}
    line, short = (ONCE, ONCE) if one.free is None else (CODE, SHORT_CODE) if one.private else (OPEN, SHORT)
    return FoundFacts(context.text(line, said), context.text(short, said), one.address)
