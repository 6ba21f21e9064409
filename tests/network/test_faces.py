"""What phones and a television draw of the moments of matches: bare pages in a real Chromium, without a host.

The moments are those of whole matches, as `BrowserFrontend` makes them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from tests.core.ui.scene.moments import GAMES, seat
from tests.core.web.test_frontend import play
from tests.core.web.test_server import nobody_there

from tavolata._engine.sessions.knocks import Knock, Knocks
from tavolata._ui.i18n import Translator
from tavolata._web import pages
from tavolata._web.frontend import BrowserFrontend
from tavolata._web.seats import SILENCE, WebAccess
from tavolata._web.server import FILES, WebTable, served

from .chromium import Page, chromium
from .test_browsers import CHECK, CONTRAST, needs_chromium, state_of_a_bet, told

State = dict[str, Any]
LINK = "http://192.168.178.20:8288/?s=abcdefghijklmnopqrstuv"
QUESTIONS = 12
"""Questions of each match after which it's left."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@cache
def moments(game: str, seats: int = 4) -> list[State]:
    """What a page is told in a match, moment by moment, at the normal pace."""
    found: list[State] = []

    def look(frontend: BrowserFrontend, state: State) -> None:
        found.append({**state, "pages": [], "watch": False, "screen": False})

    play(seat(game, seats), look, most=QUESTIONS, pace=1.0)
    return found


def on_television(state: State) -> State:
    """The same moment as a television is told it."""
    scene = {name: part for name, part in state["scene"].items() if name != "yours"}
    step: State = {
        "text": "Carla is thinking.",
        "left": None,
        "since": 12,
        "acts": [],
        "urgent": False,
        "mine": False,
    }
    wait = {"kind": "wait", "title": "", "text": ""}
    return {
        **state, "scene": {**scene, "decision": wait}, "question": "", "kind": {}, "next": step,
        "watch": True, "screen": True, "window": None,
    }  # fmt: skip


@contextlib.asynccontextmanager
async def bare(page: Page, *, screen: bool = False) -> AsyncIterator[None]:
    """Open the page of a table that has no host; it draws what `show` is given, and nothing else."""
    speaker = Translator("en")
    text = pages.table_page(speaker.text, "en", title="T", host="Host", link=LINK, screen=screen)

    async def whole(_: web.Request) -> web.Response:
        return web.Response(text=text, content_type="text/html")

    async def file(request: web.Request) -> web.FileResponse:
        return web.FileResponse(FILES[request.match_info["name"]])

    app = web.Application()
    app.router.add_get("/", whole)
    app.router.add_get("/static/{name}", file)
    runner = web.AppRunner(app)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        await page.open(f"http://127.0.0.1:{runner.addresses[0][1]}/")
        await page.ask(
            "[window.again, socket.onclose, connect, look, drawLost] ="
            " [look, null, () => 0, () => 0, () => 0]; curtain('')"
        )
        yield
    finally:
        await runner.cleanup()


def shown(state: State, *scripts: str, pace: float = 0.0) -> str:
    """The script that shows a moment and returns what the scripts find in it."""
    return f"({told({**state, 'pace': pace})}, [{', '.join(scripts)}])"


BOXES = """(() => {
  const found = {};
  for (const which of ['#ticker', '#decision .act', '#ticker .plain', '.bang']) {
    const one = document.querySelector(which);
    const box = one && one.getBoundingClientRect();
    if (box && box.width) found[which] = [box.left, box.top, box.width, box.height].map(Math.round);
  }
  const plays = ['play', 'window'].includes(document.body.dataset.phase);
  if (!plays || document.querySelector('.opening')) return found; // they come after the opening card
  const parts = '#players, #board, #yours, #decision, #players .player, [data-slot]';
  [...document.querySelectorAll(parts)].forEach((one) => {
    const box = one.getBoundingClientRect();
    const seat = one.matches('.player') ? `seat ${[...one.parentNode.children].indexOf(one)}` : '';
    const name = one.dataset.slot || seat || one.id;
    const place = [box.left, box.top, box.width, box.height];
    if (one.id === 'decision') [place[1], place[3]] = [box.bottom, 0]; // it may cover what it isn't about
    if (box.width) found[name] = place.map(Math.round);
  });
  return found;
})()"""
"""Where everything is: the newest sentence, the act, what goes on, the reaction, regions, seats and slots."""

CHOICES = """(() => {
  const kept = [...document.querySelectorAll('#decision .choice')];
  const bold = options().filter((one) => one.mood === 'bold' && one.can && options().length > 1);
  return {
    impossible: kept.filter((one) => one.matches('.no')).length,
    hidden: bold.filter((one) => !kept.some((made) => made.textContent === one.text)).length,
    bold: bold.length,
  };
})()"""
"""How many impossible choices there are, and how many bold ones aren't on view."""


def lies_over(one: list[int], other: list[int]) -> bool:
    """Whether two boxes have a place in common."""
    (x, y, w, h), (left, top, wide, high) = one, other
    return x < left + wide and left < x + w and y < top + high and top < y + h


