"""Seats in browsers: a real host, a real Chromium, and processes that end with their table."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import aiohttp
import pyte
import pytest
from tests.core.ui.terminal import UNKNOWN

from tavolata._engine.storage.match_file import Kept, read

from .chromium import PATIENCE, PROGRAM, Page, chromium
from .table import Hall, free_port

needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="Debian's chromium is not installed here")
needs_processes = pytest.mark.skipif(
    not Path("/proc/self/cmdline").exists(), reason="processes are listed through Linux's /proc here"
)


class Served:
    """A host that serves browsers.

    Args:
        hall: where it is started.
        words: what else its command line says.
    """

    def __init__(self, hall: Hall, *words: str, game: str = "zompa") -> None:
        self.folder = hall.folder / "seats"
        self.folder.mkdir()
        self.port, port = free_port(), str(free_port())
        self.tt = hall.run(
            "-v", "host", game, "--bind", "127.0.0.1", "--port", port, "--as", "Host", "--web", "--web-port",
            str(self.port), *words, typed=True, home="host", TT_LANG="en", TMPDIR=str(self.folder),
        )  # fmt: skip
        self.link = self.tt.note("http://")[0] and self._link()
        self._turned = 0

    def _link(self) -> str:
        [link] = {found[0] for line in self.tt.errors if (found := re.search(r"http://\S+", line))}
        return link

    @property
    def at(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    def turn(self) -> None:
        """Do what a host at the keyboard does whose card it is: press Enter."""
        asked = sum("(Enter)" in line for line in self.tt.lines)
        if asked > self._turned:
            self._turned = asked
            self.tt.type("")

    def matches(self) -> list[Kept]:
        """The matches that a seat keeps, the oldest first."""
        paths = self.folder.rglob("*.ttm")
        return [read(path) for path in sorted(paths, key=lambda path: path.stat().st_mtime_ns)]

    def command_lines(self) -> dict[int, str]:
        """The processes of its seats, and how each was started."""
        found = {}
        for process in Path("/proc").iterdir():
            with contextlib.suppress(OSError):
                words = (process / "cmdline").read_text() if process.name.isdigit() else ""
                if str(self.folder) in words:
                    found[int(process.name)] = words
        return found

    def processes(self) -> list[int]:
        """The processes of its seats."""
        return list(self.command_lines())


class Visitor:
    """A browser as far as the server can tell, without a page."""

    def __init__(self, host: Served, session: aiohttp.ClientSession) -> None:
        self.host = host
        self.session = session
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.screen = pyte.Screen(80, 24)
        self.ended: str | None = None

    async def sit(self, name: str) -> None:
        """Open the link, say a name, and see the table."""
        form = {"seat": self.host.link.partition("=")[2], "name": name}
        async with self.session.post(self.host.at, data=form, headers={"Origin": self.host.at}) as page:
            assert page.status == 200
        await self.look()

    async def look(self, width: int = 80) -> None:
        """Open a window on the seat."""
        at = f"{self.host.at}/ws/dark?width={width}&height=24"
        self.socket = await self.session.ws_connect(at, headers={"Origin": self.host.at})
        self.screen, self.ended = pyte.Screen(width, 24), None

    async def until(self, pattern: str) -> re.Match[str]:
        """Wait until this stands on the screen, or is why nothing more comes."""
        assert self.socket is not None
        stream, deadline = pyte.ByteStream(self.screen), time.monotonic() + PATIENCE
        while True:
            text = "\n".join(self.screen.display) if self.ended is None else self.ended
            if found := re.search(pattern, text):
                return found
            assert time.monotonic() < deadline, f"{pattern!r} was never seen:\n{text}"
            try:
                message = await self.socket.receive(1.0)
            except TimeoutError:
                continue
            if message.type is aiohttp.WSMsgType.BINARY:
                stream.feed(UNKNOWN.sub(b"", message.data))
            elif message.type is aiohttp.WSMsgType.TEXT:
                self.ended = message.json()[1]
            else:
                raise AssertionError(f"{pattern!r} was never seen, but {message}:\n{text}")

    async def press(self, keys: str) -> None:
        """Send keys."""
        await self.send(json.dumps(["stdin", keys]))

    async def send(self, *messages: str) -> None:
        """Send whatever that is."""
        assert self.socket is not None
        for message in messages:
            await self.socket.send_str(message)

    async def close(self) -> None:
        """Close the window."""
        assert self.socket is not None
        await self.socket.close()


@contextlib.asynccontextmanager
async def visitor(host: Served, name: str = "Gino") -> AsyncIterator[Visitor]:
    """Somebody who has sat down."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        one = Visitor(host, session)
        await one.sit(name)
        yield one


