"""The seats of browsers, and the pages that show them.

A seat stays while a page is loaded again or a phone sleeps; the table sees it within seconds. A
bot plays when the others have waited for long enough, until a page is awake again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from enum import Enum, auto
from hashlib import blake2b
from pathlib import Path
from typing import Final

from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse

from tavolata._engine.match.rules_fault import is_rules_fault, rules_fault
from tavolata._engine.network.table_errors import TableRefused
from tavolata._engine.peer.table_news import NO_SEAT
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.knocks import Knocks
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import SILENT
from tavolata._engine.table.log_bodies import TAG_SIZE, Light
from tavolata._machine import disk
from tavolata._tasks import cancel
from tavolata._text import one_line
from tavolata._ui.i18n import Translator
from tavolata._ui.json_data import object_in
from tavolata._ui.scene.text import Json
from tavolata._web.frontend import BrowserFrontend
from tavolata._web.pages import with_code
from tavolata.errors import GameError, MessageError, Refused
from tavolata.messages import N_
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.limits import RateLimit

GONE_AFTER: Final = 30.0
"""Seconds without a connection after which a page is gone, and not only asleep."""
BLINK: Final = 3.0
"""Seconds for which a page may be hidden without a word to the table."""
FREED_AFTER: Final = 600.0
"""Seconds without a sign of a page after which a seat leaves in any case."""
BEAT: Final = '{"type": "beat"}'
SILENCE: Final = 8.0
"""Seconds after which a page without news gets a beat: no script sees the pings of its browser."""
STALLED: Final = 5.0
"""Seconds that a page has to receive a message before it is cut off."""
ENDS_IN: Final = 8.0
"""Seconds that a seat has to leave the table."""
HURRIES: Final = 0.5
"""Seconds that a page has to show what has happened before its seat leaves."""
KEPT: Final = 64
"""The most browsers whose players' names are remembered."""

SCREEN: Final = "@screen"
"""What is remembered of a television instead of a name: no name has this sign."""

SAME: Final = "@"
"""What is before the key of the browser that a player had before."""

CLOSED = N_("{host}'s laptop has left the table.")
LEFT = N_("You have left the table.")
PLAYED_HERE = N_("You're {name}. {title} · turn {n}")
SHOWN_HERE = N_("{title} · turn {n}")
TO_CONTINUE = N_("To continue, open {host}'s laptop and type")
LEAVE_OPEN = N_("Leave this page open: it reconnects on its own. Or open {link} another day.")
KEPT_UNTIL = N_("Saved until {date}.")
PAGE_FAILED = N_("Something went wrong. The host's computer has the details.")

Enter = Callable[[bytes, str, bool, Callable[[str], object]], AbstractContextManager[TableSession]]
"""Comes to the table: the person's tag, the name, whether to watch, and what keeps another name."""


class Stops(Enum):
    """The extent of the stop when a machine leaves a match that it can return to."""

    TODAY = auto()
    """All stop: its people said so."""
    MATCH = auto()
    """The match waits for it."""
    LAPTOP = auto()
    """Enough others are there to play on."""


@dataclass(frozen=True, slots=True)
class Farewell:
    """A match that can be resumed: how many turns it had, and until when it's kept (seconds since 1970)."""

    turns: int
    until: float
    stops: Stops


STOPPED: Final = {
    Stops.TODAY: N_("That's all for today. No one has lost."),
    Stops.MATCH: N_("{host}'s laptop has stopped. The match is saved."),
    Stops.LAPTOP: N_("{host}'s laptop has stopped. The others can play on without it."),
}


class DrawingQueue:
    """Draws one page at a time; between two of them the event loop runs.

    The first drawing of a match takes up to a quarter of a second; in between, this machine hears the others.
    """

    def __init__(self) -> None:
        self._waiting = deque[Callable[[], None]]()

    def add(self, draw: Callable[[], None]) -> None:
        """Draw after all that wait already."""
        self._waiting.append(draw)
        if len(self._waiting) == 1:
            asyncio.get_running_loop().call_soon(self._next)

    def _next(self) -> None:
        try:
            self._waiting[0]()
        finally:
            self._waiting.popleft()
            if self._waiting:
                asyncio.get_running_loop().call_soon(self._next)


