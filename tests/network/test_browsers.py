"""Seats in browsers: a real host, a real Chromium that is tapped on, and pages that come and go."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import re
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from tests.core.ui.scene.moments import seat
from tests.core.ui.tui.playing import session
from tests.core.web.test_frontend import play

from tavolata._web.frontend import BrowserFrontend

from . import firefox as mozilla
from .chromium import PATIENCE, PROGRAM, Page, chromium
from .firefox import firefox
from .table import TT, Hall, free_port

needs_firefox = pytest.mark.skipif(
    mozilla.PROGRAM is None, reason="Debian's firefox-esr is not installed here"
)
Browser = contextlib.AbstractAsyncContextManager[Page]
needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="Debian's chromium is not installed here")
PHONES = [(390, 844), (844, 390)]
SIZES = [*PHONES, (390, 664), (360, 640), (1280, 800)]

CHECK = """(() => {
  const bad = [];
  const on = (box) =>
    box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1;
  for (const one of document.querySelectorAll('button, input')) {
    const box = one.getBoundingClientRect();
    if (!box.width || one.closest('#players')) continue;
    const what = (one.getAttribute('aria-label') || one.textContent).slice(0, 30);
    const lapped = one.matches('.hand .card') || one.type === 'range';
    const small = box.width < 43.5 || box.height < 43.5;
    if (!lapped && small) bad.push(`small: ${what} ${box.width}x${box.height}`);
    if (one.matches('.act') && box.height < 47.5) bad.push(`small act: ${box.height}`);
    const edges = [box.left, box.top, box.right, box.bottom].map(Math.round);
    if (!on(box) && !one.closest('.what')) bad.push(`cut off: ${what} ${edges}`); // more choices scroll there
    if (!what.trim()) bad.push('a button without a name');
  }
  if (document.scrollingElement.scrollHeight > innerHeight + 1) bad.push('the page scrolls');
  for (const id of ['board', 'decision', 'yours', 'status']) {
    const one = document.getElementById(id);
    if (id === 'board' && ['lobby', 'end'].includes(document.body.dataset.phase)) continue;
    const [wide, high] = [one.scrollWidth - one.clientWidth, one.scrollHeight - one.clientHeight];
    if (wide > 2 || high > 2) bad.push(`${id}: ${wide} too wide, ${high} too high`);
  }
  return bad;
})()"""
"""What check 21 of the screen's design finds wrong with the page as it stands; [] if nothing is."""


COVERED = """(() => {
  const board = document.getElementById('board').getBoundingClientRect();
  const boxes = [...document.querySelectorAll('.lane:not(.head), .asides')];
  const there = boxes.map((one) => one.getBoundingClientRect()).filter((one) => one.height);
  const lapped = there.slice(1).filter((one, at) => one.top < there[at].bottom - 1);
  const bad = lapped.map((one) => `covered at ${one.top}`);
  if (there[there.length - 1].bottom > board.bottom + 1) bad.push(`below the board: ${board.height}`);
  return bad;
})()"""
"""Which lanes of a track something covers, or the edge of the board cuts off; [] if each is in sight."""

FIGURES = """(() => ['3D', '10S', 'Jk★'].flatMap((text) => ['', 'big'].map((size) => {
  const made = card({ text, corner: text.slice(0, -1), sign: text.slice(-1) }, size);
  document.getElementById('board').append(made);
  const boxes = [made, ...made.querySelectorAll('.c1, .c2, .figure span')];
  const [whole, first, last, figure] = boxes.map((one) => one.getBoundingClientRect());
  made.remove();
  const apart = (one) => one.right <= figure.left || figure.right <= one.left ||
    one.bottom <= figure.top + 2 || figure.bottom <= one.top + 2;
  return figure.left >= whole.left && figure.right <= whole.right && apart(first) && apart(last);
})))()"""
"""Whether the middle of cards of other suits than French ones lies in its card, beside both corners."""

CONTRAST = """(() => {
  const numbers = (text) => (text.match(/[\\d.]+/g) || []).map(Number);
  const parse = (text) => {
    const [r, g, b, a = 1] = numbers(text);
    return text.startsWith('color(') ? [r * 255, g * 255, b * 255, a] : [r, g, b, a];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((one, n) => one * a + under[n] * (1 - a));
  const light = (colour) => colour.map((one) => {
    const part = one / 255;
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }).reduce((sum, one, n) => sum + one * [0.2126, 0.7152, 0.0722][n], 0);
  const grounds = (one) => {
    if (!one) return [[255, 255, 255]];
    const style = getComputedStyle(one);
    const stops = style.backgroundImage.match(/rgba?\\([^)]*\\)/g);
    if (stops) return stops.map((stop) => parse(stop).slice(0, 3));
    const own = parse(style.backgroundColor);
    return own[3] === 1 ? [own.slice(0, 3)] : grounds(one.parentElement).map((under) => over(own, under));
  };
  const bad = [];
  for (const one of document.querySelectorAll('#table *, #sheet *, #curtain *, body.door *')) {
    const words = [...one.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    if (!words.length || !one.getClientRects().length) continue;
    if (one.closest('[hidden], :disabled, .no, .back, svg')) continue;
    const style = getComputedStyle(one);
    for (const ground of grounds(one)) {
      const [a, b] = [light(over(parse(style.color), ground)), light(ground)];
      const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
      if (ratio < 4.5) bad.push(`${ratio.toFixed(1)}: ${words[0].data.slice(0, 30)} (${one.className})`);
    }
  }
  return [...new Set(bad)];
})()"""
"""The texts on view whose contrast to what lies behind is below 4.5; what can't be used is left out."""


