"""`tt play` and `tt resume`: a match in this process, against bots or with people at one keyboard."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata._cli.playing import option_words, own_name, read_pace, show
from tavolata._cli.session import Session, session_of
from tavolata.messages import N_

if TYPE_CHECKING:
    from tavolata._engine.header import Header
    from tavolata._engine.plugins import LoadedGame
    from tavolata._engine.store import Kept

THINKING = 0.8
"""Seconds that a bot takes when people watch at a terminal; a pipe need not wait."""


def play(
    ctx: typer.Context,
    game: Annotated[str, typer.Argument(help=N_("The game; `tt games` lists them."))],
    seats: Annotated[int | None, typer.Option(help=N_("How many seats in all."))] = None,
    humans: Annotated[int, typer.Option(help=N_("How many people sit at this keyboard."))] = 1,
    bots: Annotated[
        str | None, typer.Option(help=N_("How many bots, or their levels: 3, or easy,hard."))
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help=N_("A house rule, such as fiches=5; may be repeated."))
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help=N_("The same seed and answers give the same match."))
    ] = None,
    bot: Annotated[str | None, typer.Option(help=N_("Let a bot of this level play your own seat."))] = None,
    pace: Annotated[
        str | None, typer.Option(help=N_("Cards turn with a key, after so many seconds, or off."))
    ] = None,
    name: Annotated[str | None, typer.Option("--as", help=N_("Your name at the table."))] = None,
) -> int:
    """Play a match here, against bots or at one keyboard."""
    import secrets

    from tavolata._engine.header import Header
    from tavolata._engine.seating import SeatingError, known_level, read_bots, seat

    session = session_of(ctx)
    loaded = session.catalogue.game(game)
    known = session.catalogue.bots(game)
    if humans < 1:
        raise SeatingError(
            N_("Somebody has to sit down: --humans is at least 1; --bot plays your seat for you.")
        )
    first = own_name(session, name)
    people = [first] + [f"{first} {number}" for number in range(2, humans + 1)]
    options = loaded.game.options.parse(option_words(option))
    seating = seat(
        loaded.game, known,
        seats=seats, people=people, bots=None if bots is None else read_bots(bots, known),
        own_bot=None if bot is None else known_level(bot, known),
    )  # fmt: skip
    watched = None in seating.levels
    header = Header(
        id=secrets.token_hex(8),
        game=game,
        version=loaded.game.version,
        rules_id=loaded.game.rules_id,
        options=options.plain(),
        names=seating.names,
        bots=seating.levels,
        pace=read_pace(pace, watched=watched),
        seed=seed if seed is not None else secrets.randbits(53),
    )
    return _run(session, loaded, header, None)


def resume(
    ctx: typer.Context,
    match: Annotated[
        str | None, typer.Argument(metavar="[ID]", help=N_("The match; the latest if none is named."))
    ] = None,
) -> int:
    """Go on with a match that was left or cut off."""
    from tavolata._engine.header import OPEN, Header
    from tavolata._engine.store import StoreError, path_of, read, unfinished

    session = session_of(ctx)
    if match is None:
        waiting = [kept for kept in unfinished() if kept.header.get("dealer") == OPEN]
        if not waiting:
            raise StoreError(N_("No match is waiting to go on; `tt play` begins one."))
        kept = waiting[0]
        for other in waiting[1:]:
            session.note(session.text(N_("Another match waits: `tt resume {id}`."), {"id": other.path.stem}))
    else:
        kept = read(path_of(match))
        if kept.end is not None:
            raise StoreError(N_("The match {id} is over."), id=match)
    try:
        header = Header.of(kept.header)
    except (TypeError, KeyError):
        raise StoreError(N_("{path} is no match file."), path=kept.path) from None
    if header.dealer != OPEN:
        raise StoreError(
            N_("The match {id} was played at a table of peers: `tt join` goes back there."), id=match
        )
    return _run(session, session.catalogue.game(header.game), header, kept)


def _run(session: Session, loaded: LoadedGame, header: Header, kept: Kept | None) -> int:
    from tavolata._engine.local import LocalSitting
    from tavolata._engine.seating import known_level

    known = session.catalogue.bots(header.game)
    bots: list[Any] = [None if level is None else known[known_level(level, known)]() for level in header.bots]

    async def main() -> int:
        think = THINKING if session.on_terminal and header.pace is not None else 0.0
        sitting = LocalSitting(header, loaded.game, loaded.package, bots, think=think, kept=kept)
        return await show(session, sitting)

    return asyncio.run(main())
