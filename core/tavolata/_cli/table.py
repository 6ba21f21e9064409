"""The commands `tt host` and `tt join`, which open and join a table on the network."""

from __future__ import annotations

import asyncio
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tavolata import API
from tavolata._cli import completions
from tavolata._cli.campaigns import wanted_campaign
from tavolata._cli.choosing import agreed, asked_name, keep_name
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.parameters import (
    BotCount,
    CampaignName,
    GameName,
    HouseRules,
    Nudged,
    OwnBot,
    OwnName,
    Pace,
    SeatCount,
    TeamCount,
    ThinkingTime,
    Unlike,
    WebPort,
    number,
)
from tavolata._cli.playing import in_words_of, option_words, read_pace, show
from tavolata._engine.table.invitations import Invitation
from tavolata._machine import disk
from tavolata.messages import N_
from tavolata.options import problems_of, refuse_first

if TYPE_CHECKING:
    from tavolata._engine.network.joining import TableAccess, TableCard
    from tavolata._engine.network.table_errors import KeyChanged, TableRejoined
    from tavolata._engine.peer.peer import PeerSession
    from tavolata._engine.peer.peer_settings import PeerSettings
    from tavolata._engine.plugins.catalogue import LoadedGame
    from tavolata._engine.storage.ways_back import WayBack, WayFile

A_GAME = N_(
    "{game} is a game, not an address. Run `tt join` on its own to see the open tables. If you mean "
    "a computer with that name, use {game}.local."
)