BET = """(() => {
  const whole = (one) => {
    const box = one.getBoundingClientRect();
    const on = box.width > 0 && box.top >= -1 && box.bottom <= innerHeight + 1;
    return on && box.left >= -1 && box.right <= innerWidth + 1 && one.scrollWidth <= one.clientWidth + 1;
  };
  const texts = (from, which) =>
    [...from.querySelectorAll(which)].filter(whole).map((one) => one.textContent);
  const lanes = [...document.querySelectorAll('#board .lane:not(.head)')];
  return [lanes.map((lane) => texts(lane, '.value')), texts(document, '#players .you .main'),
    texts(document, '#decision .stake output').length];
})()"""
"""What is whole on view while a stake is asked: each lane's odds and tokens, one's money, and the stake."""


class Served:
    """A host that serves browsers.

    Args:
        hall: where it is started.
        words: what else its command line says.
        game: what is played.
        program: the program of the host.
    """

    def __init__(self, hall: Hall, *words: str, game: str = "zompa", program: list[str] = TT) -> None:
        self.port, port = free_port(), str(free_port())
        self.tt = hall.run(
            "-v", "host", game, "--bind", "127.0.0.1", "--port", port, "--as", "Host", "--web", "--web-port",
            str(self.port), *words, typed=True, home="host", program=program, TT_LANG="en",
        )  # fmt: skip
        self.tt.note("http://")
        [self.link] = {
            found[0] for line in self.tt.errors if (found := re.search(r"http://\S+\?s=\S+", line))
        }

    @property
    def at(self) -> str:
        """Where its pages are."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def remembered(self) -> list[str]:
        """The names of its browsers' players, which is all that is kept of them."""
        return sorted(one.read_text() for one in (self.tt.home / "data" / "browsers").iterdir())

    async def let_in(self, screen: Page) -> None:
        """Have a television come in: the bare address, one button, and the owner's yes."""
        await screen.open(self.at)
        await screen.tap_on("[name=screen] ~ button")
        await screen.holds("document.querySelector('.letters')")
        letters = await screen.ask("document.querySelector('.letters').textContent")
        self.tt.expect(f"{letters}: a television wants to join")
        self.tt.type(f"admit {letters}")
        await screen.holds("typeof state !== 'undefined' && state")

    def memory(self) -> float:
        """What it holds, in MiB."""
        status = Path(f"/proc/{self.tt.process.pid}/status").read_text()
        return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


class Visitor:
    """A browser as far as the server can tell, without a page."""

    def __init__(self, host: Served, session: aiohttp.ClientSession) -> None:
        self.host = host
        self.session = session
        self.socket: aiohttp.ClientWebSocketResponse | None = None
        self.state: dict[str, Any] = {}

    async def sit(self, name: str) -> None:
        """Open the link, say a name, and see the table."""
        form = {"seat": self.host.link.partition("=")[2], "name": name}
        async with self.session.post(self.host.at, data=form, headers={"Origin": self.host.at}) as page:
            assert page.status == 200
        await self.look()

    async def look(self, tab: str = "1") -> aiohttp.ClientWebSocketResponse:
        """Open a page on the seat."""
        self.socket = await self.session.ws_connect(
            f"{self.host.at}/ws?tab={tab}", headers={"Origin": self.host.at}, compress=15
        )
        self.state = {}
        return self.socket

    async def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """Wait until this holds of what the page was told last."""
        assert self.socket is not None
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.state or not holds(self.state):
                    said = await self.socket.receive_json()
                    if said["type"] not in ("beat", "cast"):
                        self.state = said
        except TimeoutError:
            raise AssertionError(f"It never held: {self.state}\n{self.host.tt.story()}") from None
        return self.state

    async def act(self, **said: object) -> None:
        """Send an act."""
        assert self.socket is not None
        await self.socket.send_str(json.dumps(said))


def told(state: dict[str, Any]) -> str:
    """The script that shows a state, after its cast where a page hasn't drawn by that yet."""
    cast = json.dumps(state.get("cast"))
    known = f"JSON.stringify(rehearsed) === JSON.stringify({cast})"
    shown = {name: part for name, part in state.items() if name != "cast"}
    return f"({known} || (rehearsed = {cast}), show({json.dumps(shown)}))"


def lobby(state: dict[str, Any]) -> Any:
    """The lobby of a state; {} if it has none."""
    return state.get("lobby") or {}


