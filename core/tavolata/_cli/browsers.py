"""The web pages of `tt host --web` and `tt join --web`: seats for people that this machine serves."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager
from typing import TYPE_CHECKING

from tavolata import _machine
from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import UsageError
from tavolata._cli.rules import at_table
from tavolata._text import Clean
from tavolata.messages import N_, Text

if TYPE_CHECKING:
    from tavolata._engine.network.ways import Ways
    from tavolata._engine.peer.peer import PeerSession
    from tavolata._engine.peer.peer_settings import PeerSettings
    from tavolata._engine.sessions.knocks import Knock
    from tavolata._engine.sessions.session import TableSession
    from tavolata._ui.i18n import Translator
    from tavolata_protocol.addresses import Predicate

KNOCKS = N_("{letters}: {name} is knocking. Type admit {letters} or reject {letters}.")
BACK_KNOCKS = N_(
    "{letters}: {name} wants their seat back on another phone. Type admit {letters} or reject {letters}."
)
SCREEN_KNOCKS = N_("{letters}: a television wants to join. Type admit {letters} or reject {letters}.")
PRESS_Y = N_("Knocking: {knocks}. Press y to let in {letters}.")
DEAF = N_("Too many devices have knocked. Knocking is off for now; at an open table, the link still works.")


def check_web(*, wanted: bool, port: int | None) -> None:
    """Raise UsageError if the extra for the web is missing, or a port is given without `--web`."""
    from tavolata._engine.diagnostics.web_extra import MISSING, can_serve

    if wanted and not can_serve():
        raise UsageError(MISSING)
    if port is not None and not wanted:
        raise UsageError(N_("--web-port needs --web."))


def knocked(knock: Knock, first: Knock, *, keys: bool) -> Text:
    """Return the notice of a knock: what to type, or the key of the full screen, which admits the `first`."""
    told = {"name": knock.name, "letters": knock.letters}
    if not keys:
        return Text(SCREEN_KNOCKS if knock.screen else BACK_KNOCKS if knock.back else KNOCKS, told)
    from tavolata._ui.tui.screens import hosting

    form = hosting.SCREEN_KNOCKS if knock.screen else hosting.KNOCKS
    return Text(PRESS_Y, {"knocks": Text(form, told), "letters": first.letters})


@asynccontextmanager
async def in_browsers(
    context: CommandContext,
    session: PeerSession,
    settings: PeerSettings,
    ways: Ways,
    port: int | None,
    near: Predicate,
) -> AsyncIterator[None]:
    """Serve the table to browsers until this player leaves it, and print the links.

    They are served where the table listens. The link goes to `settings.web` and follows the first of the
    `ways`, and what the others hear goes to its `pages`. `near` decides which addresses a browser may come
    from; without a `port`, any free one is taken. Raise PortTaken if another program has the port of the
    pages.
    """
    from tavolata._engine.network.joining import PORT
    from tavolata._engine.review.replay import Replay
    from tavolata._engine.sessions.knocks import Knocks
    from tavolata._engine.sessions.table_facts import IN_BROWSERS, ON_TELEVISION, TRUST
    from tavolata._engine.storage.match_file import StoreError, read
    from tavolata._engine.storage.ways_back import KEPT
    from tavolata._web.gate import bare_link, web_link
    from tavolata._web.seats import Farewell, Stops, WebAccess
    from tavolata._web.server import WebTable, served

    def title(speaker: Translator) -> str:
        info = context.catalogue.game(session.game).info
        return speaker.text(info.title, {}, info.package)

    def enter(
        tag: bytes, name: str, watch: bool, keep_name: Callable[[str], object]
    ) -> AbstractContextManager[TableSession]:
        return session.serve(tag, name, keep_name, watch=watch)

    def played() -> Replay:
        last, file = session.state.matches.last, session.match_file
        if last is None or file is None:
            raise StoreError(N_("No matches have been played here yet."))
        return Replay(read(file), last.header, last.match.rules)

    def rules(speaker: Translator) -> str:
        return at_table(context.catalogue.game(session.game), speaker)

    def farewell() -> Farewell | None:
        match = session.match
        if match is None or not session.is_resumable:
            return None
        stops = Stops.TODAY if session.is_suspended else Stops.MATCH if session.is_needed else Stops.LAPTOP
        return Farewell(match.turns, _machine.wall() + KEPT, stops)

    def elsewhere() -> list[tuple[str, str]]:
        pages = session.state.roster.other_pages
        return [(player, web_link(host, port, token)) for player, host, port, token in pages]

    def private() -> bool:
        keys, known = settings.keys or session.state.lobby.keys, settings.found or session.state.roster.host
        return keys is not None or not known

    def looks_on(tag: bytes) -> bool:
        person, lobby = session.state.me + tag, session.state.lobby
        return person in session.state.roster.watchers and person not in lobby.chairs.queue

    def heard(knock: Knock) -> None:
        first = settings.knocks.waiting[0] if settings.knocks is not None else knock
        session.note([knocked(knock, first, keys=context.frontend == "tui")])

    settings.knocks = Knocks(
        asyncio.get_running_loop().time,
        lambda limit: _machine.bits(32) % limit,
        heard,
        lambda: session.note([Text(DEAF)]),
    )
    usual, token = settings.pages_before or (PORT, "")
    access = WebAccess(
        lambda: settings.name,
        title,
        enter,
        rules,
        lambda: settings.web,
        elsewhere,
        played,
        session.name_served,
        farewell,
        lambda: bool(session.state.roster.host),
        settings.knocks,
        private,
        looks_on,
        lambda: session.state.moderation.locked,
    )
    table = WebTable(access, near, token)

    def name() -> str:
        return ways.page_host or socket.gethostname()

    def follow() -> None:
        before, settings.web = settings.web, web_link(name(), table.port, table.token)
        if settings.web != before:
            session.note([Text(IN_BROWSERS, {"link": settings.web})])
            _note_qr(context, settings.web)

    async with served(table, ways.bound, port, usual):
        settings.web = web_link(name(), table.port, table.token)
        settings.pages = table.port, table.token
        context.note(context.text(IN_BROWSERS, {"link": settings.web}))
        context.note(context.text(ON_TELEVISION, {"link": bare_link(name(), table.port)}))
        context.note(context.text(TRUST, {"host": settings.name}))
        _note_qr(context, settings.web)
        ways.on_change.append(follow)
        yield


def _note_qr(context: CommandContext, link: str) -> None:
    """Print the QR code of a link, black on white in every colour scheme; the screen has it in the lobby."""
    if context.frontend != "plain" or not context.on_terminal or context.screen_reader:
        return
    from tavolata._ui.tui.drawing.lobby import qr_lines

    for line in qr_lines(link, ascii_only=context.ascii):
        row = "".join(text for text, _ in line)
        context.note(Clean(f"\x1b[30;107m{row}\x1b[0m" if context.color else row))