def host(
    context: CommandContext,
    game: GameName,
    *,
    seats: SeatCount = None,
    bots: BotCount = None,
    teams: TeamCount = 0,
    campaign: CampaignName = None,
    option: HouseRules = None,
    start: Annotated[
        str,
        typer.Option(
            help=N_("Start when the table is full (full) or when you say so (ask)."),
            autocompletion=completions.among("full", "ask"),
        ),
    ] = "ask",
    bot: OwnBot = None,
    think: ThinkingTime = None,
    pace: Pace = None,
    bind: Annotated[
        list[str] | None,
        typer.Option(help=N_("Address of this computer to listen on (repeatable).")),
    ] = None,
    port: Annotated[int | None, number(text=N_("UDP port."), low=1, high=65535)] = None,
    away: Annotated[
        str | None,
        typer.Option(
            help=N_("Use the default answer for absent players (blind) or have everyone wait (wait)."),
            autocompletion=completions.among("blind", "wait"),
        ),
    ] = None,
    stand_after: Annotated[
        int | None,
        number(text=N_("Seconds of silence before --away applies to a player with hidden cards (30–600).")),
    ] = None,
    idle: Annotated[
        int | None,
        number(text=N_("Seconds of silence before a player can be nudged (30–3600).")),
    ] = None,
    fixed_keys: Annotated[
        bool,
        typer.Option(
            "--fixed-keys",
            help=N_("Keep the number of machines needed to open cards the same throughout the match."),
        ),
    ] = False,
    nudged: Nudged = "bot",
    name: OwnName = None,
    dealer: Annotated[
        str,
        typer.Option(
            help=N_(
                "Dealer: all machines together, so no single one has to be trusted (fair), or you (host)."
            ),
            autocompletion=completions.among("fair", "host"),
        ),
    ] = "fair",
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help=N_(
                "Deal so that no one can see hidden cards unless every player helps. Everyone must stay "
                "connected."
            ),
        ),
    ] = False,
    private: Annotated[bool, typer.Option("--code/--open", help=N_("Require a code to join."))] = False,
    anywhere: Annotated[bool, typer.Option("--any", help=N_("Accept players from other networks."))] = False,
    unlike: Unlike = False,
    quiet_network: Annotated[
        bool,
        typer.Option("--quiet-network", help=N_("Don't announce the table; players need the address.")),
    ] = False,
    web: Annotated[
        bool,
        typer.Option("--web", help=N_("Let phones and browsers join by QR code.")),
    ] = False,
    screen: Annotated[
        bool,
        typer.Option(
            "--screen",
            help=N_("Alias for --web, to show the table on a TV."),
        ),
    ] = False,
    web_port: WebPort = None,
    play: Annotated[
        bool,
        typer.Option(
            "--play", help=N_("Take a seat even in a game with a narrator, where you'll know every role.")
        ),
    ] = False,
) -> int:
    """Host a table on your network."""
    from tavolata._cli.browsers import check_web, in_browsers
    from tavolata._engine.match.header import IDLE, STAND_AFTER, is_absence, is_idle
    from tavolata._engine.match.seating import check_seats, known_level, read_bots, teams_for, usual_seats
    from tavolata._engine.network.announcing import announced, as_host, everywhere, free_seats
    from tavolata._engine.network.joining import PORT, TableCard, open_table
    from tavolata._engine.network.table_errors import TableRejoined
    from tavolata._engine.network.ways import MOVED, Ways
    from tavolata._engine.peer.peer_settings import PeerSettings
    from tavolata._engine.table.table_keys import new_keys
    from tavolata_protocol.codes import show_code
    from tavolata_protocol.identity import fingerprint
    from tavolata_protocol.io.interfaces import Nearby

    context.let_think(think)
    loaded = context.catalogue.game(game)
    known = context.catalogue.bots(loaded.info.name)
    if start not in ("full", "ask"):
        raise UsageError(N_("--start can be full or ask, not {word}."), word=start)
    if away not in (None, "wait", "blind"):
        raise UsageError(N_("--away can be blind or wait, not {word}."), word=away)
    if stand_after is not None and not is_absence(stand_after):
        raise UsageError(N_("--stand-after must be from 30 to 600, not {seconds}."), seconds=stand_after)
    if idle is not None and not is_idle(idle):
        raise UsageError(N_("--idle must be from 30 to 3600, not {seconds}."), seconds=idle)
    wanted = usual_seats(loaded.game) if seats is None else seats
    total = loaded.game.seats[1] if seats is None and start == "ask" else wanted
    levels = read_bots(bots, known) if bots is not None else []
    check_seats(loaded.game, total)
    teams = teams_for(loaded.game, teams, wanted)
    goes_on = wanted_campaign(loaded, campaign)
    if len(levels) >= total:
        raise UsageError(
            N_("{bots} bots leave no free seat at a table for {seats}."), bots=len(levels), seats=total
        )
    if bot is not None and start == "ask":
        raise UsageError(N_("With --bot, no one's here to start the match. Add --start full."))
    serves = web or screen
    check_web(wanted=serves, port=web_port)
    narrates = loaded.game.narrator and not play and bot is None
    if play and not loaded.game.narrator:
        raise UsageError(
            N_("--play is for games with a narrator; in {game} the host plays anyway."), game=game
        )
    if loaded.game.narrator and strict:
        raise UsageError(N_("--strict doesn't work with {game}'s narrator."), game=game)
    with in_words_of(loaded.info.package):
        options = loaded.game.options.parse(option_words(option))
        refuse_first(problems_of(options, wanted, teams))
    where = port if port is not None else PORT
    settings = PeerSettings(
        level=None if bot is None else known_level(bot, known),
        think=context.think,
        found=(total, options.plain(), _dealer(dealer, strict=strict)),
        keys=new_keys() if private else None,
        bots=levels,
        at_once=start == "full",
        away=away or "",
        stand_after=STAND_AFTER if stand_after is None else stand_after,
        idle=IDLE if idle is None else idle,
        fixed=fixed_keys,
        teams=teams,
        campaign=goes_on,
        nudged=known_nudged(nudged),
        pace=read_pace(pace, watched=False) if pace is not None else None,
        unlike=unlike,
        stays=bot is None,
        anywhere=anywhere,
        quiet=quiet_network,
        watch=narrates,
        name=asked_name(context, name, bot=bot),  # last: nobody is asked by a command that is refused
    )

    async def main() -> int:
        hosts, near = bind or everywhere(), Nearby()
        near.everybody = anywhere
        card = TableCard.of_game(settings.name, loaded, unlike=unlike, quiet=quiet_network)
        async with open_table(card, hosts, where, settings.keys, near) as seat:
            ways = Ways(seat.log_driver.driver, PORT)
            settings.address = ways.address
            if not ways.told:
                context.note(context.text(N_("The table is open.")))
            for line in ways.lines(N_("The table is open. Others join with: tt join {address}")):
                context.note(context.text(line.message, line.params))
            if settings.keys is not None:
                told = {"code": show_code(settings.keys.code)}
                context.note(context.text(N_("The table is private; its code is {code}."), told))
                if ways.told:
                    key = fingerprint(seat.own.identity.peer)
                    link = Invitation(ways.address, settings.keys.code, key).link()
                    context.note(context.text(N_("Or send this invitation (for tt join --link):")))
                    context.note(link)
            session = _session(context, seat, loaded.info.name, settings)
            near.on_far = session.called_from_afar

            def follow() -> None:
                settings.address = ways.address
                session.note(ways.lines(MOVED))

            ways.on_change.append(follow)
            free = partial(free_seats, session.state, total - (not narrates))
            said = as_host(
                seat.table, lambda: settings.name, lambda: session.game, where, free, private=private
            )
            news = nullcontext() if quiet_network else announced(said, ways)
            pages = in_browsers(context, session, settings, ways, web_port, near) if serves else nullcontext()
            async with ways.watched(), news, pages:
                return await show(context, session)

    try:
        return asyncio.run(main())
    except TableRejoined as moved:
        guest = replace(settings, found=None, keys=None, campaign=None, bots=(), teams=0, at_once=False)
        return _rejoin(context, moved, guest, web=serves, web_port=web_port)