def until(holds: Callable[[], object]) -> None:
    """Wait until something holds."""
    deadline = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < deadline, "it never held"
        time.sleep(0.05)


async def play(page: Page, host: Served) -> int:
    """Turn all cards that one deals oneself by keys, until a match is over; how many these were."""
    turned = 0
    async with asyncio.timeout(240):
        while "has won" not in page.text() or "What now" not in page.text():
            host.turn()
            if "(Enter)" in page.text():
                await page.press("enter")
                turned += 1
            await asyncio.sleep(0.05)
    return turned


@contextlib.asynccontextmanager
async def a_match(hall: Hall, folder: Path, game: str, *words: str) -> AsyncIterator[tuple[Page, Served]]:
    """A match begun in a browser; afterwards, that its page asked nobody but the host for anything."""
    host = Served(hall, *words, game=game)
    async with chromium(folder) as page:
        await page.become(1000, 700)
        await page.open(host.link)
        assert "trusts Host's machine" in await page.words()
        await page.sit("Gino")
        await page.until("seats taken")
        await page.until(r"Gino +not ready yet")
        await page.press("enter")
        host.tt.expect("Gino: ready")
        host.tt.type("start")
        await page.until(r"turn \d+|has won")
        yield page, host
        assert {re.sub(r"^\w+://|\?.*", "", one).partition("/")[0] for one in page.requests} == {
            f"127.0.0.1:{host.port}"
        }
        assert page.complaints == []
        host.tt.interrupt()
        await page.says("The table is closed")
    assert host.tt.done() == 130
    assert list(host.folder.iterdir()) == []


@needs_chromium
def test_a_match_is_played_by_keys_in_a_browser(hall: Hall, tmp_path: Path) -> None:
    """Link, name, lobby and a first bet by keys; the page says when the table closes; nothing is left."""

    async def scene() -> None:
        async with a_match(hall, tmp_path / "chromium", "jumpy-jack", "--seats", "2") as (page, _):
            await page.until("3 of them, in order")
            for number in range(1, 4):
                await page.press(str(number), " ")
            await page.press("enter")
            await page.until(lambda: "Which three horses" not in page.text())

    asyncio.run(scene())


@needs_chromium
def test_letters_fit_80_columns_where_they_can_be_read_and_have_12_pixels_elsewhere(
    hall: Hall, tmp_path: Path
) -> None:
    """From 576 pixels on a page has 80 columns; below, letters stay at 12 pixels and columns are fewer."""

    async def scene() -> None:
        host = Served(hall, "--seats", "2", game="zompa")
        async with chromium(tmp_path / "chromium") as page:
            await page.open(host.link)
            await page.sit("Gino")
            for width, height in ((1920, 1080), (1000, 700), (800, 480), (640, 360), (576, 700), (412, 780)):
                await page.become(width, height)
                page.screen.reset()
                await page.open(host.at)
                await page.until("seats taken")
                size = int(await page.ask("document.querySelector('#terminal').dataset.fontSize"))
                assert size == 12 if width <= 576 else size >= 12, (width, size)
                columns = page.screen.columns
                assert (columns >= 80) is (width >= 576), (width, size, columns)

    asyncio.run(scene())