@contextlib.asynccontextmanager
async def visitor(host: Served, name: str = "Gino") -> AsyncIterator[Visitor]:
    """Somebody who has sat down."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
        one = Visitor(host, session)
        await one.sit(name)
        yield one


async def answer(page: Page) -> str:
    """Tap what the page asks for, as a person with no plan would; the number of the question, or ""."""
    said = await page.ask(
        "state && [state.question, state.scene.decision.kind, !!state.window, state.kind.low || 0,"
        " (state.scene.decision.options || []).filter((one) => one.order).length]"
    )
    if said is None:
        return ""
    if await page.tap_on("[data-key=begin]"):
        return ""
    number, kind, window, low, marked = said
    if window:
        await page.tap_on("#decision .act")
        return ""
    if number and kind == "several" and marked < low:
        await page.tap_on("[data-choice]:not(.on):not(.no)")
    elif number:
        await page.tap_on("#decision .act")
    return str(number)


def state_of_a_bet() -> dict[str, Any]:
    """What a page is told while the stake of a bet is asked."""
    found: list[dict[str, Any]] = []

    def look(frontend: BrowserFrontend, state: dict[str, Any]) -> None:
        if "amount" in state["scene"]["decision"] and not found:
            found.append(state)

    play(seat("horse-fever", 4), look, most=12)
    return found[0]


def states_of_a_board_game() -> list[dict[str, Any]]:
    """What a page is told at the first purchase and at the first bet, while decks lie beside the lanes."""
    found: dict[str, dict[str, Any]] = {}

    def look(frontend: BrowserFrontend, state: dict[str, Any]) -> None:
        columns = {
            (one.get("at") or {}).get("column", "") for one in state["scene"]["decision"].get("options", ())
        }
        found.setdefault("bet" if any(columns) else "purchase" if columns else "", state)

    play(session("horse-fever", 4, seed=7, pace=0, mode="board"), look, most=6)
    return [found["purchase"], found["bet"]]


@needs_chromium
def test_a_question_is_answered_by_taps_and_outlives_the_page(hall: Hall, tmp_path: Path) -> None:
    """Link, name, three horses by taps; a reload keeps what was tapped; another tab asks first.

    The page fits at every size of check 21, speaks to nobody but the host, and nothing moves for who wants no
    motion (check 23). At last it is shown a bet, and its odds are in sight at 390x664 (check 6).
    """
    bet, boards = state_of_a_bet(), states_of_a_board_game()

    async def scene() -> None:
        words = ("--seats", "2", "--bot", "easy", "--start", "full", "--option", "points=14")
        host = Served(hall, *words, game="jumpy-jack")
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            assert "trust Host's computer" in await page.words()
            assert await page.ask(CONTRAST) == []
            await page.sit("Gino")
            await page.says("Which three horses")
            for size in SIZES:
                await page.become(*size, phone=size[0] < 900)
                await asyncio.sleep(0.3)
                assert await page.ask(CHECK) == [], size
            for light in (True, False):
                await page.become(390, 844, phone=True, light=light)
                for sheet in ("", "menu", "rules"):
                    await page.ask(f"sheet = ''; {sheet!r} && open({sheet!r})")
                    await page.holds("sheet !== 'rules' || rulebook")
                    if sheet == "rules":  # every house rule, in a line each
                        await page.says("who begins: next[^]*points to win: 14")
                    assert await page.ask(CONTRAST) == [], (light, sheet)
                await page.ask("open(sheet)")
            lobby = await page.ask("drawLobby().map((one) => one.textContent).join()")
            assert "House rules: points to win: 14" in lobby  # only what is not as usual
            assert "who begins" not in lobby
            grey = "document.querySelector('.ask').style.color = '#777'"  # the next state takes it back
            assert await page.ask(f"({grey}, {CONTRAST}.length)") == 1
            await page.holds("performance.now() - asked[1] > 300")
            await page.tap_on("[data-choice]:not(.on)")
            await page.holds("document.querySelectorAll('.on .order').length == 1")
            await page.do("Page.reload")
            await page.holds("document.querySelectorAll('.on .order').length == 1")

            jar = [one async for one in cookies(page)]
            async with aiohttp.ClientSession(cookies=dict(jar)) as session:
                other = Visitor(host, session)
                await other.look("2")
                await other.until(lambda said: said["type"] == "elsewhere")
                await other.act(do="here")
                await page.says("Your seat has moved to another window")
                await other.until(lambda said: said["type"] == "state")
                for _ in range(20):  # a touch just when the curtain comes may be lost
                    if not await page.tap_on("#curtain button"):
                        break
                    await asyncio.sleep(0.3)
                await page.holds("document.querySelector('#curtain').hidden")

            await page.do("Network.emulateNetworkConditions", offline=True, latency=0,
                          downloadThroughput=0, uploadThroughput=0)  # fmt: skip
            await page.ask("socket.close()")
            await page.says("(Looking for|We can't reach) Host's laptop")
            await page.do("Network.emulateNetworkConditions", offline=False, latency=0,
                          downloadThroughput=-1, uploadThroughput=-1)  # fmt: skip
            await page.holds("document.querySelector('#curtain').hidden")
            assert await page.ask("document.querySelectorAll('.on .order').length") == 1

            await page.do("Emulation.setEmulatedMedia", features=[
                {"name": "prefers-reduced-motion", "value": "reduce"}])  # fmt: skip
            assert await page.ask("document.getAnimations().length") == 0
            asked = await answer(page)
            while await page.ask("state.question") == asked:
                await answer(page)
                await asyncio.sleep(0.2)
            assert await page.ask("document.getAnimations().length") == 0
            assert {re.sub(r"^\w+://|\?.*", "", one).partition("/")[0] for one in page.requests} == {
                f"127.0.0.1:{host.port}"
            }
            assert [one for one in page.complaints if "ERR_INTERNET_DISCONNECTED" not in one] == []
            await page.become(390, 664, phone=True)
            assert await page.ask(f"({CHECK}, {told(bet)}, {CHECK})") == []
            # in one call, or the table's next state may come between
            lanes, money, stakes = await page.ask(f"({told(bet)}, {BET})")
            track = next(item for item in bet["scene"]["board"] if item["draw"] == "lanes")
            columns = zip(*(lane["columns"] for lane in track["lanes"]), strict=True)
            used = [one for one in columns if set(one) != {"–"}]  # a phone has no room for what is free
            assert lanes == [list(lane) for lane in zip(*used, strict=True)]
            assert len(lanes) == 6
            assert min(map(len, lanes)) >= 2
            said = "[...row.querySelectorAll('.post')].filter((post) => post.textContent).length"
            rows = f"[...document.querySelectorAll('.lane:not(.head)')].map((row) => {said})"
            assert await page.ask(f"({told(bet)}, {rows})") == [
                1,
                0,
                0,
                0,
                0,
                0,
            ]  # what the squares mean is said once
            unit = await page.ask("bound('Bet 200 D in 5 s, 3 of 4: 15 % or 2 cards')")
            for board in boards:
                for size in ((390, 844), (390, 664)):
                    await page.become(*size, phone=True)
                    assert await page.ask(f"({told(board)}, {COVERED})") == []
            await page.become(390, 664, phone=True)
            assert unit == "Bet 200\xa0D in 5\xa0s, 3\xa0of 4: 15\xa0% or 2 cards"
            assert await page.ask(f"({told(bet)}, {FIGURES})") == [True] * 6
            own = next(panel for panel in bet["scene"]["panels"] if panel["kind"] == "you")
            assert ([text.replace("\xa0", " ") for text in money], stakes) == ([own["main"]["text"]], 1)
            host.tt.interrupt()
            await page.says("Host's laptop has left the table")
        assert host.tt.done() == 130
        assert host.remembered == ["Gino"]

    asyncio.run(scene())


async def cookies(page: Page) -> AsyncIterator[tuple[str, str]]:
    """The cookies of the page."""
    for one in (await page.do("Network.getCookies"))["cookies"]:
        yield one["name"], one["value"]


async def until_it_may_react(page: Page) -> None:
    """Lay cards at Bang until a window is open to this seat."""
    async with asyncio.timeout(PATIENCE):
        while not await page.ask("state && state.window && state.window.acts.length && opened.at"):
            if await page.ask("state && !state.window"):
                await answer(page)  # its turn to lay a card
                await asyncio.sleep(0.4)  # taps that are closer are one train, which lays one card
            await asyncio.sleep(0.05)


@pytest.mark.battery
@needs_chromium
def test_check_22_a_reaction_is_timed_from_the_painted_frame(hall: Hall, tmp_path: Path) -> None:
    """The button has a fifth of the height and the game's word; the time said is that of the page's clock."""

    async def scene() -> None:
        host = Served(hall, "--seats", "2", "--bot", "easy", "--start", "full", game="bang")
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.ask("window.told = []; window.before = send; send = (act, said) => {"
                           " if (act === 'react') told.push([said.ms, event.timeStamp - opened.at]);"
                           " before(act, said); }")  # fmt: skip
            for size in PHONES:
                await page.become(*size, phone=True)
                await until_it_may_react(page)
                share = "document.querySelector('.bang').getBoundingClientRect().height / innerHeight"
                assert await page.ask(share) >= 0.2, size
                assert await page.ask(CHECK) == [], size
                words = await page.ask("document.querySelector('.bang').textContent")
                assert words == await page.ask("state.window.acts[0]")
                before = await page.ask("told.length")
                async with asyncio.timeout(PATIENCE):
                    while await page.ask("told.length") == before:  # a window may close just now
                        await until_it_may_react(page)
                        await page.tap_on(".bang:not(:disabled)")
                        await asyncio.sleep(0.05)
            for said, measured in await page.ask("told"):
                assert abs(said - measured) <= 8

    asyncio.run(scene())


@pytest.mark.long
@pytest.mark.parametrize(
    "browser", [pytest.param(chromium, marks=needs_chromium), pytest.param(firefox, marks=needs_firefox)]
)
@pytest.mark.parametrize("size", PHONES)
@pytest.mark.parametrize("game", ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"])
def test_whole_matches_are_played_by_taps(
    hall: Hall, tmp_path: Path, game: str, size: tuple[int, int], browser: Callable[[Path], Browser]
) -> None:
    """From the link to the order of all at the end; the page fits at every question, in both browsers."""

    async def scene() -> None:
        words = ("--seats", "4", "--bots", "2", "--bot", "easy", "--start", "full")
        host = Served(hall, *words, game=game)
        asked = set()
        async with browser(tmp_path / "browser") as page, asyncio.timeout(900):
            await page.become(*size, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.holds("state")
            for _ in range(3):
                await page.ask("send('pace', {by: 1})")
            while await page.ask("document.body.dataset.phase") != "end":
                number = await answer(page)
                if number not in asked:
                    asked.add(number)
                    assert await page.ask(CHECK) == [], await page.words()
                await asyncio.sleep(0.05)
            await page.holds("document.querySelectorAll('.podium li').length == 4")
            assert await page.tap_on("[data-key=turn]")  # the final board, and the result again
            await page.holds("!document.querySelector('.podium')")
            assert await page.ask(CHECK) == [], await page.words()
            assert await page.tap_on("[data-key=turn]")
            await page.holds("document.querySelectorAll('.podium li').length == 4")
            assert page.complaints == []
            assert {re.split("[:/]+", one)[1] for one in page.requests} == {"127.0.0.1"}
        assert len(asked) > 1 or game in ("bang", "zompa")

    asyncio.run(scene())


@pytest.mark.long
@needs_chromium
def test_a_finished_match_is_watched_again_with_its_story(hall: Hall, tmp_path: Path) -> None:
    """A phone and a desk tap on "watch the match again", have its story, and complain about nothing."""

    async def scene() -> None:
        host = Served(hall, "--seats", "2", "--start", "full", "--option", "fiches=1", game="zompa")
        async with chromium(tmp_path / "chromium") as page, asyncio.timeout(2 * PATIENCE):
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.holds("state")
            for _ in range(3):
                await page.ask("send('pace', {by: 1})")
            while await page.ask("document.body.dataset.phase") != "end":
                await answer(page)
                host.tt.type("")
                await asyncio.sleep(0.5)  # taps that are closer are one train
            buttons = "[...document.querySelectorAll('#decision button')]"
            again = f"{buttons}.find((one) => one.textContent === 'watch the match again')"
            for width, height in [(390, 844), (1280, 800)]:
                await page.become(width, height, phone=True)
                await page.holds(f"{again} && performance.now() - asked[1] >= TRAIN")
                await page.ask(f"{again}.id = 'again'")
                assert await page.tap_on("#again")
                await page.holds("document.querySelector('.timeline')")
                await page.ask("send('again', {what: 'go', n: 5})")
                await page.holds("state.scene.decision.timeline.at === 5")
                if width < 900:
                    assert await page.tap_on("[data-key=story]")
                story = "#sheet" if width < 900 else "#story"
                await page.holds(f"document.querySelector('{story} .lines p')")
                assert await page.ask(CHECK) == [], await page.words()
                if width < 900:
                    assert await page.tap_on("[data-key=close]")
                assert await page.tap_on("[data-key=stop]")
                await page.holds("document.querySelector('.podium')")
            assert page.complaints == []

    asyncio.run(scene())


FRESH = "state && state.question && performance.now() - Math.max(asked[1], taps.last) >= TRAIN"
"""Whether a tap would count now: a question has been on view for long enough."""


@needs_firefox
def test_in_firefox_a_seat_is_taken_played_and_back_after_a_resume(hall: Hall, tmp_path: Path) -> None:
    """A hand is dealt by a tap; the host is killed, and after `tt resume` the page has the same cards."""

    async def scene() -> None:
        host = Served(hall, "--seats", "3", "--bots", "1", "--bot", "easy", "--start", "full", game="conto")
        async with firefox(tmp_path / "firefox") as page:
            await page.become(390, 664)
            await page.open(host.link)
            await page.sit("Gino")
            await page.holds(FRESH)
            first = await page.ask("state.question")
            assert await page.ask(CHECK) == []
            await page.tap_on("[data-key=begin]")
            await page.holds(FRESH)
            await page.tap_on("[data-choice]:not(.no)")
            await page.tap_on("#decision .act")
            await page.holds(f"state.question !== {json.dumps(first)}")
            faces = "(state.scene.yours || []).flatMap((one) => (one.cards || []).map((card) => card.text))"
            cards = f"JSON.stringify({faces})"
            await page.holds(f"{FRESH} && JSON.parse({cards}).length > 2")
            hand = await page.ask(cards)
            host.tt.kill()
            await page.says("We can't reach Host's laptop")
            host.tt = hall.run("-v", "resume", home="host", TT_LANG="en")
            back = "document.getElementById('curtain').hidden"
            await page.holds(f"{back} && {cards} === {json.dumps(hand)}")
            assert {re.split("[:/]+", one)[1] for one in page.requests} == {"127.0.0.1"}
        host.tt.kill()

    asyncio.run(scene())


def test_a_seat_outlives_its_page_and_is_the_same_persons_again(hall: Hall) -> None:
    """A page goes and comes; who leaves comes back as the same; one too many watches, then sits down."""

    async def scene() -> None:
        host = Served(hall, "--seats", "2")
        async with visitor(host) as gino:
            await gino.until(lambda said: len(lobby(said).get("taken", [])) == 2)
            assert gino.socket is not None
            await gino.socket.close()
            await gino.look()
            await gino.until(lambda said: lobby(said).get("seated"))
            assert not host.tt.has("Gino has left")
            async with visitor(host, "Late") as late:
                await late.until(lambda said: "Late" in lobby(said).get("watchers", []))
                assert "You'll play as soon as a seat is free." in json.dumps(late.state)
                await gino.act(do="leave")
                await gino.until(lambda said: said["type"] == "over")
                host.tt.expect("Gino has left the table")
                await gino.act(do="alive")  # as its page says every five seconds
                await late.until(lambda said: lobby(said).get("seated"))
                await late.act(do="leave")
                host.tt.expect("Late has left the table")
            assert not host.tt.has("Gino is watching")
            await gino.look()  # a browser that loads the page again, which nobody has asked it to
            await gino.until(lambda said: said == {"type": "over", "text": "You have left the table."})
            await gino.act(do="alive")
            await gino.act(do="here")
            await gino.until(lambda said: lobby(said).get("seated"))
            await gino.act(do="look", hue=3, mark=4)
            await gino.until(lambda said: lobby(said)["taken"][1]["hue"] == 3)
            assert gino.socket is not None
            await gino.socket.close()
            host.tt.type("seats")
            host.tt.expect("Gino plays on Host's computer, whose owner could see that player's hand.")
            assert host.remembered == ["Gino", "Late"]
        host.tt.interrupt()
        assert host.tt.done() == 130

    asyncio.run(scene())


@pytest.mark.parametrize(
    ("others", "title"),
    [(1, "The match is saved."), (3, "The others can play on without it.")], ids=["one", "three"],
)  # fmt: skip
def test_phones_of_a_laptop_that_stops_read_whether_the_others_play_on(
    hall: Hall, others: int, title: str
) -> None:
    """Where enough laptops stay, the match doesn't wait for the one that quits."""

    async def scene() -> None:
        seats = ("--seats", str(2 + others), "--start", "full")
        host = Served(hall, *seats, "--option", "fiches=8", game="zompa")  # no one's asked: it's quick
        hall.port = int(host.tt.words[host.tt.words.index("--port") + 1])
        async with visitor(host) as gino:
            for _ in range(others):
                hall.join("--bot", "easy")
            await gino.until(lambda said: said.get("scene", {}).get("phase") == "play")
            await asyncio.sleep(2.5)  # all have called all
            host.tt.interrupt()
            said = (await gino.until(lambda said: said["type"] == "over" and said.get("closed")))["farewell"]
            assert said["title"] == f"Host's laptop has stopped. {title}"
            assert said["how"] == "To continue, open Host's laptop and type"
            assert bool(said["until"]) is (others == 1)
        assert host.tt.done() == 130

    asyncio.run(scene())


