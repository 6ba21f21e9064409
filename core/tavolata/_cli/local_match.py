"""The common part of `tt play` and `tt resume`: a match in this process, and the matches that follow it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from tavolata import _machine
from tavolata._cli.command_context import CommandContext
from tavolata._cli.playing import is_new, show_and_ask
from tavolata._engine.match.game_info import DEV
from tavolata._ui.match_plan import AGAIN
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.match.header import Header
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._engine.sessions.local import LocalSession
    from tavolata._engine.sessions.session import TableSession
    from tavolata._engine.storage.match_file import Kept
    from tavolata.bots import Bot

NO_GUIDE = N_("{game} has no hints yet.")
READ_RULES = N_("{game} has no hints yet. See `tt rules {word}`.")


def run_match(
    context: CommandContext,
    loaded: LoadedGame,
    header: Header,
    kept: Kept | None = None,
    *,
    programs: Sequence[str] = (),
    program_seconds: float = 10.0,
    guided: bool = False,
) -> int:
    """Play or resume a match; on a terminal more may follow. Return the exit code of the last match.

    `programs` are command lines, one for each seat that a program plays.
    """
    from tavolata._engine.match.seating import PROGRAM

    games = tuple(one.name for one in context.catalogue.infos()) if context.on_terminal else ()

    def sit_down(think: float) -> AbstractAsyncContextManager[TableSession]:
        """Return the match as a frontend shows it, without the seats that programs play."""
        begin = partial(_session, context, loaded, header, kept, think)
        if not programs:
            return nullcontext(begin())
        from tavolata._ui.seat_programs import programs_seated

        seats = [seat for seat, level in enumerate(header.bots) if level == PROGRAM]
        players = {seat: (header.names[seat], one) for seat, one in zip(seats, programs, strict=True)}
        return programs_seated(begin, players, context.translator, program_seconds, think)

    async def matches() -> int:
        nonlocal loaded, header, kept
        while True:
            async with sit_down(context.think if header.pace is not None else 0.0) as session:
                wanted = games if session.attended else ()
                if guided:
                    from tavolata._engine.sessions.guided import Guided

                    session = Guided(session)  # noqa: PLW2901 - the same match, with hints
                code, word = await show_and_ask(context, session, wanted, kept)
            if not word:
                return code
            if word != AGAIN:
                loaded = context.catalogue.game(word)
            header, kept = next_header(loaded, header, context.catalogue.bots(loaded.info.name)), None

    return asyncio.run(matches())


def _session(
    context: CommandContext, loaded: LoadedGame, header: Header, kept: Kept | None, think: float
) -> LocalSession:
    from tavolata._cli.people_form import last_people
    from tavolata._engine.match.seating import PROGRAM, THINKER, known_level
    from tavolata._engine.sessions.local import LocalSession
    from tavolata._ui.people_here import people_of

    known = context.catalogue.bots(loaded.info.name)
    bots: list[Any] = [
        None if level in (None, PROGRAM) else known[known_level(level, known)]() for level in header.bots
    ]
    seats = [seat for seat, level in enumerate(header.bots) if level is None]
    here = people_of([header.names[seat] for seat in seats], last_people()) if len(seats) > 1 else []
    looks: list[tuple[int, int] | None] = [None] * len(header.names)
    for seat, one in zip(seats, here, strict=False):
        looks[seat] = one.look
    keys = {seat: one.key for seat, one in zip(seats, here, strict=False)}
    return LocalSession(
        header, loaded.game, loaded.info.package, bots, think=think, kept=kept, looks=looks, keys=keys,
        thinker=known[THINKER](),
    )  # fmt: skip


def next_header(loaded: LoadedGame, header: Header, known: Mapping[str, type[Bot]]) -> Header:
    """Return the terms of the next match with the same players, in the same game or another one.

    Another game gets the same number of seats if it allows that number, and bots of its normal level: `known`
    are its bots.
    """
    from tavolata._engine.match.seating import PROGRAM, seat

    campaign = header.campaign
    if campaign is not None:
        from tavolata._engine.storage.campaign_files import load

        same = loaded.info.name == header.game
        campaign = (load(header.game, campaign.name) or campaign) if same else None
    fresh: dict[str, Any] = {
        "campaign": campaign,
        "id": _machine.token(8).hex(), "seed": _machine.bits(53),
        "version": loaded.info.version, "rules_id": loaded.game.rules_id, "code": loaded.info.code,
    }  # fmt: skip
    if loaded.info.name == header.game:
        return replace(header, **fresh)
    by_level: dict[str | None, list[str]] = {}
    for name, level in zip(header.names, header.bots, strict=True):
        by_level.setdefault(level, []).append(name)
    low, high = loaded.game.seats
    seating = seat(
        loaded.game, known,
        seats=min(high, max(low, len(header.names))),
        people=by_level.get(None, []), programs=by_level.get(PROGRAM, []),
    )  # fmt: skip
    return replace(
        header, game=loaded.info.name,
        options=loaded.game.options.parse(loaded.game.local).plain(),
        names=seating.names, bots=seating.levels, **fresh,
    )  # fmt: skip


def introduce(context: CommandContext, loaded: LoadedGame, *, guided: bool) -> None:
    """Say what a game is about before a person's first match in lines; the screen has a card for that."""
    if guided and not loaded.game.has_hints():
        from tavolata._engine.plugins.rulebooks import rulebook

        info = loaded.info
        told = NO_GUIDE if rulebook(loaded.game, info.package) is None else READ_RULES
        word = info.plugin if info.version == DEV else info.name
        context.note(context.text(told, {"game": info.name, "word": word}))
    if context.on_terminal and context.frontend == "plain" and is_new(loaded.info.name):
        from tavolata._ui.opening import card_rows
        from tavolata._ui.words import Words

        for label, said in card_rows(loaded.game, Words(context.translator, loaded.info.package, ())):
            context.note(f"{label}: {said}")