@dataclass(frozen=True, slots=True)
class WebAccess:
    """The way from browsers to one table.

    Attributes:
        keeper: the name of the player whose machine serves the pages.
        title, rules: of the game, in a language; the rules in Markdown.
        enter: joins the table for a browser.
        link: the link for newcomers; known as soon as the port is.
        elsewhere: the pages of the table on other machines, each with the name of a player there.
        played: reads the last match of the table, to show it again; None where it can't be.
        served: the name of the person with this tag whom this machine serves at the table, perhaps since
            an earlier run of this program; "" for no one.
        farewell: the match that waits for another day, once this machine goes; None without one.
        knocks: who knocks at the pages.
        is_open: False until this machine knows the table and its seats.
        is_private: True where the owner of this machine lets in those with the link, too.
        looks_on: True if the person with this tag is at the table only to watch.
        is_locked: True while nobody new is let in.
        drawings: draws the pages one after the other.
    """

    keeper: Callable[[], str]
    title: Callable[[Translator], str]
    enter: Enter
    rules: Callable[[Translator], str]
    link: Callable[[], str] = str
    elsewhere: Callable[[], Sequence[tuple[str, str]]] = tuple
    played: Callable[[], Replay] | None = None
    served: Callable[[bytes], str] = lambda _: ""
    farewell: Callable[[], Farewell | None] = lambda: None
    is_open: Callable[[], bool] = lambda: True
    knocks: Knocks | None = None
    is_private: Callable[[], bool] = lambda: False
    looks_on: Callable[[bytes], bool] = lambda _: False
    is_locked: Callable[[], bool] = lambda: False
    drawings: DrawingQueue = field(default_factory=DrawingQueue)