@pytest.mark.long
@needs_chromium
def test_a_whole_private_match_is_played_by_keys_in_a_browser(hall: Hall, tmp_path: Path) -> None:
    """To the end at a table with a code, which nobody in a browser types: both machines have the same end."""

    async def scene() -> None:
        words = ("zompa", "--seats", "3", "--bots", "1", "--code")
        async with a_match(hall, tmp_path / "chromium", *words) as (page, host):
            turned, number = await play(page, host), 1
            while turned < 10:  # others dealt nearly all of it: once more
                number += 1
                host.tt.type("start")
                await page.until(lambda: "What now" not in page.text())  # the end of the last one is gone
                turned += await play(page, host)
            host.tt.expect("State of the table")
            ends = [one.end for one in host.matches()]
            assert len(ends) == number
            assert ends == [one.end for one in host.tt.matches()]
            assert None not in ends

    asyncio.run(scene())


MINE = r"you, key (\S+)"


@needs_processes
def test_a_seat_outlives_the_window_that_shows_it(hall: Hall) -> None:
    """Loaded anew, or in another window, it is the same process; left with `q`, the browser can come back.

    It comes back with the same key, also where no other seat is free; who is one too many is told so; and
    what no browser sends changes nothing.
    """

    async def scene() -> None:
        host = Served(hall, "--seats", "2")
        async with visitor(host) as gino:
            key = (await gino.until(MINE))[1]
            [process] = host.processes()
            await gino.close()
            await gino.look(100)
            assert (await gino.until(MINE))[1] == key
            host.tt.type("seats")
            host.tt.expect("Gino plays on Host's machine")
            before = gino.socket
            await gino.look()
            assert (await gino.until(MINE))[1] == key
            now, gino.socket = gino.socket, before
            await gino.until("Your seat is shown in another window now")
            gino.socket, gino.ended = now, None
            assert host.processes() == [process]
            assert not host.tt.has("Gino has left")

            await gino.press("q")
            await gino.until("^$")
            host.tt.expect("Gino has left the table")
            until(lambda: not host.processes())
            await gino.look()
            assert (await gino.until(MINE))[1] == key
            async with visitor(host, "Late") as late:
                await late.until("The table is full")

            await gino.send(
                '["resize", {"width": "x"}]', "[]", "{}", "7", "[[]]", '["stdin"]', "\x00" * 1000, "[" * 60000
            )
            await gino.press("tstill here\r")
            host.tt.expect("Gino says: still here")
        host.tt.interrupt()
        assert host.tt.done() == 130
        assert host.processes() == []
        assert list(host.folder.iterdir()) == []

    asyncio.run(scene())


@needs_processes
def test_no_seat_outlives_its_host_and_no_secret_is_listed(hall: Hall) -> None:
    """The host is killed: its seats go. None of their processes was started with a code or a token."""

    async def scene() -> None:
        host = Served(hall, "--seats", "3", "--code")
        code = host.tt.note("its code is (\\S+)")[1].rstrip(".").replace("-", "")
        async with visitor(host) as gino, visitor(host, "Pia") as pia:
            await gino.until("3 of 3|3. Pia")
            await pia.until(MINE)
            lines = host.command_lines()
            assert len(lines) == 2
            cookies = [cookie.value for one in (gino, pia) for cookie in one.session.cookie_jar]
            secrets = [code, host.link.partition("=")[2], *cookies]
            assert [one for one in secrets if one in "".join(lines.values())] == []
            host.tt.kill()
            until(lambda: not host.processes())

    asyncio.run(scene())


@pytest.mark.long
@needs_processes
def test_a_player_whose_window_stays_closed_is_away_and_comes_back(hall: Hall) -> None:
    """In a match: half a minute after the last window the seat is away; a new window takes it back."""

    async def scene() -> None:
        host = Served(hall, "--seats", "2", "--start", "full")
        async with visitor(host) as gino:
            await gino.until(r"turn \d+")
            await gino.close()
            host.tt.expect("Gino: away", 60)
            until(lambda: not host.processes())
            await gino.look()
            await gino.until(r"turn \d+")
            host.tt.expect("Gino is back")
        host.tt.interrupt()
        assert host.tt.done() == 130

    asyncio.run(scene())