def known_nudged(word: str) -> str:
    """Return what this machine does when its player was nudged; raise UsageError for an unknown word."""
    if word not in ("bot", "rest", "wait"):
        raise UsageError(N_("--nudged can be bot, rest or wait, not {word}."), word=word)
    return word


def _dealer(word: str, *, strict: bool) -> str:
    if word not in ("fair", "host"):
        raise UsageError(N_("--dealer can be fair or host, not {word}."), word=word)
    if strict and word == "host":
        raise UsageError(
            N_("--strict needs a table where everyone deals together, so it doesn't work with --dealer host.")
        )
    return "strict" if strict else word


def join(
    context: CommandContext,
    address: Annotated[
        str | None,
        typer.Argument(
            metavar="ADDRESS[:PORT]",
            help=N_("Address of the table, e.g. 192.168.1.5 (default: search the network)."),
        ),
    ] = None,
    *,
    name: OwnName = None,
    bot: OwnBot = None,
    think: ThinkingTime = None,
    game: Annotated[
        str | None,
        typer.Option(
            metavar="FILE", help=N_("Play the table's game with the rules in this file: ./game.py.")
        ),
    ] = None,
    nudged: Nudged = "bot",
    watch: Annotated[bool, typer.Option("--watch", help=N_("Watch only."))] = False,
    code_file: Annotated[
        str | None,
        typer.Option(metavar="FILE", help=N_("Read the code, or an invitation, from a file.")),
    ] = None,
    link: Annotated[bool, typer.Option("--link", help=N_("Join with an invitation."))] = False,
    unlike: Unlike = False,
    new_key: Annotated[
        bool, typer.Option("--new-key", help=N_("Accept the host's new key (ask the host first)."))
    ] = False,
    web: Annotated[
        bool,
        typer.Option(
            "--web",
            help=N_(
                "Let phones and browsers connect here too, so they can play on if the host's computer goes "
                "down."
            ),
        ),
    ] = False,
    web_port: WebPort = None,
) -> int:
    """Join a table."""
    from tavolata._cli.browsers import check_web
    from tavolata._cli.finding import choose
    from tavolata._cli.invited import invited_by
    from tavolata._engine.network.table_errors import Unreachable
    from tavolata._engine.peer.peer_settings import PeerSettings

    check_web(wanted=web, port=web_port)
    context.let_think(think)
    if game is not None:
        context.catalogue.game(game)
    invitation = invited_by(context, address, code_file, link=link)
    if any(info.name == invitation.address for info in context.catalogue.infos()):
        raise Unreachable(A_GAME, game=invitation.address)
    where = invitation.address or choose(context)
    settings = PeerSettings(
        level=bot,
        watch=watch,
        nudged=known_nudged(nudged),
        think=context.think,
        unlike=unlike,
        address=where,
        stays=bot is None and (context.on_terminal or not watch),
        name=asked_name(context, name, bot=bot),  # last: nobody is asked by a command that is refused
    )
    return _join(context, invitation, settings, web=web, web_port=web_port, new_key=new_key)