def test_chairs_grow_until_nobody_stands(hall: Hall) -> None:
    """Without `--seats` a bot gives way to a phone; whoever comes during the match plays in the next one."""

    async def scene() -> None:
        host = Served(hall, "--bots", "7", game="conto")
        async with visitor(host, "Carlo") as carlo, visitor(host, "Dani") as dani:
            await dani.until(lambda said: lobby(said).get("seated"))
            names = [one["name"] for one in lobby(dani.state)["taken"]]
            assert len(names) == 8
            assert {"Host", "Carlo", "Dani"} <= set(names)
            host.tt.type("start")
            await carlo.until(lambda said: said["scene"]["phase"] == "play")
            async with visitor(host, "Nonna") as nonna:
                await nonna.until(lambda said: "You'll play as soon as a seat is free." in json.dumps(said))
                assert not nonna.state["watch"]
                host.tt.expect("Nonna is watching and will play as soon as a seat is free.")
        host.tt.interrupt()
        host.tt.done()

    asyncio.run(scene())


def test_phones_that_sleep_are_seen_within_seconds(hall: Hall) -> None:
    """Nothing comes from two pages: all see it, nobody "left", and so is the next sign of theirs."""

    async def scene() -> None:
        host = Served(hall, "--seats", "3", game="conto")
        async with visitor(host, "Carlo") as carlo, visitor(host, "Dani") as dani:
            await carlo.until(lambda said: len(lobby(said).get("taken", [])) == 3)
            host.tt.type("start")
            await carlo.until(lambda said: said["scene"]["phase"] == "play")
            begun = time.monotonic()
            await dani.until(lambda said: said["lights"] == [0, 1, 1])
            assert time.monotonic() - begun < 15
            await carlo.act(do="alive")
            await dani.act(do="alive")
            await dani.until(lambda said: said["lights"] == [0, 0, 0])
            host.tt.interrupt()
        host.tt.done()
        assert not host.tt.has("Carlo has left")

    asyncio.run(scene())


