"""The web server of a table on the local network, built on aiohttp.

It decides nothing itself: `gate` checks requests, `pages` makes the responses, `seats` runs the players.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import shutil
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Final

from aiohttp import web

from tavolata._engine.network.table_errors import PortTaken
from tavolata._engine.storage.file_lock import lock
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata._ui.i18n import SOURCE, Translator, languages
from tavolata._web import gate, pages
from tavolata._web.seats import BrowserSeat, BrowserWindow
from tavolata.messages import N_
from tavolata_protocol.addresses import Predicate

OWN, THEIRS = (Path(str(files(one))) / "static" for one in ("tavolata._web", "textual_serve"))
FILES: Final = {
    "page.css": OWN / "page.css",
    "page.js": OWN / "page.js",
    "textual.js": THEIRS / "js" / "textual.js",
    "xterm.css": THEIRS / "css" / "xterm.css",
    "RobotoMono.ttf": THEIRS / "fonts" / "RobotoMono-VariableFont_wght.ttf",
    "RobotoMono-Italic.ttf": THEIRS / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
}
"""The files that the page of the table loads; no other files are served."""

PREFIX = "tavolata-seats-"
"""The prefix of the folder for a table's seats, in the system's temporary folder."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebTable:
    """The web server of one table.

    Args:
        host: the name of the host.
        title: the title of the game in a given language.
        invitation: the address of the table for processes of this machine, with its code.
        near: decides which addresses a request may come from.
        address: the address of the table for others.

    Attributes:
        token: the token of the invitation for newcomers.
        port: the TCP port.
        folder: the folder that holds the seats' folders.
        seats: the seats by `seat_key`.
    """

    def __init__(
        self,
        host: str,
        title: Callable[[Translator], str],
        invitation: Callable[[], str],
        near: Predicate,
        address: str = "",
    ) -> None:
        self.token = gate.new_token()
        self.port = 0
        self.folder = Path()
        self._host = host
        self._title = title
        self._invitation = invitation
        self._near = near
        self._address = address
        self.seats: dict[str, BrowserSeat] = {}
        own = socket.gethostname().lower().rstrip(".")
        self._names = {"localhost", own, f"{own.removesuffix('.local')}.local"}
        self._speakers = {lang: Translator(lang) for lang in languages()}

    def app(self) -> web.Application:
        """The aiohttp application."""
        app = web.Application(middlewares=[self._gate], client_max_size=4096)
        app.router.add_get("/", self._page)
        app.router.add_post("/", self._sit)
        app.router.add_get("/static/{name}", self._file)
        app.router.add_get("/ws/{theme:dark|light}", self._screen)
        return app

    async def close(self) -> None:
        """Make every seat leave."""
        await asyncio.gather(*(seat.close() for seat in self.seats.values()))

    # -- who may come in --------------------------------------------------------------------------

    @web.middleware
    async def _gate(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Accept a request that comes from a near address, uses our own name, and has a valid token."""
        peer = request.transport.get_extra_info("peername") if request.transport is not None else None
        own = peer is not None and self._near(peer) and gate.is_own_name(request.host, self.port, self._names)
        try:
            if not own or not (self._seat(request) or await self._invited(request)):
                return self._answer(request, self._speaker(request).text(pages.NO_ENTRY), status=403)
            return await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(pages.headers(request.host))
            raise

    @property
    def _cookie(self) -> str:
        return f"tavolata-{self.port}"  # browsers send a machine's cookies to all its ports

    def _seat(self, request: web.Request) -> BrowserSeat | None:
        return self.seats.get(gate.seat_key(request.cookies.get(self._cookie, "")))

    async def _invited(self, request: web.Request) -> bool:
        """Whether a newcomer opens the link, or sends a name after that."""
        if request.path != "/" or request.match_info.http_exception is not None:
            return False
        if request.method == "POST":
            if not gate.is_own_page(request.headers.get("Origin"), request.host):
                return False
            return gate.matches(str((await request.post()).get("seat", "")), self.token)
        return gate.matches(request.query.get("seat", ""), self.token)

    def _speaker(self, request: web.Request) -> Translator:
        accepted = request.headers.get("Accept-Language", "")
        return self._speakers[gate.spoken_language(accepted, self._speakers.keys(), SOURCE)]

    @staticmethod
    def _answer(request: web.Request, text: str, status: int = 200, kind: str = "text/plain") -> web.Response:
        return web.Response(text=text, status=status, content_type=kind, headers=pages.headers(request.host))

    # -- pages ------------------------------------------------------------------------------------

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """The table for a browser with a seat; the question for a name for a browser with the link."""
        if self._seat(request) is None:
            return self._ask_name(request, wrong=False)
        if request.query:
            raise web.HTTPSeeOther("/")  # this removes the token from the address bar
        speaker = self._speaker(request)
        page = pages.table_page(speaker.text, speaker.lang, title=self._title(speaker))
        return self._answer(request, page, kind="text/html")

    def _ask_name(self, request: web.Request, *, wrong: bool) -> web.Response:
        speaker = self._speaker(request)
        page = pages.name_page(
            speaker.text,
            speaker.lang,
            host=self._host,
            title=self._title(speaker),
            token=self.token,
            wrong=wrong,
        )
        return self._answer(request, page, kind="text/html")

    async def _sit(self, request: web.Request) -> web.StreamResponse:
        """Give a newcomer a seat, and send the seat's token to the browser."""
        if self._seat(request) is not None:
            raise web.HTTPSeeOther("/")
        name = one_line(str((await request.post()).get("name", "")), 24).replace("@", "").strip()
        speaker = self._speaker(request)
        if not name:
            return self._ask_name(request, wrong=True)
        if not self._make_room():
            return self._answer(request, speaker.text(pages.FULL), status=503)
        token = gate.new_token()
        key = gate.seat_key(token)
        self.seats[key] = BrowserSeat(self.folder / key, name, speaker.lang, speaker.text)
        answer = web.HTTPSeeOther("/")
        answer.set_cookie(self._cookie, token, httponly=True, samesite="Lax", path="/", max_age=86400)
        raise answer

    def _make_room(self) -> bool:
        """Remove the oldest unused seat if there are too many; return whether there is room for one more."""
        if len(self.seats) >= gate.SEATS:
            unused = next((key for key, seat in self.seats.items() if seat.idle), None)
            if unused is not None:
                del self.seats[unused]
        return len(self.seats) < gate.SEATS

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """A file that the page of the table loads."""
        file = FILES.get(request.match_info["name"])
        if self._seat(request) is None or file is None:
            raise web.HTTPNotFound
        told = {**pages.headers(request.host), "Cache-Control": "private, max-age=3600"}
        return web.FileResponse(file, headers=told)

    async def _screen(self, request: web.Request) -> web.StreamResponse:
        """The websocket over which the screen of a seat is drawn."""
        seat, transport = self._seat(request), request.transport
        if seat is None or transport is None:
            raise web.HTTPNotFound
        if not gate.is_own_page(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden
        connection = web.WebSocketResponse(heartbeat=15, max_msg_size=1 << 16)
        await connection.prepare(request)
        columns, rows = gate.size_of(request.query.get("width"), request.query.get("height"))
        window = BrowserWindow(connection, columns, rows, request.match_info["theme"], transport.abort)
        await seat.show(window, self._invitation(), self._address)
        return connection


@contextlib.asynccontextmanager
async def served(table: WebTable, hosts: Sequence[str], port: int | None, usual: int) -> AsyncIterator[None]:
    """Serve the pages of a table until it is over; then delete the seats and their folders.

    Args:
        table: the web server of the table.
        hosts: the addresses to listen at.
        port: the TCP port; None for the usual one or, if that is taken, any free port.
        usual: the usual port.

    Raises:
        PortTaken: another program has the port, or an address does not belong to this machine.
    """
    for logger in ("aiohttp", "textual-serve"):  # their messages would be printed over the screen
        logging.getLogger(logger).addHandler(logging.NullHandler())
    runner = web.AppRunner(table.app(), access_log=None, shutdown_timeout=1.0)
    _forget_the_killed()
    with (
        TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder,
        (Path(folder) / "lock").open("wb") as held,
    ):
        lock(held)
        table.folder = Path(folder)
        await runner.setup()
        try:
            table.port = await _listen(runner, hosts, [port] if port is not None else [usual, 0])
            yield
        finally:
            try:
                await table.close()
            finally:
                await runner.cleanup()


def _forget_the_killed() -> None:
    """Delete the folders of this person's tables whose `tt` was killed; their locks are free."""
    for file in Path(gettempdir()).glob(f"{PREFIX}*/lock"):
        with contextlib.suppress(OSError):
            with file.open("rb+") as left:
                free = lock(left)
            if free:
                shutil.rmtree(file.parent, ignore_errors=True)


async def _listen(runner: web.AppRunner, hosts: Sequence[str], ports: Sequence[int]) -> int:
    """Listen at all addresses, on the first port that is free at the first address; return that port."""
    first, *others = hosts
    for port in ports:
        try:
            await web.TCPSite(runner, first, port).start()
        except OSError as error:
            if error.errno == errno.EADDRINUSE and port != ports[-1]:
                continue
            if error.errno == errno.EADDRINUSE:
                raise PortTaken(
                    N_("Another program uses TCP port {port} already: close it, or take another with "
                       "--web-port."),
                    port=port,
                ) from error  # fmt: skip
            raise PortTaken(
                N_("This machine can't listen at {address}: {problem}."),
                address=one_line(first, 60), problem=trouble(error),
            ) from error  # fmt: skip
        break
    taken = int(runner.addresses[0][1])
    for host in others:
        with contextlib.suppress(OSError):  # the first address is enough
            await web.TCPSite(runner, host, taken).start()
    return taken