def _join(
    context: CommandContext, invitation: Invitation, settings: PeerSettings, *, web: bool,
    web_port: int | None, new_key: bool = False,
) -> int:  # fmt: skip
    """Join the table at an address, and ask for whatever else that takes."""
    from tavolata._cli.install import GameWanted, offer_to_install
    from tavolata._cli.invited import ask_code, ask_code_again
    from tavolata._engine.match.seating import known_level
    from tavolata._engine.network.joining import PORT, join_table
    from tavolata._engine.network.known_peers import keep_address
    from tavolata._engine.network.table_errors import (
        CodeRefused,
        CodeWanted,
        HasLeft,
        KeyChanged,
        TableRejoined,
    )
    from tavolata_protocol.io.interfaces import spoken

    async def main(where: str, invitation: Invitation, *, takes: bool) -> int:
        async with join_table(
            where, settings.name, watch=settings.watch, new_key=takes, invitation=invitation
        ) as (seat, card):
            if seat.host is not None:
                keep_address(spoken(seat.host[1], PORT), card.name)
            settings.quiet = card.quiet
            loaded = _installed(context, card, unlike=settings.unlike)
            if settings.level is not None:
                known_level(settings.level, context.catalogue.bots(loaded.info.name))
            return await _guest(context, seat, loaded.info.name, settings, web, web_port)

    where, takes = settings.address, new_key
    while True:
        try:
            return asyncio.run(main(where, invitation, takes=takes))
        except CodeWanted as wanted:
            typed = settings.level is None
            invitation = replace(invitation, code=ask_code(context, wanted, typed=typed))
        except CodeRefused as wrong:
            invitation = replace(invitation, code=ask_code_again(context, wrong))
        except GameWanted as missing:
            offer_to_install(context, missing.card)
        except KeyChanged as changed:
            if not (context.on_terminal and agreed(context, asked_of(changed, context))):
                raise
            takes = True
        except HasLeft:  # by a copy of an earlier stay, which is gone now
            continue
        except TableRejoined as moved:
            return _rejoin(context, moved, settings, web=web, web_port=web_port)


def _rejoin(context: CommandContext, moved: TableRejoined, settings: PeerSettings, **web: Any) -> int:
    """Join a table again at a member that is reached, as this machine's copy of the log was given up."""
    context.note(context.text(moved.message, moved.params))
    return _join(context, Invitation(key=moved.key), replace(settings, address=moved.address), **web)


def asked_of(changed: KeyChanged, context: CommandContext) -> str:
    """Return the question about a key that isn't known under its name."""
    from tavolata._engine.network.table_errors import OTHER_PERSON
    from tavolata._ui.table_lines import REALLY

    return context.text(EXPECTED if changed.message == OTHER_PERSON else REALLY, changed.params)


EXPECTED = N_("You met a different {name} on {date}; this one's key is {key}. Are you expecting this {name}?")


def resume_at_table(
    context: CommandContext, game: str, file: WayFile, way: WayBack, *,
    unlike: bool = False, web: bool = False, web_port: int | None = None, back: bool = False,
) -> int:  # fmt: skip
    """Resume a match that was played at a table, when enough of its machines are back.

    `unlike` allows other code than before; `web` lets browsers sit here, as at `tt join`. With `back` it goes
    back to the end of a turn where the match broke.
    """
    from tavolata._engine.network.joining import PORT, TableCard, resume_table
    from tavolata._engine.network.table_errors import HasLeft, NothingKept, TableRejoined
    from tavolata._engine.network.ways import Ways
    from tavolata._engine.peer.peer_settings import PeerSettings
    from tavolata_protocol.io.interfaces import spoken

    settings = PeerSettings(
        way.name,
        level=way.level,
        watch=way.watch,
        think=context.think,
        pages_before=way.pages,
        stays=way.level is None,
        unlike=unlike,
        quiet=way.quiet,
    )

    def join_again() -> int:
        where = [spoken(address, PORT) for address in way.addresses.values()]
        if not where:
            raise UsageError(
                N_("There's no saved address for anyone else at that table. Rejoin with `tt join ADDRESS`.")
            )
        return _join_any(context, where, settings, web=web, web_port=web_port)

    if not disk().is_file(file.log):  # it quit in good order, so it comes back as new; the others have all
        return join_again()
    loaded = context.catalogue.named(game)
    resuming = replace(settings, resumes=way, goes_back=back)
    card = TableCard.of_game(way.name, loaded, unlike=unlike, quiet=way.quiet)

    async def main() -> int:
        async with resume_table(file, way, card) as seat:
            resuming.address = Ways(seat.log_driver.driver, PORT).address
            return await _guest(context, seat, game, resuming, web, web_port)

    try:
        return asyncio.run(main())
    except (NothingKept, HasLeft):
        return join_again()
    except TableRejoined as moved:
        return _rejoin(context, moved, settings, web=web, web_port=web_port)