@needs_chromium
def test_two_phones_of_three_stop_for_today_and_one_holds_it_once(hall: Hall, tmp_path: Path) -> None:
    """They tap it in the menu; everyone sees who wishes it and the count; the third holds it, once."""

    async def scene() -> None:
        words = ("--seats", "4", "--bot", "easy", "--start", "full")
        host = Served(hall, *words, game="conto")
        async with (
            chromium(tmp_path / "phone") as phone,
            visitor(host, "Carlo") as carlo,
            visitor(host, "Dani") as dani,
        ):
            await phone.become(390, 664, phone=True)
            await phone.open(host.link)
            await phone.sit("Nonna")
            await phone.holds("state && state.scene.phase === 'play'")
            for one in (carlo, dani):
                await one.until(lambda said: said["scene"]["phase"] == "play")
            for again in (False, True):
                await phone.tap_on("[data-key=menu]")
                await phone.tap_on("[data-key=stop]")
                await carlo.act(do="alive")
                await carlo.act(do="stop")
                step = (await dani.until(lambda said: (said["next"] or {}).get("acts") == ["play on"]))[
                    "next"
                ]
                assert step["text"] in (
                    "We're stopping for today: Nonna, Carlo asked to stop.",
                    "We're stopping for today: Carlo, Nonna asked to stop.",
                    "Nonna would like to stop for today.", "Carlo would like to stop for today.",
                ), step  # fmt: skip
                await phone.says("We're stopping for today")
                if not again:
                    await dani.act(do="step", label="play on")
                    await phone.holds("!state.next || !state.next.text.includes('stopping')")
            await phone.says("That's all for today. No one has lost.")
        assert host.tt.done() == 0, host.tt.story()

    asyncio.run(scene())