class BrowserPage:
    """A page that shows a seat. Only the newest state is stored for a page that reads slowly.

    `tab` is the tab's own name, which it keeps when the page is loaded again. `hang_up` closes the connection
    at once.
    """

    def __init__(self, socket: WebSocketResponse, tab: str, hang_up: Callable[[], object]) -> None:
        self.socket = socket
        self.tab = tab
        self.hidden = False
        self.hang_up = hang_up
        self._cast: Json | None = None
        self._state: str | None = None
        self._told: list[str] = []
        self._news = asyncio.Event()
        self._sender = asyncio.create_task(self._send())

    def show(self, state: str, cast: Json | None) -> None:
        """Send this state as soon as the page has read what was sent before, after the cast it's drawn by."""
        if cast != self._cast:
            self._cast = cast
            self.tell("cast", cast=cast)
        self._state = state
        self._news.set()

    def tell(self, kind: str, text: str = "", **more: object) -> None:
        """Send a message that no later one replaces, after a state that still waits: it may be the end."""
        self._told += [*filter(None, [self._state]), json.dumps({"type": kind, "text": text, **more})]
        self._state = None
        self._news.set()

    async def _send(self) -> None:
        try:
            while True:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(SILENCE):
                        await self._news.wait()
                self._news.clear()
                waiting, self._told = self._told, []
                if self._state is not None:
                    waiting.append(self._state)
                    self._state = None
                for text in waiting or [BEAT]:
                    async with asyncio.timeout(STALLED):
                        await self.socket.send_str(text)
        except (TimeoutError, OSError, RuntimeError):
            self.hang_up()

    async def close(self) -> None:
        """End the sender when it has sent what it can at once."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(0.5):
                while self._news.is_set():  # noqa: ASYNC110 - the sender is no asyncio object to wait for
                    await asyncio.sleep(0.01)
        await cancel(self._sender)


class BrowserSeat:
    """The seat of a browser. A television (`screen`) takes no part; others who `watch` may sit down later.

    `file` keeps the player's name; its own name distinguishes browsers.
    """

    def __init__(
        self,
        file: Path,
        name: str,
        translator: Translator,
        access: WebAccess,
        *,
        screen: bool = False,
        watch: bool = False,
    ) -> None:
        self.name = name
        self.translator = translator
        self._file = file
        self._tag = tag_of(file)
        self._access = access
        self.is_screen = screen
        self._watch = screen or watch
        self._pages: list[BrowserPage] = []
        self._frontend: BrowserFrontend | None = None
        self._running: asyncio.Task[None] | None = None
        self._alive_at = self._lost_at = asyncio.get_running_loop().time()
        self._light = Light.HERE
        self._draws = False
        self._door = ("", "")
        self._over = ""
        self._closed = False

    @property
    def is_seen(self) -> bool:
        """Return True if a page of it is in view."""
        return bool(self._pages) and self._seen(asyncio.get_running_loop().time()) is Light.HERE

    @property
    def idle(self) -> bool:
        """Return True if it has no place at the table now."""
        return self._running is None or self._running.done()

    # -- pages ------------------------------------------------------------------------------------

    async def show(self, page: BrowserPage) -> None:
        """Show the seat on a page until the page is closed.

        While another tab shows it, the page asks first; the earlier tab is told when it is taken. A page that
        was left asks, too: a browser may reload it on its own.
        """
        if self._closed:
            page.tell("over", self._say(CLOSED))
            return
        rate = RateLimit(LIMITS[Entrance.MESSAGES].source, asyncio.get_running_loop().time())
        shown = [one for one in self._pages if one.tab != page.tab]
        if self._over and self.idle:
            page.tell("over", self._over)
        elif shown:
            page.tell("elsewhere")
        else:
            self._take(page)
        try:
            async for message in page.socket:
                if not rate.take(asyncio.get_running_loop().time()):
                    page.hang_up()
                elif message.type is WSMsgType.TEXT:
                    self._hear(page, message.data)
        finally:
            if page in self._pages:
                self._pages.remove(page)
                self._lost_at = asyncio.get_running_loop().time()
            await page.close()

    def _take(self, page: BrowserPage) -> None:
        """Show the seat on this page, and on no other one."""
        self._alive_at = asyncio.get_running_loop().time()
        for one in self._pages:
            if one is not page:
                one.tell("taken")
        self._pages.clear()
        self._pages.append(page)
        if self.idle:
            self._running = asyncio.create_task(self._play())
        self._draw()

    def _hear(self, page: BrowserPage, text: str) -> None:
        """Handle a message of a page; drop anything that isn't an act."""
        try:
            said = object_in(text, _number)
        except Refused:
            return
        if self._closed:
            return
        if said.get("do") == "here":
            self._take(page)
        elif page not in self._pages:
            return
        elif said.get("do") in ("alive", "hidden"):
            self._see(page, hidden=said["do"] == "hidden")
        elif self.is_screen:
            return
        elif said.get("do") == "leave":
            self._see(page, hidden=False)
            self._end(LEFT)
        elif said.get("do") == "sit" and not self.idle and self._watch:
            self._watch = False
            self._end("")
        elif self._frontend is not None:
            self._frontend.hear(said)

    # -- whether anybody is there ---------------------------------------------------------------------

    def _see(self, page: BrowserPage, *, hidden: bool) -> None:
        """Note a sign of a page: it is in view, or it has just been put away."""
        self._alive_at, page.hidden = asyncio.get_running_loop().time(), hidden
        self._shine()
        if not hidden:
            self._again()

    def _seen(self, now: float) -> Light:
        """Return how this seat's page is seen now."""
        silent = now - self._alive_at
        if not self._pages and now - self._lost_at >= GONE_AFTER:
            return Light.GONE
        hidden = any(page.hidden for page in self._pages) and silent >= BLINK
        return Light.ASLEEP if hidden or silent >= SILENT else Light.HERE

    def _shine(self) -> None:
        """Say how the page is seen, if that has changed."""
        light = self._seen(asyncio.get_running_loop().time())
        commands = None if self._frontend is None else self._frontend.session.commands
        if light is not self._light and commands is not None and commands.show_light(light):
            self._light = light

    def _draw(self) -> None:
        """Send the state to all pages, once for all changes until it's drawn."""
        if self._pages and not self._draws:
            self._draws = True
            self._access.drawings.add(self._send)

    def _send(self) -> None:
        self._draws = False
        if self._frontend is not None and self._pages:
            try:
                state = self._frontend.state()
            except Exception as error:  # noqa: BLE001 - rules are foreign code, and no page may stand still
                if self._running is not None:
                    self._running.cancel(self._why(error))
                return
            self._door = host, link = self._access.keeper(), self._access.link()
            own = {
                "watch": self._watch, "screen": self.is_screen, "pages": list(self._access.elsewhere()),
                "host": host, "link": with_code(link),
            }  # fmt: skip
            cast = state.pop("cast")
            text = json.dumps({**state, **own}, ensure_ascii=False)
            for page in self._pages:
                page.show(text, cast)

    # -- the place at the table -------------------------------------------------------------------

    async def _play(self) -> None:
        """Take the place at the table until it is left; tell the pages why it ended."""
        self._over = told = ""
        try:
            while True:
                try:
                    await self._stay()
                    told = self._broken()
                    break
                except TableRefused as refusal:
                    if self._watch or refusal.message != NO_SEAT:
                        raise
                    self._watch = True  # a place may become free
        except MessageError as error:
            told = self.translator.text(error.message, error.params)
        except asyncio.CancelledError as ended:
            told = str(ended.args[0]) if ended.args else ""
        except Exception as error:  # noqa: BLE001 - a fault of one seat must not end the host's table
            told = self._why(error)
        finally:
            self._frontend = None
        self._over = told
        again = not told and not self._closed
        for page in [] if again else self._pages:
            page.tell("over", told or self._say(CLOSED))
        if again and self._pages:
            asyncio.get_running_loop().call_soon(self._again)

    def _why(self, error: Exception) -> str:
        """Return why this seat stops: the rules' fault, where it's theirs."""
        match = None if self._frontend is None else self._frontend.session.match
        if match is not None and is_rules_fault(error, match.rules):
            fault = rules_fault(error, match.rules)
            return self.translator.text(fault.message, fault.params)
        return str(error) if isinstance(error, GameError) else self._say(PAGE_FAILED)

    def _broken(self) -> str:
        """Return why the rules broke, if they ended the last match: more than that the table is closed."""
        match = None if self._frontend is None else self._frontend.session.match
        fault = None if match is None else match.fault
        return "" if fault is None else self.translator.text(fault.message, fault.params)

    def _again(self) -> None:
        """Come back, if nobody has ended that: after a word about it the person has to say so."""
        if self.idle and self.is_seen and not (self._over or self._closed):
            self._running = asyncio.create_task(self._play())

    async def _stay(self) -> None:
        with self._access.enter(self._tag, self.name, self._watch, self._be_called) as session:
            self._light = Light.HERE  # as the table has it for someone who comes
            self._frontend = BrowserFrontend(
                session, self.translator, lambda: self._access.title(self.translator), self._access.keeper,
                self._draw, lambda: bool(self._pages), self._access.played,
            )  # fmt: skip
            watch = asyncio.create_task(self._watch_over(self._frontend))
            try:
                await self._frontend.run()
            finally:
                watch.cancel()

    def _be_called(self, name: str) -> None:
        """Keep the player's new name for the next time."""
        self.name = name
        remember(self._file, name)

    async def _watch_over(self, frontend: BrowserFrontend) -> None:
        """Let time pass on the page; leave as soon as the others have waited for nobody long enough."""
        while True:
            await asyncio.sleep(1.0)
            self._shine()
            if self._pages:
                frontend.tick()
            if (self._access.keeper(), self._access.link()) != self._door:
                self._draw()
            silent = asyncio.get_running_loop().time() - self._alive_at
            if frontend.given_up or silent > FREED_AFTER:
                self._end("")
                return

    def _end(self, why: str) -> None:
        if self._running is not None:
            self._running.cancel(self._say(why) if why else None)

    async def close(self) -> None:
        self._closed = True
        why = self._broken() or self._say(CLOSED)
        if self._running is not None:
            if self._frontend is not None:  # the match may be over, and a slow page still before its end
                self._frontend.hurry()
                await asyncio.wait([self._running], timeout=HURRIES)
            self._end(CLOSED)
            with contextlib.suppress(TimeoutError, asyncio.CancelledError):
                async with asyncio.timeout(ENDS_IN):
                    await asyncio.wait([self._running])
        pages, self._pages = self._pages, []
        for page in pages:
            page.tell("over", why, closed=True, farewell=self._farewell())
            await page.close()
            with contextlib.suppress(OSError, RuntimeError):
                await page.socket.close()

    def _farewell(self) -> Json | None:
        """Return what the page shows until the match is resumed, line by line."""
        kept = self._access.farewell()
        if kept is None:
            return None
        say, told = self.translator.text, {
            "host": self._access.keeper(), "name": self.name, "title": self._access.title(self.translator),
            "n": kept.turns, "link": self._access.link().partition("/?")[0],
        }  # fmt: skip
        return {
            "title": say(STOPPED[kept.stops], told),
            "match": say(SHOWN_HERE if self.is_screen else PLAYED_HERE, told),
            "how": say(TO_CONTINUE, told),
            "command": "tt resume",
            "page": say(LEAVE_OPEN, told),
            "until": "" if kept.stops is Stops.LAPTOP else say(KEPT_UNTIL),
            "last": kept.until,
        }

    def _say(self, message: str) -> str:
        return self.translator.text(message, {"host": self._access.keeper()})


def _number(digits: str) -> int:
    """Return a number that an entry of the log can hold; raise `ValueError` for a larger one."""
    number = int(digits)
    if number.bit_length() > 63:
        raise ValueError(digits)
    return number


# -- what is remembered ---------------------------------------------------------------------------


def tag_of(file: Path) -> bytes:
    """Return the tag of the person with a name stored in this file."""
    return blake2b(file.name.encode(), digest_size=TAG_SIZE).digest()


def remember(file: Path, name: str) -> None:
    disk().make_folder(file.parent, 0o700)
    disk().replace(file, name.encode())


def remembered(file: Path) -> str:
    """Return the name that this browser's player chose last, or `SCREEN`; "" if it is new.

    After `SAME` it's the key of the browser that this player had before.
    """
    try:
        return one_line(disk().read(file).decode(), 40)
    except (OSError, ValueError):
        return ""


def tidy(folder: Path) -> None:
    """Forget the browsers that were not here for longest, if there are many."""
    for file in disk().latest(folder, "*")[KEPT:]:
        with contextlib.suppress(OSError):
            disk().remove(file)