def _session(context: CommandContext, seat: TableAccess, game: str, settings: PeerSettings) -> PeerSession:
    from tavolata._engine.peer.game_library import GameLibrary
    from tavolata._engine.peer.peer import PeerSession

    known = context.catalogue
    return PeerSession(
        seat.log_driver, seat.own.identity.peer,
        GameLibrary(game, lambda name: (known.game(name), known.bots(name)), known.games),
        settings, seat.host, seat.met, partial(keep_name, context),
    )  # fmt: skip


async def _guest(
    context: CommandContext, seat: TableAccess, game: str, settings: PeerSettings, web: bool,
    web_port: int | None,
) -> int:  # fmt: skip
    from tavolata._cli.browsers import in_browsers
    from tavolata._engine.network.announcing import announced, as_heir
    from tavolata._engine.network.joining import PORT
    from tavolata._engine.network.ways import Ways

    settings.anywhere = seat.near.everybody
    session = _session(context, seat, game, settings)
    ways = Ways(seat.log_driver.driver, PORT)
    port, is_orphaned = seat.log_driver.driver.port, session.commands.is_orphaned
    said = as_heir(seat.table, session.state, seat.own.identity.peer, port, is_orphaned)
    pages = in_browsers(context, session, settings, ways, web_port, seat.near) if web else nullcontext()
    news = nullcontext() if settings.quiet else announced(said, ways)
    async with ways.watched(), news, pages:
        return await show(context, session)


def _join_any(
    context: CommandContext, where: list[str], settings: PeerSettings, *, web: bool, web_port: int | None
) -> int:
    """Join the table at the first of these addresses that answers."""
    from tavolata._engine.network.table_errors import Unreachable

    def back(address: str) -> int:
        there = replace(settings, address=address)
        return _join(context, Invitation(address), there, web=web, web_port=web_port)

    for address in where[:-1]:
        with suppress(Unreachable):
            return back(address)
    return back(where[-1])


def _installed(context: CommandContext, card: TableCard, *, unlike: bool) -> LoadedGame:
    """Return the installed game that a table plays.

    Raise GameWanted if there isn't one, TableRefused if it has other rules or other code.
    """
    from tavolata._cli.install import GameWanted
    from tavolata._engine.match.game_info import OTHER_API
    from tavolata._engine.network.table_errors import TableRefused
    from tavolata._engine.plugins.loader import NoSuchGame
    from tavolata._engine.plugins.same_code import why_not_together

    if card.api != API:
        raise TableRefused(OTHER_API, game=card.game, theirs=card.api, ours=API)
    try:
        loaded = context.catalogue.named(card.game)
    except NoSuchGame as error:
        raise GameWanted(card) from error
    if loaded.game.rules_id != card.rules_id:
        raise TableRefused(
            N_("{name} is hosting {game} with different rules (version {theirs}; yours is {ours}). "
                "Install the same version: pip install -U \"{distribution}\"."),
            name=card.name, game=card.game, theirs=card.version, ours=loaded.info.version,
            distribution=loaded.info.distribution,
        )  # fmt: skip
    refused = why_not_together(loaded, card.edition, unlike=unlike, lets=card.unlike)
    if refused is not None:
        raise TableRefused(refused[0], **refused[1])
    return loaded
