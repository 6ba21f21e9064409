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

from aiohttp import web

from tavolata import _dirs
from tavolata._engine.network.table_errors import PortTaken
from tavolata._engine.table.moderation import LOCKED
from tavolata._machine import disk
from tavolata._text import MAX_NAME, Verbatim, admitted, composed, one_line
from tavolata._trouble import trouble
from tavolata._ui.i18n import SOURCE, Translator, languages
from tavolata._version import __version__
from tavolata._web import gate, pages
from tavolata._web.door import TcpDoor
from tavolata._web.seats import (
    SAME,
    SCREEN,
    BrowserPage,
    BrowserSeat,
    WebAccess,
    remember,
    remembered,
    tag_of,
    tidy,
)
from tavolata.messages import N_
from tavolata_protocol.addresses import Address, Predicate, machine
from tavolata_protocol.admission import LIMITS, Entrance, source
from tavolata_protocol.limits import Requests

FILES: Final = {
    one: Path(str(files("tavolata._web"))) / "static" / one
    for one in ("table.css", "table.js", "door.js", "icon.svg", "table.webmanifest")
}
"""The files that the pages load; no other files are served."""
AT_THE_DOOR: Final = {("GET", "/"), ("GET", "/here"), ("GET", "/knock"), ("POST", "/knock")}
"""What a browser without a seat may ask for."""
IDLE: Final = 10.0
"""Seconds for which a connection without a request stays; browsers keep several."""
YEAR: Final = 365 * 86400
"""Seconds for which a browser keeps its token, so that it is the same person on another evening."""
Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