def test_a_family_with_one_laptop_goes_on_another_day(hall: Hall) -> None:
    """Its host is killed, and stops for today: each time the page comes back by itself, to the same hand."""

    async def back(gino: Visitor) -> Any:
        async with asyncio.timeout(PATIENCE):
            while True:
                with contextlib.suppress(aiohttp.ClientError):
                    await gino.look()
                    break
                await asyncio.sleep(0.2)
        return await hand(gino)

    async def hand(gino: Visitor) -> Any:
        return (await gino.until(lambda said: said.get("scene", {}).get("yours")))["scene"]["yours"]

    async def scene() -> None:
        host = Served(hall, "--seats", "3", "--bots", "1", "--start", "full", game="horse-fever")
        async with visitor(host) as gino:
            before = await hand(gino)
            host.tt.kill()
            for stops in (True, False):
                host.tt = hall.run("-v", "resume", home="host", typed=True, TT_LANG="en")
                assert host.tt.note(r"http://\S+\?s=\S+")[0] == host.link
                assert await back(gino) == before
                host.tt.expect("The match continues.")  # before that, `quit` keeps the match for another day
                if stops:
                    host.tt.type("suspend")
                    assert host.tt.done() == 0
                    assert host.tt.errors[-1].startswith("Match suspended; no one has lost.")
        host.tt.type("quit")
        assert host.tt.done() == 0, host.tt.story()
        assert not list((host.tt.home / "data" / "identities").rglob("*.way")), host.tt.story()

    asyncio.run(scene())