@needs_chromium
@pytest.mark.parametrize("size", [(390, 844), (390, 664), (360, 640), (844, 390), (1280, 720)])
def test_acceptance_14_and_24_nothing_is_clipped_and_nothing_jumps(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """In all moments: no impossible choice, bold ones on view, contrast 4.5, and each thing in one place."""
    matches = {game: moments(game) for game in GAMES}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for light, game in ((light, game) for game in GAMES for light in (False, True)):
                await page.become(*size, phone=size[0] < 900, light=light)
                bold, places = 0, dict[str, set[tuple[int, ...]]]()
                async with bare(page):
                    for number, state in enumerate(matches[game]):
                        bad, faint, boxes, choices = await page.ask(
                            shown(state, CHECK, CONTRAST, BOXES, CHOICES)
                        )
                        assert [*bad, *faint] == [], (game, number, light)
                        assert (choices["impossible"], choices["hidden"]) == (0, 0), (game, number)
                        bold += choices["bold"]
                        for name, box in boxes.items():
                            places.setdefault(name, set()).add(tuple(box))
                        if "#ticker .plain" in boxes and ".bang" in boxes:
                            assert not lies_over(boxes["#ticker .plain"], boxes[".bang"])
                assert bold > 0 or game != "conto"
                places.pop("#ticker .plain", None)  # as high as the ticker, as wide as its word
                assert {name: found for name, found in places.items() if len(found) > 1} == {}, game
                assert {"hero.0", "seat 3", "#decision .act"} <= places.keys()

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize("game", ["conto", "horse-fever"])
def test_a_page_that_is_loaded_again_has_everything_where_it_was(tmp_path: Path, game: str) -> None:
    """The places are those of the rehearsal, whatever has been on view before."""
    states = [one for one in moments(game) if "card" not in one["scene"]]

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((390, 844), (1280, 720)):
                await page.become(*size, phone=size[0] < 900)
                found = []
                for seen in (states[-1:], [*states[:1], *states[-9:]]):
                    async with bare(page):
                        for state in seen:
                            [boxes] = await page.ask(shown(state, BOXES))
                        found.append(boxes)
                assert found[0] == found[1], size

    asyncio.run(scene())


@needs_chromium
def test_what_no_rehearsal_showed_has_a_spare_place(tmp_path: Path) -> None:
    """It's named with what it says, on view, and nothing else moves for it."""
    state = next(one for one in moments("conto") if one["question"] and "card" not in one["scene"])
    new = {"id": "x", "slot": "centre.9", "role": "centre", "draw": "words", "title": "Thanks", "text": "3"}
    more = {**state, "scene": {**state["scene"], "board": [*state["scene"]["board"], new]}}
    read = """(() => {
      const facts = [...document.querySelectorAll('.asides > span')];
      const one = facts.find((each) => /Thanks 3/.test(each.textContent));
      const [box, all] = [one, one.parentNode].map((each) => each.getBoundingClientRect());
      return [box.width > 0, box.top >= all.top - 1, box.bottom <= all.bottom + 1];
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((390, 844), (1280, 720)):
                await page.become(*size, phone=size[0] < 900)
                async with bare(page):
                    [before] = await page.ask(shown(state, BOXES))
                    [after, seen] = await page.ask(shown(more, BOXES, read))
                    after.pop("centre.9", None)
                    assert (after, seen) == (before, [True] * 3), size

    asyncio.run(scene())


TELEVISION = """(() => {
  const bad = new Set();
  for (const one of document.querySelectorAll('#table *')) {
    const words = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const box = one.getBoundingClientRect();
    if (!words || !box.width || one.closest('svg, .unseen')) continue;
    const size = parseFloat(getComputedStyle(one).fontSize);
    const sizes = [['#next, #next *', 58], ['.player .name', 46], ['.player .mark', 40], ['*', 30]];
    const least = sizes.find(([which]) => one.matches(which))[1];
    const told = one.textContent.slice(0, 30);
    if (size < least) bad.add(`${size} of ${least}: ${told}`);
    const clipped = one.closest('.lines, .player .more'); // what is cut there isn't seen beyond
    const inside = box.left >= 38 && box.top >= 21 && box.right <= 1882 && box.bottom <= 1059;
    if (!clipped && !inside) bad.add(`margin: ${told}`);
    if (one.matches('.stamp') && size < 0.08 * innerHeight) bad.add(`stamp: ${size}`);
  }
  const card = document.querySelector('#board:not(:has(.cue, .opening)) :is(.card.big, .apart .card)');
  if (card && Math.abs(card.getBoundingClientRect().height - 320) > 2) bad.add('hero card');
  const board = document.getElementById('board');
  if (board.scrollHeight > board.clientHeight + 2) bad.add(`board: ${board.scrollHeight} high`);
  const hero = document.querySelector('[data-slot="hero.0"]').getBoundingClientRect().height;
  if (hero && hero < 0.6 * (board.clientHeight - 20)) bad.add(`hero: ${hero} of ${board.clientHeight}`);
  return [...bad];
})()"""
"""What is smaller at 1920x1080 than it has to be, or too near the edge."""


@needs_chromium
def test_the_sizes_of_a_television(tmp_path: Path) -> None:
    """Each text of each moment is as large as the design says, in contrast 6.5, within the margin."""
    matches = {game: moments(game) for game in GAMES}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(1920, 1080, light=True)
            async with bare(page, screen=True):
                code = "document.querySelector('.corner .qr').getBoundingClientRect().width"
                for game, states in matches.items():
                    for number, state in enumerate(states):
                        faint = CONTRAST.replace("< 4.5", "< 6.5")
                        bad, pale, wide = await page.ask(shown(on_television(state), TELEVISION, faint, code))
                        assert [*bad, *pale] == [], (game, number)
                        assert abs(wide - 180) <= 2

    asyncio.run(scene())


VERDICT = """(() => {
  const one = document.querySelector('.cue');
  if (!one) return null;
  const seen = (which) => [...one.querySelectorAll(which)].filter((each) => !each.matches('.unset'));
  const told = seen('.bearer').map((each) => each.textContent);
  return [one.querySelectorAll('.mini').length, seen('.stamp').length, told];
})()"""
"""How many cards of a verdict are counted so far, whether it's stamped, and whose number has moved."""


@needs_chromium
def test_a_verdict_is_counted_stamped_and_marked(tmp_path: Path) -> None:
    """Card by card, then the stamp, then who pays: the same cards as in the scene; without motion at once."""
    states = moments("conto")
    at = next(at for at, state in enumerate(states) if state["scene"].get("cue", {}).get("stamp"))
    count, stamp = states[at - 1], states[at]
    cue = stamp["scene"]["cue"]
    cards = sum(len(one.get("cards", [])) for one in cue["tallies"])
    bearer = stamp["scene"]["panels"][[one["seat"] for one in stamp["scene"]["panels"]].index(cue["seat"])]
    assert count["scene"]["cue"]["step"] == "tally"
    assert cards >= 2

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            async with bare(page):
                [[first, *_]] = await page.ask(shown(count, VERDICT, pace=1.0))
                assert first == 0
                await page.holds(f"({VERDICT})[0] === {cards}")
                [[again, stamped, marked]] = await page.ask(shown(stamp, VERDICT, pace=1.0))
                assert (again, stamped, marked) == (cards, 1, [])  # they aren't counted twice
                await page.holds(f"({VERDICT})[2].length === 1")
                [told] = (await page.ask(VERDICT))[2]
                before, after = cue["number"] - cue["delta"], cue["number"]
                assert bearer["name"] in told
                assert told.endswith(f" {before} → {after}")
                text = await page.ask("document.querySelector('.cue').innerText")
                assert cue["stamp"].lower() in text.lower()
                assert [one["of"] for one in cue["tallies"] if one["of"] not in text] == []
                await page.do("Emulation.setEmulatedMedia", features=[
                    {"name": "prefers-reduced-motion", "value": "reduce"}])  # fmt: skip
                await page.ask("cue = { key: '', tallies: '' }")
                [[all_, stamped, marked]] = await page.ask(shown(stamp, VERDICT, pace=1.0))
                assert (all_, stamped, len(marked)) == (cards, 1, 1)

    asyncio.run(scene())


@needs_chromium
def test_an_opening_card_is_read_once_and_hides_nothing(tmp_path: Path) -> None:
    """Three sentences and one button, the hand in view; after that the game's question; never again there."""
    states = moments("conto")
    card = next(one["scene"]["card"] for one in states if "card" in one["scene"])
    asked = next(one for one in states if one["question"])
    state = {**asked, "scene": {**asked["scene"], "card": card}}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((390, 844), (360, 640), (844, 390)):
                await page.become(*size, phone=True)
                async with bare(page):
                    bad, rows = await page.ask(
                        shown(state, CHECK, "document.querySelectorAll('.opening dd').length")
                    )
                    assert (bad, rows) == ([], 3), size
                    assert await page.ask("$('board').scrollHeight <= $('board').clientHeight + 1")
                    assert await page.ask("document.querySelectorAll('.hand .card').length") == 6
                    assert await page.tap_on("[data-key=begin]")
                    await page.holds(
                        "!document.querySelector('.opening') && document.querySelector('[data-choice]')"
                    )
                    [rows] = await page.ask(shown(state, "document.querySelectorAll('.opening').length"))
                    assert rows == 0

    asyncio.run(scene())


@needs_chromium
def test_a_second_tap_on_begin_answers_nothing(tmp_path: Path) -> None:
    """The act lies where "Begin" was: a double tap on that only puts the card away."""
    states = moments("conto")
    card = next(one["scene"]["card"] for one in states if "card" in one["scene"])
    asked = next(one for one in states if one["question"])
    state = {**asked, "scene": {**asked["scene"], "card": card}}
    taps = """(() => {
      asked[1] -= 5000; // the card was read for so long
      send = (what) => sent.push(what);
      document.querySelector('#decision [data-key=begin]').click();
      document.querySelector('#decision .act').click();
      return sent;
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            async with bare(page):
                await page.ask("window.sent = []")
                [sent] = await page.ask(shown(state, taps))
                assert sent == ["begun"]

    asyncio.run(scene())


@needs_chromium
def test_a_machine_that_dies_without_a_word_is_lost_to_its_page(tmp_path: Path) -> None:
    """Its connection stays open for minutes: the page drops it, and whatever comes of it later is ignored."""
    die = """(() => {
      const dead = { readyState: WebSocket.OPEN, onclose: () => told.push('closed') };
      dead.close = () => (dead.readyState = WebSocket.CLOSING);
      [window.told, window.dead, socket, heard, lost] = [[], dead, dead, performance.now() - MUTE, 0];
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask(die)
            await page.holds("lost")
            assert await page.ask("[lost === heard, dead.readyState, dead.onclose, told]") == [
                True, 2, None, ["closed"],
            ]  # fmt: skip

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize(
    ("until", "ways"), [("", ["continue on Ann's computer"]), ("Saved until {date}.", [])]
)
def test_phones_of_a_laptop_that_quits_go_to_others_that_play_on(
    tmp_path: Path, until: str, ways: list[str]
) -> None:
    """The farewell has a button for each machine with pages, unless the match waits for this one."""
    state = {**moments("zompa")[0], "pages": [["Ann", "http://192.168.178.21:8288/?s=a"]]}
    told = dict.fromkeys(("title", "match", "how", "command", "page"), "-")
    bye = {"type": "over", "text": "-", "closed": True, "farewell": {**told, "until": until, "last": 0}}
    texts = "[...document.querySelectorAll('#curtain button')].map((one) => one.textContent)"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            [_, buttons] = await page.ask(shown(state, f"hear({json.dumps(bye)})", texts))
            assert buttons == ways

    asyncio.run(scene())


@needs_chromium
def test_the_rules_of_the_next_game_are_asked_for_anew(tmp_path: Path) -> None:
    """In the same match they're read again as they are; after a change of the game they're another's."""
    now = moments("zompa")[0]
    title = {**now["scene"]["status"], "title": "Another game"}
    later = {**now, "scene": {**now["scene"], "status": title}}
    read = "(rulebook = rulebook || [], !!rulebook)"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            for state, known in ((now, False), (now, True), (later, False), (later, True)):
                assert await page.ask(shown(state, "!!rulebook", read)) == [known, True]

    asyncio.run(scene())


@needs_chromium
def test_a_tap_counts_though_a_state_comes_while_the_finger_is_down(tmp_path: Path) -> None:
    """A clock makes a state each second: it's shown after the click, at most half a second later."""
    state = next(one for one in moments("conto") if one["question"] and "card" not in one["scene"])
    told = json.dumps({**state, "type": "state", "trouble": "new"})
    touch = """((ends) => {
      const act = document.querySelector('#decision .act');
      act.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
      hear(TOLD);
      const stays = act.isConnected && !document.querySelector('.wrong');
      if (ends) act.dispatchEvent(new PointerEvent(ends, { bubbles: true }));
      return [stays, !!document.querySelector('.wrong')];
    })""".replace("TOLD", told)

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            for ends in ("click", "pointercancel", ""):
                [both] = await page.ask(shown(state, f"{touch}('{ends}')"))
                assert both == [True, ends != ""], ends
                await page.holds("document.querySelector('.wrong')")

    asyncio.run(scene())


@needs_chromium
def test_a_key_that_is_held_down_is_one_act(tmp_path: Path) -> None:
    """Thirty a second, of an arrow or of Enter on a button, would have the page cut off."""
    state = next(one for one in moments("conto") if one["question"] and "card" not in one["scene"])
    press = """(() => {
      [window.sent, send, asked[1]] = [[], (what) => sent.push(what), asked[1] - 5000];
      const on = [['ArrowRight', document.body], ['Enter', document.querySelector('#decision .act')]];
      return on.map(([key, target]) => [false, true].map((repeat) => {
        const event = new KeyboardEvent('keydown', { key, repeat, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        return [event.defaultPrevented, sent.length];
      }));
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            [[arrows, enter]] = await page.ask(shown(state, press))
            assert arrows == [[True, 1], [True, 1]]
            assert enter == [[False, 1], [True, 1]]

    asyncio.run(scene())


SEATS = """((least) => {
  const bad = [];
  const seats = [...document.querySelectorAll('#players .player')];
  for (const one of seats) {
    const box = one.getBoundingClientRect();
    const told = one.querySelector('.name').textContent;
    const on = (each) =>
      each.left >= -1 && each.top >= -1 && each.right <= innerWidth + 1 && each.bottom <= innerHeight + 1;
    if (!on(box)) bad.push(`cut off: ${told} ${[box.left, box.top, box.right, box.bottom].map(Math.round)}`);
    for (const part of one.querySelectorAll('.name, .main')) {
      if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth) bad.push(`short: ${told}`);
    }
    for (const part of one.querySelectorAll('.mini, .tiny')) {
      const inside = part.getBoundingClientRect();
      const out = inside.right > box.right + 1 || inside.bottom > box.bottom + 1;
      if (inside.width ? out : part.matches('.mini') && seats.length < 9) bad.push(`card: ${told}`);
    }
    for (const id of ['board', 'story', 'decision']) {
      const other = document.getElementById(id).getBoundingClientRect();
      const lapped = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      const beside = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      if (other.width && lapped > 1 && beside > 1) bad.push(`${told} under ${id}`);
    }
  }
  return [seats.length, [...new Set(bad)]];
})()"""
"""How many seats are on view, and what of them can't be read."""

MOST = {"bang": 8, "conto": 8, "horse-fever": 6, "jumpy-jack": 8, "zompa": 8}


@needs_chromium
@pytest.mark.parametrize("seats", [5, 8])
def test_every_seat_and_hand_is_on_view_however_many_play(tmp_path: Path, seats: int) -> None:
    """All seats with names, numbers and cards, on phones and on a television; the board has its room."""
    matches = {game: moments(game, min(seats, most)) for game, most in MOST.items()}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for width, height in ((360, 640), (390, 844), (844, 390), (1280, 720), (1920, 1080)):
                for game, states in matches.items():
                    screen = width > 900
                    await page.become(width, height, phone=not screen)
                    async with bare(page, screen=screen):
                        for number, state in enumerate(states[1::12]):
                            told = on_television(state) if screen else state
                            [[count, bad], cut] = await page.ask(shown(told, SEATS, CHECK))
                            where = (game, number, width, height)
                            assert (count, bad) == (min(seats, MOST[game]), []), where
                            if height < 400:  # on its side, a phone's board may scroll
                                cut = [one for one in cut if not one.startswith("board")]
                            assert screen or cut == [], (*where, cut)

    asyncio.run(scene())


@needs_chromium
def test_a_phone_shows_its_own_call_until_it_is_sent(tmp_path: Path) -> None:
    """At the last step all that was chosen before is read in full, and the question takes no room."""
    states = [one for one in moments("conto") if one["scene"]["decision"].get("entries")]
    last = next(
        one
        for one in states
        if len([1 for each in one["scene"]["decision"]["entries"] if "value" in each]) > 1
    )
    given = [one["value"] for one in last["scene"]["decision"]["entries"] if "value" in one]

    read = """[...document.querySelectorAll('.entries .given')].filter((one) => {
      const on = one.getBoundingClientRect();
      return one.scrollWidth <= one.clientWidth + 1 && on.right <= innerWidth && on.bottom <= innerHeight;
    }).map((one) => one.textContent)"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((360, 640), (390, 844), (844, 390)):
                await page.become(*size, phone=True)
                async with bare(page):
                    asks = "document.querySelectorAll('#decision .ask').length"
                    [entries, ask] = await page.ask(shown(last, read, asks))
                    assert len(entries) == len(given)
                    assert all(value in entry for value, entry in zip(given, entries, strict=True)), entries
                    assert ask == 0

    asyncio.run(scene())


@needs_chromium
def test_after_a_match_one_button_is_the_next_act_and_a_tap_does_it(tmp_path: Path) -> None:
    """What may be done while nothing is asked: the first stands out, and each needs a single tap."""
    acts = [
        {"number": at, "text": text, "verb": text, "can": True, "order": 0}
        for at, text in enumerate(("play again", "watch the match again"), 1)
    ]
    decision = {"kind": "choices", "title": "", "text": "?", "act": "", "options": acts, "pointed": 0}
    state = moments("zompa")[-1]
    state = {
        **state, "scene": {**state["scene"], "decision": {**decision, "own": True}}, "question": "9.0",
        "kind": {"idle": True}, "window": None,
    }  # fmt: skip

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((360, 640), (390, 844), (844, 390)):
                await page.become(*size, phone=True)
                async with bare(page):
                    texts = "[...document.querySelectorAll('#decision button')].map((one) => one.textContent)"
                    main = "[...document.querySelectorAll('.primary')].map((one) => one.textContent)"
                    [bad, buttons, first] = await page.ask(shown(state, CHECK, texts, main))
                    assert (bad, sorted(buttons), first) == (
                        [],
                        ["play again", "watch the match again"],
                        ["play again"],
                    )
                    await page.ask("(window.sent = [], send = (...said) => window.sent.push(said))")
                    await page.holds("performance.now() - asked[1] > 500")
                    await page.tap_on(".primary")
                    await page.holds("window.sent.length")
                    assert await page.ask("window.sent[0]") == ["send", {"question": "9.0", "at": 0}]

    asyncio.run(scene())


@needs_chromium
def test_a_whisper_stays_for_those_who_were_picked_when_others_take_their_seats(tmp_path: Path) -> None:
    """Who left meanwhile stays picked, and the words name them: never somebody else, and never all."""
    state = moments("zompa")[-1]
    everyone, fewer = (
        {**state, "talk": {"to": names, "of": names, "team": []}} for names in (["Berto", "Carla"], ["Carla"])
    )
    talk = "document.querySelector('#story form')"
    whisper = f"""(() => {{
      const sent = [];
      socket.send = (text) => sent.push(JSON.parse(text));
      Object.defineProperty(socket, 'readyState', {{ value: WebSocket.OPEN }});
      said = 'psst';
      {talk}.requestSubmit();
      const to = sent.filter((one) => one.do === 'say').map((one) => one.to);
      return [to, {talk}.querySelector('input').placeholder];
    }})()"""
    pick = """(() => {
      const names = [...document.querySelectorAll('#story .hearers button')];
      names.find((one) => one.textContent === 'Berto').click();
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(1280, 720)
            async with bare(page):
                await page.ask(shown(everyone, pick))
                [[sent, label]] = await page.ask(shown(fewer, whisper))
                assert sent == [["Berto"]]
                assert "Berto" in label

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize("screen", [False, True])
def test_a_page_follows_the_name_and_the_link_of_its_machine(tmp_path: Path, screen: bool) -> None:
    """A television's corner, an open menu and what's said of a silent machine have the newest of both."""
    now, link = moments("zompa")[0], LINK.replace("178.20", "178.21")
    later = {**now, "host": "Emma", "link": pages.with_code(link)}
    where = "document.querySelector('.corner, #sheet .door')"
    read = f"[{where}.querySelector('.qr').getAttribute('aria-label'), {where}.innerText, host]"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(1280, 720) if screen else await page.become(390, 844, phone=True)
            async with bare(page, screen=screen):
                for state, told in ((now, (LINK, "178.20", "Host")), (later, (link, "178.21", "Emma"))):
                    [_, (whole, short, host)] = await page.ask(
                        shown(state, "SCREEN || sheet || open('menu')", read)
                    )
                    assert (whole, host) == (told[0], told[2])
                    assert told[1] in short

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize("screen", [False, True])
def test_a_full_table_says_so_below_its_code(tmp_path: Path, screen: bool) -> None:
    """In a television's corner and in the menu, while whoever comes would only watch."""
    now, lobby = moments("zompa")[0], dict[str, Any]({"running": True, "seats": 2, "seated": False})
    lobby |= {part: [] for part in ("taken", "watchers", "teams", "rules", "changed", "problems", "trust")}
    read = "document.querySelector('.corner .link, #sheet .door .link').innerText.includes(WORDS.full)"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(1280, 720) if screen else await page.become(390, 844, phone=True)
            async with bare(page, screen=screen):
                for free in (True, False):
                    state = {**now, "lobby": {**lobby, "free": free}}
                    [_, full] = await page.ask(shown(state, "SCREEN || sheet || open('menu')", read))
                    assert full is not free

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize(
    ("screen", "over", "where"),
    [
        (False, "null", "/?lost"), (True, "null", "/knock"),
        (False, "{ closed: true, farewell: {} }", "/?lost"), (True, "{ closed: true, farewell: {} }", "/"),
    ],
    ids=["phone", "television", "phone with a farewell", "television with a farewell"],
)  # fmt: skip
def test_a_page_that_its_machine_has_forgotten_goes_to_the_door(
    tmp_path: Path, screen: bool, over: str, where: str
) -> None:
    """A television knocks as one instead; with a farewell it waits: another table may be there meanwhile."""
    forget = f"""(async () => {{
      [socket, over] = [{{ readyState: WebSocket.CLOSED }}, {over}];
      fetch = async () => ({{ ok: true, json: async () => ({{ known: false }}) }});
      await again();
    }})()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page, screen=screen):
            with contextlib.suppress(AssertionError):  # the page is gone before it could say more
                await page.ask(forget)
            await page.holds(f"location.pathname + location.search === '{where}'")

    asyncio.run(scene())


@needs_chromium
def test_a_page_that_knocks_looks_for_its_machine_and_comes_back(tmp_path: Path) -> None:
    """While the machine is silent the page says so, where a browser has an error; then it's at the door."""
    heard: list[Knock] = []

    def table() -> WebTable:
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        access = WebAccess(lambda: "Hanna", lambda _: "Zompa", nobody_there, str, knocks=knocks)
        return WebTable(access, lambda _: True)

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            first = table()
            async with served(first, ["127.0.0.1"], None, 0):
                await page.open(f"http://127.0.0.1:{first.port}")
                await page.ask("document.querySelector('[name=screen]').form.submit()")
                await page.says("BBBB")
                assert "Looking for" not in await page.words()
            await page.says("Looking for Hanna's laptop")
            await page.says("BBBB")
            async with served(table(), ["127.0.0.1"], first.port, 0):
                await page.says("This is the television")
                await page.ask("document.querySelector('[name=screen]').form.submit()")
                await page.says("CCCC")
                assert "Looking for" not in await page.words()
                again = "fetch('/knock', { method: 'POST', body: new URLSearchParams({ name: 'Gino' }) })"
                await page.ask(f"{again}.then(() => 0)")  # as another tab does
                await page.says("DDDD")

    asyncio.run(scene())


@needs_chromium
@pytest.mark.parametrize("version", ["this", "another"])
def test_a_page_that_outlives_an_update_is_loaded_anew(tmp_path: Path, version: str) -> None:
    """The machine is there again with another version: the old script speaks to it no more."""
    ask = f"""(async () => {{
      const [told, kept] = [[], fetch];
      const version = '{version}' === 'this' ? document.body.dataset.version : '9.9';
      window.told = told;
      connect = () => told.push('connects');
      socket = {{ readyState: WebSocket.CLOSED }};
      fetch = async () => ({{ ok: true, json: async () => ({{ known: true, version }}) }});
      await again();
      fetch = kept;
      return told;
    }})()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask("window.outlived = 1")
            if version == "this":
                assert await page.ask(ask) == ["connects"]
            else:
                with contextlib.suppress(AssertionError):  # the page is gone before it could say more
                    await page.ask(ask)
                await page.holds("!window.outlived && document.readyState === 'complete'")

    asyncio.run(scene())


@needs_chromium
def test_a_television_says_in_large_letters_who_has_won(tmp_path: Path) -> None:
    """The headline of the end is larger than what's below it, at both sizes of televisions, and whole."""
    state = on_television(moments("zompa")[-1])
    headline = "Alessandra Montefusco and Massimiliano have won"
    end = {"headline": headline, "order": [{"seat": 0, "place": 1, "text": "3", "won": True}]}
    state = {**state, "scene": {**state["scene"], "phase": "end", "end": end}}
    read = """(() => {
      const one = document.querySelector('.headline');
      const [box, size] = [one.getBoundingClientRect(), parseFloat(getComputedStyle(one).fontSize)];
      const on = box.left >= 0 && box.right <= innerWidth && box.top >= 0;
      const other = parseFloat(getComputedStyle(document.querySelector('.podium b')).fontSize);
      return [on && one.scrollWidth <= one.clientWidth, size / other];
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for size in ((1280, 720), (1920, 1080)):
                await page.become(*size)
                async with bare(page, screen=True):
                    [[whole, larger]] = await page.ask(shown(state, read))
                    assert whole
                    assert larger > 1.4, size

    asyncio.run(scene())


def with_acts(state: State, *acts: str) -> State:
    """The same moment, in which something may be done about the next step."""
    step = {"text": "We wait.", "told": False, "left": None, "since": 12, "urgent": True, "acts": acts}
    return {**state, "next": step}


SENT = "(window.sent = [], send = (...said) => window.sent.push(said), 0)"
PRESS = """((which) => document.querySelector(which).dispatchEvent(
  new PointerEvent('pointerdown', { bubbles: true })))"""
"""Puts a finger down on something."""


@needs_chromium
def test_a_finger_that_was_down_before_a_question_came_does_not_answer_it(tmp_path: Path) -> None:
    """Lifted long after that, on the act of the new question: what it touched was the one before."""
    before, after = [one for one in moments("conto") if one["question"] and "card" not in one["scene"]][:2]
    lift = """(() => {
      release(); // half a second is over: what's new is shown under the finger
      show(AFTER);
      [asked[1], pressed.at] = [asked[1] - 5000, asked[1] - 6000];
      document.querySelector('#decision .act').click();
      return sent.filter(([what]) => what === 'send').length;
    })()""".replace("AFTER", json.dumps({**after, "pace": 0}))
    act = "document.querySelector('#decision .act')"
    tap = f"(taps.last -= 5000, {PRESS}('#decision .act'), {act}.click(), sent.length)"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask(SENT)
            [_, answers, again] = await page.ask(shown(before, f"{PRESS}('#decision .act')", lift, tap))
            assert (answers, again) == (0, 1)

    asyncio.run(scene())


@needs_chromium
def test_what_comes_under_a_finger_is_not_done_by_it(tmp_path: Path) -> None:
    """Neither what the finger wasn't on as it went down, nor what was drawn a moment before."""
    state = next(one for one in moments("conto") if one["question"] and "card" not in one["scene"])
    act = "document.querySelector('[data-key=\"stepplay on\"]')"
    show = told(with_acts({**state, "pace": 0}, "play on"))
    done = "sent.filter(([what]) => what === 'step').length"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask(SENT)
            found = await page.ask(
                shown(
                    state,
                    f"({show}, {act}.click(), {done})",
                    f"(deeds[1] -= 5000, {PRESS}('#board'), {act}.click(), {done})",
                    f"({PRESS}('#next button'), {act}.click(), {done})",
                )
            )
            assert found == [0, 0, 1]

    asyncio.run(scene())


@needs_chromium
def test_who_drags_a_slider_keeps_it_for_longer_than_a_tap(tmp_path: Path) -> None:
    """A state that comes meanwhile would take the slider away and forget where it was."""
    time = f"""((which) => {{
      const kept = setTimeout;
      let time = 0;
      window.setTimeout = (_, wait) => (time = wait);
      {PRESS}(which);
      window.setTimeout = kept;
      return time;
    }})"""
    bet = state_of_a_bet()

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            async with bare(page):
                slider, act = await page.ask(
                    shown(bet, f"{time}('.stake input')", f"{time}('#decision .act')")
                )
                assert (slider, act) == (10000, 500)

    asyncio.run(scene())


@needs_chromium
def test_a_page_after_a_match_is_drawn_though_the_others_are_ready(tmp_path: Path) -> None:
    """The host wants to play again, and this person hasn't said so yet: the acts are there."""
    option = {"number": 1, "text": "play again", "verb": "play again", "can": True, "order": 0}
    decision = {"kind": "choices", "title": "", "text": "?", "act": "", "options": [option], "pointed": 0}
    lobby = {"running": False, "taken": [], "free": 0, "seats": 4, "seated": True, "trust": [], "rules": []}
    state = moments("zompa")[-1]
    state = {
        **state, "scene": {**state["scene"], "decision": {**decision, "own": True}}, "question": "9.0",
        "kind": {"idle": True}, "window": None, "nudged": True, "next": None, "lobby": lobby,
    }  # fmt: skip

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            texts = "[...document.querySelectorAll('#decision button')].map((one) => one.textContent)"
            [said, buttons] = await page.ask(shown(state, "$('next').innerText", texts))
            assert (said, buttons) == (
                "The others are waiting for you. Are you there?",
                ["play again"],
            )

    asyncio.run(scene())


@needs_chromium
def test_who_has_left_keeps_the_button_back_though_the_machine_is_silent(tmp_path: Path) -> None:
    """The page looks for nobody then: with a clock in its place, only loading it anew would help."""
    left = json.dumps({"type": "over", "text": "You have left the table."})
    die = f"""(() => {{
      hear({left});
      const dead = {{ readyState: WebSocket.OPEN, onclose: () => 0 }};
      dead.close = () => (dead.readyState = WebSocket.CLOSING);
      [window.dead, socket, heard, lost] = [dead, dead, performance.now() - MUTE, 0];
    }})()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask(die)
            await page.holds("dead.readyState === WebSocket.CLOSING")
            button = "document.querySelector('#curtain button').textContent"
            assert await page.ask(f"[lost, {button}]") == [0, "back to the table"]

    asyncio.run(scene())


def with_story(state: State, lines: int) -> State:
    """The same moment with so long a story."""
    return {**state, "scene": {**state["scene"], "story": [{"text": f"{n}."} for n in range(lines)]}}


@needs_chromium
def test_who_reads_a_sheet_goes_on_where_they_are(tmp_path: Path) -> None:
    """Others play on meanwhile: the rules and the earlier story stay, the newest story comes into view."""
    first = moments("zompa")[0]
    now, later, last = (with_story(first, lines) for lines in (60, 61, 62))
    read = """(() => {
      const [box, list] = ['.inside', '.lines'].map((which) => document.querySelector('#sheet ' + which));
      const bottom = (one) => one.scrollHeight - one.clientHeight - one.scrollTop < 8;
      return list ? [list.scrollTop, bottom(list), list.lastChild.textContent] : [box.scrollTop, bottom(box)];
    })()"""
    rules = "rulebook = Array.from({ length: 99 }, () => ({ tag: 'p', cells: [[['', 'A rule.']]] }))"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            async with bare(page):
                scroll = "($('sheet').lastChild.scrollTop = 300, 0)"
                await page.ask(shown(now, rules, "open('rules')", scroll))
                assert await page.ask(shown(later, read)) == [[300, False]]
                await page.ask("(open('rules'), open('story'), 0)")
                await page.holds(f"({read})[1]")  # at the newest sentence
                await page.ask(shown(last))
                await page.holds(f"({read})[1] && ({read})[2] === '61.'")
                await page.ask("(document.querySelector('#sheet .lines').scrollTop = 40, 0)")
                await page.ask(shown(now))
                await page.holds(f"({read})[0] === 40 && ({read})[2] === '59.'")

    asyncio.run(scene())


@needs_chromium
def test_a_field_in_which_somebody_types_outlives_what_others_do(tmp_path: Path) -> None:
    """Words to all, and an answer: drawn anew, a field loses its cursor, and telephones their keyboards."""
    first = moments("zompa")[0]
    now, later = with_story(first, 60), with_story(first, 61)
    decision = {
        "kind": "text", "title": "", "text": "Which word?", "note": "3 to 9",
        "writing": {"low": 3, "high": 9, "typed": ""},
    }  # fmt: skip
    asks: State = {"question": "9.0", "kind": {}, "window": None}
    before, after = (
        {**one, **asks, "scene": {**one["scene"], "phase": "play", "decision": decision}}
        for one in (now, later)
    )
    wrong = {**after, "trouble": "No such word."}
    kept = "window.field.isConnected && document.activeElement === window.field"
    hold = """((key) => {
      window.field = document.querySelector(`[data-key=${key}]`);
      window.field.focus();
      return !!window.field;
    })"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            async with bare(page):
                [_, there] = await page.ask(shown(now, "open('story')", f"{hold}('talk')"))
                last = "document.querySelector('#sheet .lines').lastChild.textContent"
                assert [there, *await page.ask(shown(later, kept, last))] == [True, True, "60."]
                [_, there] = await page.ask(shown(before, "open('story')", f"{hold}('writing')"))
                assert [there, *await page.ask(shown(after, kept))] == [True, True]
                said = "document.querySelector('#decision .wrong').textContent"
                assert await page.ask(shown(wrong, said)) == ["No such word."]

    asyncio.run(scene())


@needs_chromium
def test_who_wants_to_leave_is_asked_once_whatever_happens_meanwhile(tmp_path: Path) -> None:
    """The menu is drawn again between the two taps; opened anew it asks again."""
    first = moments("zompa")[0]
    leave = "[...document.querySelectorAll('#sheet button')].find((one) => /leave/.test(one.textContent))"
    tap, read = f"({leave}.click(), 0)", f"{leave}.textContent"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            await page.ask(SENT)
            await page.ask(shown(with_story(first, 1), "open('menu')", tap))
            assert await page.ask(shown(with_story(first, 2), read)) == ["yes, leave"]
            assert await page.ask(f"(open('menu'), open('menu'), {read})") == "leave the table"
            await page.ask(tap)
            assert await page.ask(f"({tap}, sent.map(([what]) => what))") == ["leave"]

    asyncio.run(scene())


@pytest.mark.battery
@needs_chromium
def test_on_a_phone_on_its_side_what_matters_on_the_board_is_in_view(tmp_path: Path) -> None:
    """Where eight players leave too little room, the board scrolls there once; then a person may scroll."""
    read = """(() => {
      const board = $('board');
      if (!board.matches('.scrolls')) return 'fits';
      const which = ['.cue:not(.dim)', '.about', '.item.new'];
      const part = which.map((one) => board.querySelector(one)).find(Boolean);
      if (!part) return 'nothing';
      const [all, own] = [board.getBoundingClientRect(), part.getBoundingClientRect()];
      const under = own.bottom > all.bottom + 1 && own.height <= all.height;
      return own.top < all.top - 1 || under ? 'out' : 'seen';
    })()"""
    found = set[str]()
    matches = {game: moments(game, most) for game, most in MOST.items()}
    asked = [one for one in moments("horse-fever", 6) if one["question"]][-1]
    item = {"id": "x", "slot": "x", "role": "centre", "draw": "words", "title": "", "text": "much " * 200}
    board = [{**item, "id": "y", "slot": "y"}, {**item, "about": True, "text": "This one"}]
    high = {**asked, "cast": None, "scene": {**asked["scene"], "board": board}}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            await page.become(844, 390, phone=True)
            async with bare(page):
                for states in matches.values():
                    for state in states:
                        found.update(await page.ask(shown(state, read)))
                assert "out" not in found
                assert await page.ask(shown(high, read)) == ["seen"]
                await page.ask("($('board').scrollTop = 0, 0)")
                assert await page.ask(shown(high, "$('board').scrollTop")) == [0]

    asyncio.run(scene())


@needs_chromium
def test_a_page_that_comes_into_view_soon_knows_whether_its_machine_is_there(tmp_path: Path) -> None:
    """What was cut while a phone slept says nothing: the page waits for one beat, and no longer."""
    back = "(document.dispatchEvent(new Event('visibilitychange')), [performance.now() - heard, MUTE])"

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            waited, mute = await page.ask(f"(heard = performance.now(), {back})")
            assert 1000 * SILENCE < mute - waited <= mute / 2

    asyncio.run(scene())


@needs_chromium
def test_a_number_below_zero_is_drawn_where_a_game_counts_in_crosses(tmp_path: Path) -> None:
    """Nobody has fewer than no crosses; an error while one player is drawn would leave the page blank."""
    state = moments("zompa")[0]
    panels = state["scene"]["panels"]
    main = {"zone": "x", "title": "Strikes", "draw": "pips", "text": "-2", "number": -2, "goal": 3}
    state = {**state, "scene": {**state["scene"], "panels": [{**panels[0], "main": main}, *panels[1:]]}}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            seats = "document.querySelectorAll('#players .player').length"
            crosses = "document.querySelector('#players .main').textContent"
            [count, text] = await page.ask(shown(state, seats, crosses))
            assert count == len(panels)
            assert "✗" not in text

    asyncio.run(scene())


@needs_chromium
def test_a_name_from_right_to_left_turns_no_numbers_round(tmp_path: Path) -> None:
    """Beside a Hebrew name, 12 → 15 is still read in this order."""
    read = """(() => {
      const row = el('p', 'bearer', null, el('b', '', '\\u05d3\\u05e0\\u05d9'), el('span', '', ' 12 → '));
      row.append(el('b', '', '15'));
      $('board').append(row);
      const [name, after] = [...row.querySelectorAll('b')].map((one) => one.getBoundingClientRect().left);
      return name < after;
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page, bare(page):
            assert await page.ask(read)

    asyncio.run(scene())


LONG_NAMES = (
    "Alessandra Montefusco Br", "Massimiliano Fontanarosa", "Nonna Pina di Castelvecc", "Giovannantonio",
    "Bartholomew Cumberbatch", "Wolfgang Amadeus Mozart", "Anna",
)  # fmt: skip


@pytest.mark.battery
@needs_chromium
def test_seven_long_names_are_read_in_two_lines_on_every_face(tmp_path: Path) -> None:
    """On a phone, at a desk and on televisions: all seats are in view, no name is cut to a few letters."""
    found = [one for one in moments("conto", 7) if one["question"]][-1]
    panels = [{**one, "name": name} for one, name in zip(found["scene"]["panels"], LONG_NAMES, strict=True)]
    state = {**found, "scene": {**found["scene"], "panels": panels}}

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for width, height, screen in (
                (390, 844, False),
                (1280, 720, False),
                (1280, 720, True),
                (1920, 1080, True),
            ):
                await page.become(width, height, phone=width < 900)
                async with bare(page, screen=screen):
                    told = on_television(state) if screen else state
                    assert await page.ask(shown(told, SEATS)) == [[7, []]], (width, screen)

    asyncio.run(scene())


@pytest.mark.battery
@needs_chromium
def test_a_television_cuts_what_seats_say_between_lines(tmp_path: Path) -> None:
    """Six players with their bets: where there's no room for all of it, the last line on view is whole."""
    states = moments("horse-fever", 6)
    read = """(() => {
      const bad = [];
      for (const seat of document.querySelectorAll('#players .player')) {
        const edge = seat.getBoundingClientRect().bottom;
        const range = document.createRange();
        range.selectNodeContents(seat.querySelector('.more'));
        const lines = [...range.getClientRects()].filter((one) => one.width && one.top < edge - 4);
        if (lines.some((one) => one.bottom > edge + 4)) bad.push(seat.querySelector('.name').textContent);
      }
      return bad;
    })()"""

    def size(state: State) -> int:
        panels = state["scene"]["panels"]
        return sum(len(value.get("text", "")) for one in panels for value in one.get("more", []))

    fullest = max(states, key=size)

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for width, height in ((1280, 720), (1920, 1080)):
                await page.become(width, height)
                async with bare(page, screen=True):
                    assert await page.ask(shown(on_television(fullest), read)) == [[]], width

    asyncio.run(scene())


@pytest.mark.battery
@needs_chromium
def test_a_television_shows_a_lobby_of_eight_without_scrolling(tmp_path: Path) -> None:
    """Every seat and the address are in view, also while the sentence above has three lines."""
    state = on_television(moments("zompa")[0])
    seats: list[State] = [
        {
            "name": f"{name[:22]}{at}",
            "hue": at,
            "mark": "♦",
            "light": 0,
            "ready": False,
            "state": "not ready yet",
        }
        for at, name in enumerate((*LONG_NAMES, "Eve"))
    ]
    lobby = {
        "running": False, "taken": seats, "free": 0, "seats": 8, "seated": False, "watchers": [], "teams": [],
        "rules": [], "changed": [], "problems": [], "trust": ["All seats are on one computer."],
    }  # fmt: skip
    step = {**state["next"], "text": f"We're waiting for {', '.join(one['name'] for one in seats[:6])}."}
    state = {**state, "scene": {**state["scene"], "phase": "lobby"}, "next": step, "lobby": lobby}
    read = """(() => {
      const all = $('board').getBoundingClientRect();
      const parts = [...document.querySelectorAll('.seats li, .seats b, .lobby .qr, .lobby .link')];
      const out = parts.map((one) => [one.textContent, one.getBoundingClientRect()]).filter(
        ([, box]) => box.bottom > all.bottom + 1 || box.right > all.right + 1 || !box.width);
      return [parts.length, out.map(([text]) => text)];
    })()"""

    async def scene() -> None:
        async with chromium(tmp_path / "chromium") as page:
            for width, height in ((1280, 720), (1920, 1080)):
                await page.become(width, height)
                async with bare(page, screen=True):
                    assert await page.ask(shown(state, read)) == [[18, []]], width

    asyncio.run(scene())