class WebTable:
    """The web server of one table.

    `near` decides which addresses a request may come from. `token` is that of the invitation for newcomers;
    empty for a new one. `folder` keeps the names of browsers' players; `seats` go by `seat_key`.
    """

    def __init__(self, access: WebAccess, near: Predicate, token: str = "") -> None:
        self.token = token or gate.new_token()
        self.port = 0
        self.door: TcpDoor | None = None
        self.folder = Path(_dirs.data_dir()) / "browsers"
        self.seats: dict[str, BrowserSeat] = {}
        self._access = access
        self._near = near
        own = socket.gethostname().lower().rstrip(".")
        self._names = {"localhost", own, f"{own.removesuffix('.local')}.local"}
        self._requests = Requests(LIMITS[Entrance.REQUESTS], 0.0)
        self._speakers = {lang: Translator(lang) for lang in languages()}

    def app(self) -> web.Application:
        app = web.Application(middlewares=[self._gate], client_max_size=LIMITS[Entrance.REQUESTS].size)
        app.router.add_get("/", self._page)
        app.router.add_post("/", self._sit)
        app.router.add_get("/knock", self._wait)
        app.router.add_post("/knock", self._knock)
        app.router.add_get("/static/{name}", self._file)
        app.router.add_get("/rules", self._rules)
        app.router.add_get("/here", self._here)
        app.router.add_get("/ws", self._socket)
        return app

    async def close(self) -> None:
        await asyncio.gather(*(seat.close() for seat in self.seats.values()))

    # -- who may come in --------------------------------------------------------------------------

    @web.middleware
    async def _gate(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Accept a request from a near address by our own name, with a valid token or at the door."""
        transport = request.transport
        peer: Address | None = None if transport is None else transport.get_extra_info("peername")
        own = peer is not None and self._near(peer) and gate.is_own_name(request.host, self.port, self._names)
        try:
            seated = own and self._seat(request) is not None
            known = seated or (own and await self._invited(request))
            if peer is not None and own and not known:
                self._count(source(peer))
                known = self._is_file(request)
            if own and not known and (request.method, request.path) in AT_THE_DOOR:
                return await handler(request)
            if not known:
                return self._answer(request, self._speaker(request).text(pages.NO_ENTRY), status=403)
            if self.door is not None and transport is not None and (seated or not self._is_file(request)):
                self.door.prove(transport, self._key(request) if seated else "")
            return await handler(request)
        except web.HTTPException as refusal:
            refusal.headers.update(pages.headers(request.host))
            raise

    def _count(self, stranger: str) -> None:
        """Count a request; refuse it before it costs anything if a machine, or all, ask for too much."""
        if not self._requests.may_ask(stranger, asyncio.get_running_loop().time()):
            raise web.HTTPTooManyRequests

    @property
    def _cookie(self) -> str:
        return f"tavolata-{self.port}"  # browsers send a machine's cookies to all its ports

    def _token(self, request: web.Request) -> str:
        """Return the token in the browser's cookie; empty without one."""
        given = request.cookies.get(self._cookie, "")
        return given if gate.is_token(given) else ""

    def _seat(self, request: web.Request) -> BrowserSeat | None:
        """Return the seat of the browser; one from before a restart of this program is still its own."""
        token, key = self._token(request), self._key(request)
        file = self.folder / key
        name = self._access.served(tag_of(file)) if token and key not in self.seats else ""
        said = remembered(file) if name else ""  # without it, this may be a television
        if said and self._make_room():
            watch = self._access.looks_on(tag_of(file))
            self.seats[key] = BrowserSeat(
                file, name, self._speaker(request), self._access, screen=said == SCREEN, watch=watch
            )
        return self.seats.get(key)

    def _key(self, request: web.Request) -> str:
        """Return the key of the browser; that of the person's former browser if it has taken its place."""
        key = gate.seat_key(token := self._token(request))
        said = remembered(self.folder / key) if token and key not in self.seats else ""
        return said.removeprefix(SAME) if said.startswith(SAME) and said != SCREEN else key

    def _gone(self, name: str) -> str:
        """Return the key of an unseen browser whose person, called like this, is at the table, or ""."""
        files = (file.name for file in disk().find(self.folder, "*"))
        for key in dict.fromkeys([*self.seats, *files]):
            seat = self.seats.get(key)
            served = self._access.served(tag_of(self.folder / key))
            if served.casefold() == name.casefold() and (seat is None or not seat.is_seen):
                return key
        return ""

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
        return gate.matches(request.query.get("s", ""), self.token)

    def _speaker(self, request: web.Request) -> Translator:
        accepted = request.headers.get("Accept-Language", "")
        return self._speakers[gate.spoken_language(accepted, self._speakers.keys(), SOURCE)]

    @staticmethod
    def _answer(request: web.Request, text: str, status: int = 200, kind: str = "text/plain") -> web.Response:
        return web.Response(text=text, status=status, content_type=kind, headers=pages.headers(request.host))

    # -- pages ------------------------------------------------------------------------------------

    async def _page(self, request: web.Request) -> web.StreamResponse:
        """Return the table for a browser with a seat; the form for a name with the link; the door without."""
        seat = self._seat(request)
        if seat is None:
            if await self._invited(request):
                return self._ask_name(request)
            forgotten = "lost" in request.query and not remembered(self.folder / self._key(request))
            return self._at_door(request, pages.FORGOTTEN if forgotten else "")
        if seat.is_screen and await self._invited(request):  # its person has pressed the wrong button
            await self.seats.pop(self._key(request)).close()
            answer = self._ask_name(request)
            answer.del_cookie(self._cookie)
            return answer
        if request.query:
            raise web.HTTPSeeOther("/")  # this removes the token from the address bar
        return self._answer(request, self._table(request, screen=seat.is_screen), kind="text/html")

    def _table(self, request: web.Request, *, screen: bool) -> str:
        speaker, access = self._speaker(request), self._access
        return pages.table_page(
            speaker.text, speaker.lang, title=access.title(speaker), host=access.keeper(), link=access.link(),
            screen=screen,
        )  # fmt: skip

    # -- the door -------------------------------------------------------------------------------------

    def _at_door(self, request: web.Request, wrong: str = "") -> web.Response:
        """Return the page of a browser without the link: a television, or a phone that can't scan it."""
        speaker = self._speaker(request)
        page = pages.door_page(
            speaker.text, speaker.lang, host=self._access.keeper(), title=self._access.title(speaker),
            private=self._access.is_private(), wrong=wrong,
        )  # fmt: skip
        return self._answer(request, page, kind="text/html")

    async def _knock(self, request: web.Request) -> web.StreamResponse:
        """Let a browser knock; it waits with letters, until the owner of this machine lets it in.

        At a private table only a television may do that without the link.
        """
        if self._seat(request) is not None:
            raise web.HTTPSeeOther("/")
        knocks, transport = self._access.knocks, request.transport
        own = gate.is_own_page(request.headers.get("Origin"), request.host)
        if knocks is None or transport is None or not own:
            raise web.HTTPForbidden
        form = await request.post()
        screen, name = form.get("screen") == "yes", _name_in(form.get("name"))
        link = self.token if gate.matches(str(form.get("seat", "")), self.token) else ""
        if self._access.is_private() and not (screen or link):
            return self._at_door(request)
        if not screen and not name:
            return self._at_door(request, pages.NAMELESS)
        token, gone = self._token(request) or gate.new_token(), "" if screen else self._gone(str(name))
        back = gone if form.get("back") == "yes" else ""
        if gone and not back:
            return self._ask_whether_back(request, str(name), link)
        key, watch = gate.seat_key(token), form.get("watch") == "yes"
        if self._access.is_locked() and not (back or self._access.served(tag_of(self.folder / key))):
            return self._at_door(request, LOCKED)
        of = machine(transport.get_extra_info("peername"))
        knock = knocks.knock(key, of, name or Verbatim(), screen=screen, back=back, watch=watch)
        if knock is None and link:
            return self._ask_name(request, pages.NOT_NOW)
        if knock is None:
            return self._at_door(request, pages.NOT_NOW)
        raise self._see("/knock", token)

    async def _wait(self, request: web.Request) -> web.StreamResponse:
        """Show a browser that has knocked its letters; give it a seat once it is let in."""
        token, knocks, speaker = self._token(request), self._access.knocks, self._speaker(request)
        key = gate.seat_key(token)
        if knocks is None or not token:
            raise web.HTTPSeeOther("/")
        knock = knocks.let_in(key)
        if knock is not None and knock.back:
            remember(self.folder / key, SAME + knock.back)
        elif knock is not None and self._make_room():
            remember(self.folder / key, SCREEN if knock.screen else knock.name)
            name = speaker.text(N_("the big screen")) if knock.screen else knock.name
            self.seats[key] = BrowserSeat(
                self.folder / key, name, speaker, self._access, screen=knock.screen, watch=knock.watch
            )
        waiting = next((one for one in knocks.waiting if one.key == key), None)
        if waiting is None:
            raise web.HTTPSeeOther("/")
        page = pages.knock_page(
            speaker.text, speaker.lang, host=self._access.keeper(), letters=waiting.letters
        )
        return self._answer(request, page, kind="text/html")

    def _see(self, path: str, token: str) -> web.HTTPSeeOther:
        """Return what sends a browser to a page, with its own token as a cookie."""
        answer = web.HTTPSeeOther(path)
        answer.set_cookie(self._cookie, token, httponly=True, samesite="Lax", path="/", max_age=YEAR)
        return answer

    # -- a seat ---------------------------------------------------------------------------------------

    def _ask_name(self, request: web.Request, wrong: str = "") -> web.Response:
        speaker = self._speaker(request)
        before = self._token(request)
        page = pages.name_page(
            speaker.text,
            speaker.lang,
            host=self._access.keeper(),
            title=self._access.title(speaker),
            token=self.token,
            name=remembered(self.folder / self._key(request)).removeprefix(SCREEN) if before else "",
            wrong=wrong,
        )
        return self._answer(request, page, kind="text/html")

    def _ask_whether_back(self, request: web.Request, name: str, token: str = "") -> web.Response:
        speaker = self._speaker(request)
        page = pages.taken_page(
            speaker.text, speaker.lang, host=self._access.keeper(), name=name, token=token
        )
        return self._answer(request, page, kind="text/html")

    async def _sit(self, request: web.Request) -> web.StreamResponse:
        """Give a newcomer a seat; a browser that was here on another evening keeps its token."""
        if self._seat(request) is not None:
            raise web.HTTPSeeOther("/")
        form = await request.post()
        name, watch = _name_in(form.get("name")), form.get("watch") == "yes"
        speaker = self._speaker(request)
        if not name:
            return self._ask_name(request, pages.NAMELESS)
        if self._access.is_private():
            return await self._knock(request)
        if self._access.knocks is not None and self._gone(str(name)):
            return self._ask_whether_back(request, str(name), self.token)
        if not self._make_room():
            return self._answer(request, speaker.text(pages.FULL), status=503)
        token = self._token(request)
        key = gate.seat_key(token)
        if not token or not (remembered(self.folder / key) or self._access.served(tag_of(self.folder / key))):
            token = gate.new_token()
            key = gate.seat_key(token)
        remember(self.folder / key, name)
        self.seats[key] = BrowserSeat(self.folder / key, name, speaker, self._access, watch=watch)
        raise self._see("/", token)

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
        told = {**pages.headers(request.host), "Cache-Control": "no-cache"}  # an update shows at once
        answer = web.FileResponse(file, headers=told)
        if request.if_none_match is None and request.if_modified_since is None:  # "not modified" has no body
            answer.enable_compression()
        return answer

    async def _rules(self, request: web.Request) -> web.StreamResponse:
        data = pages.rules_data(self._access.rules(self._speaker(request)))
        return self._answer(request, json.dumps(data, ensure_ascii=False), kind="application/json")

    async def _here(self, request: web.Request) -> web.StreamResponse:
        """Answer a page without a socket: is it known, and by which version? 503 while that isn't clear."""
        if not self._access.is_open():
            return self._answer(request, "", status=503)
        known = self._seat(request) is not None
        told = {"known": known, "version": __version__ if known else ""}
        return self._answer(request, json.dumps(told), kind="application/json")

    async def _socket(self, request: web.Request) -> web.StreamResponse:
        seat, transport = self._seat(request), request.transport
        if seat is None or transport is None:
            raise web.HTTPNotFound
        if not gate.is_own_page(request.headers.get("Origin"), request.host):
            raise web.HTTPForbidden
        longest = LIMITS[Entrance.MESSAGES].size + 1  # of this length aiohttp takes none
        connection = web.WebSocketResponse(heartbeat=15, max_msg_size=longest)
        await connection.prepare(request)
        await seat.show(BrowserPage(connection, request.query.get("tab", "")[:40], transport.abort))
        return connection


def _name_in(said: object) -> Verbatim | None:
    """Return the name in a field of a form; None without one."""
    if not isinstance(said, str) or not one_line(said.replace("@", ""), MAX_NAME):
        return None
    return admitted(composed(said))


@contextlib.asynccontextmanager
async def served(table: WebTable, hosts: Sequence[str], port: int | None, usual: int) -> AsyncIterator[None]:
    """Serve the pages of a table until it is over.

    Without `port` it's the `usual` one or, if that is taken, any free port. Raise `PortTaken` if another
    program has the port, or an address does not belong to this machine.
    """
    logging.getLogger("aiohttp").addHandler(logging.NullHandler())  # else it would print over the screen
    runner = web.AppRunner(table.app(), access_log=None, shutdown_timeout=1.0, keepalive_timeout=IDLE)
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
                    N_(
                        "TCP port {port} is in use. Close the program that's using it, or choose another "
                        "port with --web-port."
                    ),
                    port=port,
                ) from error  # fmt: skip
            raise PortTaken(
                N_("Couldn't listen on {address}: {problem}."),
                address=one_line(first, 60), problem=trouble(error),
            ) from error  # fmt: skip
        break
    for host in others:
        with contextlib.suppress(OSError):  # the first address is enough
            door.listen(host, door.port)
    return door.port