@needs_chromium
def test_pages_say_how_a_stopped_match_goes_on_and_come_back_untouched(hall: Hall, tmp_path: Path) -> None:
    """Phone and television name the laptop and the command; after `tt resume` both are back."""

    async def scene() -> None:
        words = ("--seats", "3", "--bots", "1", "--start", "full")
        host = Served(hall, *words, game="horse-fever")
        async with chromium(tmp_path / "phone") as phone, chromium(tmp_path / "screen") as screen:
            await phone.open(host.link)
            await phone.sit("Gino")
            await host.let_in(screen)
            await phone.holds("state && (state.scene.yours || []).length")
            before = await phone.ask("JSON.stringify(state.scene.yours)")
            for page in (phone, screen):
                await page.holds("state && state.scene.phase === 'play'")
            host.tt.type("suspend")
            assert host.tt.done() == 0
            for page in (phone, screen):
                await page.says("That's all for today. No one has lost.")
                await page.says("open Host's laptop and type\\s+tt resume")
                assert not await page.ask("document.querySelector('#curtain button')")
            await phone.says("You're Gino. Horse Fever")
            port = str(free_port())
            there = ("--bind", "127.0.0.1", "--port", port, "--web", "--web-port", str(host.port))
            other = hall.run("-v", "host", "zompa", *there, "--as", "Eve", home="eve", typed=True)
            other.note("http://")
            async with asyncio.timeout(PATIENCE):
                while "Eve's table" not in await phone.words():
                    await phone.open(host.at)
            await phone.says("You're Gino. Horse Fever[^]*tt resume")
            other.type("quit")
            assert other.done() == 0
            assert "You're" not in await screen.words()
            host.tt = hall.run("-v", "resume", home="host", typed=True, TT_LANG="en")
            back = "document.getElementById('curtain').hidden"
            await phone.holds(f"{back} && JSON.stringify(state.scene.yours) === {json.dumps(before)}")
            await screen.holds(f"{back} && state.scene.phase === 'play'")
            host.tt.kill()
            for page in (phone, screen):
                await page.says("We can't reach Host's laptop")
            host.tt = hall.run("-v", "resume", home="host", typed=True, TT_LANG="en")
            for page in (phone, screen):
                await page.holds(back)
        host.tt.type("quit")
        assert host.tt.done() == 0, host.tt.story()

    asyncio.run(scene())


TELEVISION = """(() => {
  const bad = [];
  for (const one of document.querySelectorAll('#table *')) {
    const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = one.getBoundingClientRect();
    if (!words || !box.width || one.closest('svg, .unseen')) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    if (size < (one.matches('.player .mark') ? 40 : 30)) bad.push(`${size}: ${one.textContent.slice(0, 30)}`);
  }
  for (const one of document.querySelectorAll('.player .name')) {
    const [box, all] = [one, one.closest('#players')].map((each) => each.getBoundingClientRect());
    if (box.bottom > all.bottom + 1) bad.push(`hidden: ${one.textContent}`);
  }
  if ([...document.querySelectorAll('.qr')].filter((one) => one.getBoundingClientRect().width).length !== 1) {
    bad.push('not one QR code');
  }
  return bad;
})()"""
"""What is too small to be read from a sofa at 1920x1080, or isn't in sight; [] if nothing is."""


@needs_chromium
def test_a_television_is_read_from_a_sofa(hall: Hall, tmp_path: Path) -> None:
    """Dark where browsers are light; one QR code, and no key beside it; every player in sight."""

    async def scene() -> None:
        host = Served(hall, "--bots", "6", game="conto")
        async with chromium(tmp_path / "screen") as screen, visitor(host, "Carlo"):
            await screen.become(1920, 1080, light=True)
            await host.let_in(screen)
            await screen.holds("state.lobby && state.lobby.taken.length === 8")
            assert await screen.ask(TELEVISION) == []
            assert "?s=" not in await screen.words()
            dark = "getComputedStyle(document.body).backgroundColor"
            assert await screen.ask(dark) == "rgb(16, 20, 23)"
            host.tt.type("start")
            await screen.holds(
                "state.scene.phase === 'play' && document.querySelectorAll('.player').length === 8"
            )
            assert await screen.ask(TELEVISION) == []
        host.tt.interrupt()
        host.tt.done()

    asyncio.run(scene())


def test_a_thousand_wrong_messages_and_a_slow_reader_harm_nobody(hall: Hall) -> None:
    """One page sends junk, one never reads; a third says words, and the host hears them."""

    async def scene() -> None:
        host = Served(hall, "--seats", "4")
        async with (
            visitor(host, "Junk") as junk,
            visitor(host, "Slow") as slow,
            visitor(host, "Gino") as gino,
        ):
            for one in (junk, slow, gino):
                await one.until(lambda said: lobby(said).get("seated"))
            for number in range(250):
                for text in (
                    "[" * (number + 1),
                    '{"do": ["x"]}',
                    "\x00 junk",
                    '{"do": "send", "question": 7}',
                ):
                    assert junk.socket is not None
                    with contextlib.suppress(ConnectionError):  # it's cut off soon
                        await junk.socket.send_str(text)
            began = time.monotonic()
            await gino.act(do="say", words="still here")
            host.tt.expect("Gino says: still here")
            assert time.monotonic() - began < 5
            for number in range(20):
                with contextlib.suppress(ConnectionError):
                    await junk.act(do="say", words=f"{number} " + "x" * 200)
            await gino.act(do="say", words="and again")
            host.tt.expect("Gino says: and again")
            assert host.tt.process.poll() is None

    asyncio.run(scene())


