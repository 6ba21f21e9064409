"""The web server of a table on the local network, built on aiohttp.

It decides nothing itself: `gate` checks requests, `pages` makes the responses, `seats` runs the players.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import logging
import socket
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Final

import segno
from aiohttp import web

from tavolata import _dirs
from tavolata._engine.network.table_errors import PortTaken
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata._ui.i18n import SOURCE, Translator, languages
from tavolata._web import gate, pages
from tavolata._web.door import TcpDoor
from tavolata._web.pages import rules_data
from tavolata._web.seats import (
    LARGEST,
    BrowserPage,
    BrowserSeat,
    WebAccess,
    remember,
    remembered,
    tag_of,
    tidy,
)
from tavolata.messages import N_
from tavolata_protocol.addresses import Predicate

FILES: Final = {
    one: Path(str(files("tavolata._web"))) / "static" / one
    for one in ("table.css", "table.js", "icon.svg", "table.webmanifest")
}
"""The files that the pages load; no other files are served."""
YEAR: Final = 365 * 86400
"""Seconds for which a browser keeps its token, so that it is the same person on another evening."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebTable:
    """The web server of one table.

    `near` decides which addresses a request may come from. `token` is that of the invitation for newcomers;
    empty for a new one. `screen_token` is that of the big screen, which shows what everyone may see. `folder`
    keeps the names of browsers' players; `seats` go by `seat_key`.
    """

    def __init__(self, access: WebAccess, near: Predicate, token: str = "") -> None:
        self.token = token or gate.new_token()
        self.screen_token = gate.screen_token(self.token)
        self.port = 0
        self.door: TcpDoor | None = None
        self.folder = Path(_dirs.data_dir()) / "browsers"
        self.seats: dict[str, BrowserSeat] = {}
        self._access = access
        self._near = near
        own = socket.gethostname().lower().rstrip(".")
        self._names = {"localhost", own, f"{own.removesuffix('.local')}.local"}
        self._speakers = {lang: Translator(lang) for lang in languages()}
        self._screen: BrowserSeat | None = None

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._gate], client_max_size=4096)
        app.router.add_get("/", self._page)
        app.router.add_post("/", self._sit)
        app.router.add_get("/screen", self._screen_page)
        app.router.add_get("/static/{name}", self._file)
        app.router.add_get("/rules", self._rules)
        app.router.add_get("/here", self._here)
        app.router.add_get("/ws", self._socket)
        app.router.add_get("/ws/screen", self._socket)
        return app

    async def close(self) -> None:
        shown = [] if self._screen is None else [self._screen]
        await asyncio.gather(*(seat.close() for seat in (*self.seats.values(), *shown)))

    # -- who may come in --------------------------------------------------------------------------

    @web.middleware
    async def _gate(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Accept a request that comes from a near address, uses our own name, and has a valid token."""
        peer = request.transport.get_extra_info("peername") if request.transport is not None else None
        own = peer is not None and self._near(peer) and gate.is_own_name(request.host, self.port, self._names)
        try:
            if own and request.path == "/here":
                return await handler(request)
            if not own or not (self._is_known(request) or await self._invited(request)):
                return self._answer(request, self._speaker(request).text(pages.NO_ENTRY), status=403)
            if self.door is not None and request.transport is not None and not self._is_file(request):
                self.door.prove(request.transport)
            return await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(pages.headers(request.host))
            raise

    @property
    def _cookie(self) -> str:
        return f"tavolata-{self.port}"  # browsers send a machine's cookies to all its ports

    def _token(self, request: web.Request) -> str:
        """Return the token in the browser's cookie; empty without one."""
        given = request.cookies.get(self._cookie, "")
        return given if gate.is_token(given) else ""

    def _seat(self, request: web.Request) -> BrowserSeat | None:
        """Return the seat of the browser; one from before a restart of this program is still its own."""
        token = self._token(request)
        key = gate.seat_key(token)
        file = self.folder / key
        name = self._access.served(tag_of(file)) if token and key not in self.seats else ""
        if name and self._make_room():
            self.seats[key] = BrowserSeat(file, name, self._speaker(request), self._access)
        return self.seats.get(key)

    def _is_screen(self, request: web.Request) -> bool:
        """Return True if the request is the big screen's: by its link, or by its cookie on its own paths."""
        if request.path == "/screen" and gate.matches(request.query.get("key", ""), self.screen_token):
            return True
        own = request.path in ("/screen", "/ws/screen", "/here")
        return own and gate.matches(request.cookies.get(f"{self._cookie}-screen", ""), self.screen_token)

    def _is_known(self, request: web.Request) -> bool:
        """Return True if the browser has a seat, is the big screen, or loads a file, the same for all."""
        return self._is_file(request) or self._seat(request) is not None or self._is_screen(request)

    @staticmethod
    def _is_file(request: web.Request) -> bool:
        return request.path.startswith("/static/") and request.match_info.http_exception is None

    async def _invited(self, request: web.Request) -> bool:
        """Return True if a newcomer opens the link, or sends a name after that."""
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
        """Return the table for a browser with a seat; the question for a name for one with the link."""
        if self._seat(request) is None:
            return self._ask_name(request, wrong=False)
        if request.query:
            raise web.HTTPSeeOther("/")  # this removes the token from the address bar
        return self._answer(request, self._table(request), kind="text/html")

    def _table(self, request: web.Request, *, screen: bool = False) -> str:
        speaker, link = self._speaker(request), self._access.link()
        code = [] if not link else [
            "".join("1" if dark else "0" for dark in row)
            for row in segno.make(link, error="l", micro=False).matrix_iter(border=2)
        ]  # fmt: skip
        title = self._access.title(speaker)
        return pages.table_page(
            speaker.text, speaker.lang, title=title, host=self._access.keeper(), link=link, code=code,
            screen=screen,
        )  # fmt: skip

    async def _screen_page(self, request: web.Request) -> web.StreamResponse:
        if not self._is_screen(request):
            raise web.HTTPNotFound
        if not request.query:
            return self._answer(request, self._table(request, screen=True), kind="text/html")
        answer = web.HTTPSeeOther("/screen")
        answer.set_cookie(
            f"{self._cookie}-screen", self.screen_token, httponly=True, samesite="Lax", max_age=YEAR
        )
        raise answer

    def _ask_name(self, request: web.Request, *, wrong: bool) -> web.Response:
        speaker = self._speaker(request)
        before = self._token(request)
        page = pages.name_page(
            speaker.text,
            speaker.lang,
            host=self._access.keeper(),
            title=self._access.title(speaker),
            token=self.token,
            name=remembered(self.folder / gate.seat_key(before)) if before else "",
            wrong=wrong,
        )
        return self._answer(request, page, kind="text/html")

    async def _sit(self, request: web.Request) -> web.StreamResponse:
        """Give a newcomer a seat; a browser that was here on another evening keeps its token."""
        if self._seat(request) is not None:
            raise web.HTTPSeeOther("/")
        name = one_line(str((await request.post()).get("name", "")), 24).replace("@", "").strip()
        speaker = self._speaker(request)
        if not name:
            return self._ask_name(request, wrong=True)
        if not self._make_room():
            return self._answer(request, speaker.text(pages.FULL), status=503)
        token = self._token(request)
        key = gate.seat_key(token)
        if not token or not remembered(self.folder / key):
            token = gate.new_token()
            key = gate.seat_key(token)
        remember(self.folder / key, name)
        self.seats[key] = BrowserSeat(self.folder / key, name, speaker, self._access)
        answer = web.HTTPSeeOther("/")
        answer.set_cookie(self._cookie, token, httponly=True, samesite="Lax", path="/", max_age=YEAR)
        raise answer

    def _make_room(self) -> bool:
        """Remove the oldest unused seat if there are too many; return True if there's room for one more."""
        if len(self.seats) >= gate.SEATS:
            unused = next((key for key, seat in self.seats.items() if seat.idle), None)
            if unused is not None:
                del self.seats[unused]
        return len(self.seats) < gate.SEATS

    async def _file(self, request: web.Request) -> web.StreamResponse:
        file = FILES.get(request.match_info["name"])
        if file is None:
            raise web.HTTPNotFound
        told = {**pages.headers(request.host), "Cache-Control": "private, max-age=3600"}
        return web.FileResponse(file, headers=told)

    async def _rules(self, request: web.Request) -> web.StreamResponse:
        data = rules_data(self._access.rules(self._speaker(request)))
        return self._answer(request, json.dumps(data, ensure_ascii=False), kind="application/json")

    async def _here(self, request: web.Request) -> web.StreamResponse:
        """Answer a page without a socket: is it still known here? 503 while that isn't clear."""
        if not self._access.is_open():
            return self._answer(request, "", status=503)
        known = {"seat": self._seat(request) is not None, "screen": self._is_screen(request)}
        return self._answer(request, json.dumps(known), kind="application/json")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        screen, transport = request.path == "/ws/screen", request.transport
        seat = self._watching(request) if screen and self._is_screen(request) else self._seat(request)
        if seat is None or transport is None or (screen and seat is not self._screen):
            raise web.HTTPNotFound
        if not gate.is_own_page(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden
        connection = web.WebSocketResponse(heartbeat=15, max_msg_size=LARGEST)
        await connection.prepare(request)
        await seat.show(BrowserPage(connection, request.query.get("tab", "")[:40], transport.abort))
        return connection

    def _watching(self, request: web.Request) -> BrowserSeat:
        """Return the seat of the big screen, which watches as soon as someone looks at it."""
        if self._screen is None:
            speaker = self._speaker(request)
            file, name = self.folder / gate.seat_key(self.screen_token), speaker.text(N_("the big screen"))
            self._screen = BrowserSeat(file, name, speaker, self._access, shared=True)
        return self._screen


@contextlib.asynccontextmanager
async def served(table: WebTable, hosts: Sequence[str], port: int | None, usual: int) -> AsyncIterator[None]:
    """Serve the pages of a table until it is over.

    Without `port` it's the `usual` one or, if that is taken, any free port. Raise `PortTaken` if another
    program has the port, or an address does not belong to this machine.
    """
    logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # else it would print over the screen
    runner = web.AppRunner(table.app(), access_log=None, shutdown_timeout=1.0)
    tidy(table.folder)
    await runner.setup()
    assert runner.server is not None
    table.door = door = TcpDoor(runner.server)
    try:
        table.port = _listen(door, hosts, [port] if port is not None else [usual, 0])
        yield
    finally:
        try:
            await table.close()
        finally:
            await door.close()
            await runner.cleanup()


def _listen(door: TcpDoor, hosts: Sequence[str], ports: Sequence[int]) -> int:
    """Listen at all addresses, on the first port that is free at the first address; return that port."""
    first, *others = hosts
    for port in ports:
        try:
            door.listen(first, port)
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
    for host in others:
        with contextlib.suppress(OSError):  # the first address is enough
            door.listen(host, door.port)
    return door.port