def test_another_machine_has_a_page_when_the_hosts_is_gone(hall: Hall) -> None:
    """Its address reached the phone beforehand; there it looks on, and sits down for the next match."""

    async def scene() -> None:
        host = Served(hall, "--seats", "5")
        hall.port = int(host.tt.words[host.tt.words.index("--port") + 1])
        ann = hall.join("--web", "--web-port", str(free_port()), typed=True)
        others = [hall.join(typed=True) for _ in range(2)]
        async with visitor(host) as gino:
            state = await gino.until(lambda said: said.get("pages") and len(lobby(said)["taken"]) == 5)
            [[name, link]] = state["pages"]
            own = ann.note(r"http://[^:]+(:\S+\?s=\S+)")
            assert (name, link) == ("Ann", f"http://127.0.0.1{own[1]}")
            assert lobby(state)["trust"][0] == (
                "All seats share one address. If it's one computer, its owner could see all hands."
            )
            for one in (ann, *others):
                one.expect("Gino")
            await asyncio.sleep(2.5)  # all have called all
        host.tt.kill()
        ann.expect("(Host|Gino) is away")
        async with aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session:
            again = Visitor(host, session)
            host.link, host.port = link, int(re.findall(r":(\d+)/", link)[0])
            await again.sit("Gino")
            if not lobby(await again.until(lambda said: lobby(said).get("free")))["seated"]:
                await again.act(do="sit")
            state = await again.until(lambda said: lobby(said).get("seated"))
            assert "trust Ann's computer" in lobby(state)["trust"][-1]

    asyncio.run(scene())


def test_the_big_screen_shows_the_public_table(hall: Hall) -> None:
    """The owner lets it in; it shows what a spectator may see, and what it sends changes nothing."""

    async def scene() -> None:
        host = Served(hall, "--seats", "3", "--screen", "--start", "full", game="conto")

        async def play() -> None:
            chance = random.Random(7)
            while True:  # a call may need a card that the host lacks; in turn, pairs repeat
                host.tt.type(chance.choice("123456"))
                await asyncio.sleep(0.5)

        async def follow(one: Visitor) -> None:
            while True:
                state = await one.until(lambda said: said.get("question"))
                await one.act(do="send", question=state["question"])
                one.state = {}

        async with (
            visitor(host) as gino,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
        ):
            form = {"screen": "yes"}
            async with session.post(f"{host.at}/knock", data=form, headers={"Origin": host.at}) as page:
                letters = re.findall(r'"letters">(\w+)<', await page.text())[0]
            host.tt.type(f"admit {letters}")
            async with asyncio.timeout(PATIENCE):
                while True:
                    async with session.get(f"{host.at}/knock") as page:
                        if page.url.path == "/":
                            break
                    await asyncio.sleep(0.2)
            async with visitor(host, "Dani") as dani:
                hand: set[int] = set()
                others = [asyncio.create_task(play()), asyncio.create_task(follow(dani))]
                while not hand:
                    state = await gino.until(lambda said: said.get("question"))
                    await gino.act(do="send", question=state["question"])  # its turn to deal
                    gino.state = {}
                    hand = {
                        card["card"]
                        for one in state["scene"].get("yours", [])
                        for card in one.get("cards", [])
                    }
                for one in others:
                    one.cancel()  # Dani is next: if Dani sent for the bill, all would see Gino's hand
                screen = Visitor(host, session)
                await screen.look()
                shown = await screen.until(
                    lambda said: said["type"] == "state" and said["scene"]["phase"] == "play"
                )
                assert shown["screen"]
                assert not shown["question"]
                seen = {card["card"] for panel in shown["scene"]["panels"] for value in panel.get("more", [])
                        for card in value.get("cards", [])}  # fmt: skip
                # Gino shows a card a turn; a leaked secret would be the whole hand
                assert len(hand - seen) >= 2
                assert not shown["scene"].get("yours")
                await screen.act(do="leave")
                await screen.act(do="here")
                again = Visitor(host, session)
                await again.look("2")
                await again.until(lambda said: said["type"] == "elsewhere")
                await again.act(do="here")
                await again.until(lambda said: said["type"] == "state")

    asyncio.run(scene())


@pytest.mark.long
def test_a_host_that_dies_with_its_phones_does_not_take_the_match(hall: Hall) -> None:
    """Its machine is one party, however many people it serves: the two others play to the end."""

    async def scene() -> None:
        host = Served(hall, "--seats", "5", "--start", "full")
        hall.port = int(host.tt.words[host.tt.words.index("--port") + 1])
        async with visitor(host) as gino, visitor(host, "Nora") as nora:
            others = [hall.join("--bot", "easy") for _ in range(2)]
            for phone in (gino, nora):
                await phone.until(
                    lambda said: said.get("type") == "state" and said["scene"]["phase"] == "play"
                )
            for one in others:
                one.expect("Gino")
            await asyncio.sleep(2.5)  # all have called all
        host.tt.kill()
        for one in others:
            one.expect("Host is away")
            one.expect("ha(s|ve) won")
            assert one.done() == 0

    asyncio.run(scene())
