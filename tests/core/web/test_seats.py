"""What a page says to its seat: one entrance, at which everything malformed is dropped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
from collections.abc import AsyncIterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from aiohttp.web import WebSocketResponse
from tests.core.scribes import Scribes
from tests.core.ui import rooms
from tests.core.ui.rooms import OLGA, Deeds
from tests.core.ui.scene import moments
from tests.core.ui.virtual_time import run
from tests.core.web.test_server import nobody_there

from tavolata._engine.sessions.session import TableSession
from tavolata._engine.sessions.table_facts import SILENT
from tavolata._engine.table.log_bodies import Light
from tavolata._ui.i18n import Translator
from tavolata._web import seats
from tavolata._web.frontend import BrowserFrontend
from tavolata._web.seats import BEAT, BrowserPage, BrowserSeat, WebAccess
from tavolata.errors import Refused

Json = dict[str, Any]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))
    monkeypatch.setitem(moments.UNDECLARED, "scribes", Scribes)


class Tab:
    """A page on a seat, as far as the seat can tell; what it's shown can be sent."""

    def __init__(self, session: TableSession) -> None:
        access = WebAccess(str, lambda _: "", nobody_there, lambda _: "")
        self.seat = BrowserSeat(Path("file"), "Ann", Translator("en"), access)
        self.seat._running = cast("asyncio.Task[None]", SimpleNamespace(done=bool, cancel=lambda _: None))
        self.frontend = self.seat._frontend = BrowserFrontend(
            session, Translator("en"), str, str, lambda: None, lambda: True
        )
        self._page = cast("BrowserPage", SimpleNamespace(hidden=False))
        self.seat._pages = [self._page]

    def says(self, text: str) -> None:
        """Send a message."""
        self.seat._hear(self._page, text)

    def act(self, **said: object) -> Json:
        """Send an act; the state after it, which goes over the wire."""
        self.says(json.dumps(said))
        state = self.frontend.state()
        json.dumps(state, ensure_ascii=False).encode()
        return state


@contextlib.asynccontextmanager
async def asked(game: str) -> AsyncIterator[Tab]:
    """A page on which a match of a game has asked its first question."""
    tab = Tab(moments.seat(game))
    tab.frontend._director.pace = 0.0
    running = asyncio.create_task(tab.frontend.run())
    for _ in range(10):
        await asyncio.sleep(0)
    yield tab
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)


def test_half_a_sign_never_becomes_a_draft() -> None:
    """A page could never be shown it, nor be shown again; what was written before stays."""

    async def scene() -> None:
        async with asked("scribes") as tab:
            question = tab.frontend.state()["question"]
            for text in ("whole", "half \ud800"):
                state = tab.act(do="write", question=question, text=text)
                assert state["scene"]["decision"]["writing"]["typed"] == "whole"

    asyncio.run(scene())


@pytest.mark.parametrize(
    "digits", [str(1 << 64), str(-(1 << 64)), "9" * 5000], ids=["more", "less", "endless"]
)
def test_a_number_that_no_entry_can_hold_is_dropped(digits: str) -> None:
    """The log has numbers of 64 bits; a colour beyond them is no act, as one that is no number."""

    async def scene() -> None:
        session = rooms.lobby(OLGA)
        deeds, tab = Deeds(session), Tab(session)
        deeds.take()
        tab.says(f'{{"do": "look", "hue": {digits}, "mark": 0}}')
        assert deeds.take() == []
        tab.act(do="look", hue=3, mark=0)
        assert deeds.take() == ["proposes LOOK 3 0"]
        session._machine.close()

    asyncio.run(scene())


def test_a_page_without_news_hears_from_its_machine_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A script sees no pings: to a page, a machine that died would be one at which nothing happens."""
    monkeypatch.setattr(seats, "SILENCE", 0.0)

    async def scene() -> None:
        heard = asyncio.Queue[str]()
        socket = cast("WebSocketResponse", SimpleNamespace(send_str=heard.put))
        page = BrowserPage(socket, "1", lambda: None)
        assert [await heard.get(), await heard.get()] == [BEAT, BEAT]
        page.show("a state", None)
        while await heard.get() != "a state":
            pass
        await page.close()

    asyncio.run(scene())


def test_a_page_is_shown_the_end_before_it_hears_that_the_table_is_closed() -> None:
    """The state that wasn't sent yet comes first: a machine may go as soon as its match has ended."""

    async def scene() -> None:
        heard = asyncio.Queue[str]()
        socket = cast("WebSocketResponse", SimpleNamespace(send_str=heard.put))
        page = BrowserPage(socket, "1", lambda: None)
        page.show("the end", None)
        page.tell("over")
        assert [await heard.get(), json.loads(await heard.get())["type"]] == ["the end", "over"]
        await page.close()

    asyncio.run(scene())


def test_a_machine_hears_the_others_between_two_of_its_pages(tmp_path: Path) -> None:
    """Each rehearses its match before it's first drawn: eight of them at once would be seconds of silence."""
    told: list[str] = []

    def draws(who: str) -> None:
        told.append(who)
        if who == "bad":
            raise ValueError

    async def scene() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda *_: None)
        access = WebAccess(str, lambda _: "", lambda *_: contextlib.nullcontext(), lambda _: "")  # type: ignore[arg-type]
        for who in ("first", "bad", "last"):
            seat = BrowserSeat(tmp_path, who, Translator("en"), access)
            seat._pages.append(cast("BrowserPage", None))
            seat._send = partial(draws, who)  # type: ignore[method-assign]
            seat._draw()
            seat._draw()
        while "last" not in told:
            told.append("heard")
            await asyncio.sleep(0)

    asyncio.run(scene())
    assert [who for who in told if who != "heard"] == ["first", "bad", "last"]
    assert told.index("bad") - told.index("first") > 1
    assert told.index("last") - told.index("bad") > 1


def test_a_cast_is_sent_once_and_before_the_states_drawn_by_it() -> None:
    """Not even a state that a later one replaces takes it along: no page draws by places it lacks."""

    async def scene() -> list[str]:
        heard = list[str]()

        async def take(text: str) -> None:
            heard.append(text)

        page = BrowserPage(cast("WebSocketResponse", SimpleNamespace(send_str=take)), "1", lambda: None)
        for state, places in (("a", 1), ("b", 1), ("c", 2), ("d", 2)):
            page.show(state, {"parts": [places]})
        await page.close()
        return heard

    told = [json.loads(one)["cast"]["parts"] if "cast" in one else one for one in asyncio.run(scene())]
    assert told == [[1], "b", [2], "d"]


def test_a_slow_page_is_shown_the_end_when_its_machine_goes_at_once() -> None:
    """It still shows the match: the rest of it comes before the goodbye, without any pause."""
    heard: list[Json] = []

    async def take(text: str = "") -> None:
        heard.extend([json.loads(text)] if text else [])

    async def scene() -> None:
        session = moments.seat("zompa", humans=0)
        access = WebAccess(
            lambda: "Hanna", lambda _: "", lambda *_: contextlib.nullcontext(session), lambda _: "",
            link=lambda: "http://10.0.0.1:1/?s=x",
        )  # fmt: skip
        seat = BrowserSeat(Path("file"), "Ann", Translator("en"), access)
        socket = cast("WebSocketResponse", SimpleNamespace(send_str=take, close=take))
        page = BrowserPage(socket, "1", lambda: None)
        seat._take(page)
        await asyncio.sleep(1.0)
        seat._hear(page, '{"do": "begun"}')
        await asyncio.sleep(1.0)
        assert heard[-1]["scene"]["phase"] == "play"
        await seat.close()

    run(scene())
    kinds = [one["type"] for one in heard]
    assert heard[kinds.index("over") - 1]["scene"]["phase"] == "end"
    assert kinds[kinds.index("over") :].count("over") == len(kinds) - kinds.index("over")


def test_tabs_that_take_a_seat_from_each_other_have_its_cast_once() -> None:
    """It comes before the first state; one that still waits to be drawn hears that the table is closed."""
    heard: dict[str, list[str]] = {"one": [], "two": []}

    def page(tab: str) -> BrowserPage:
        async def take(text: str = "") -> None:
            heard[tab].extend([json.loads(text)["type"]] if text else [])

        socket = cast("WebSocketResponse", SimpleNamespace(send_str=take, close=take))
        return BrowserPage(socket, tab, lambda: None)

    async def scene() -> None:
        session = moments.seat("zompa", humans=1)
        access = WebAccess(
            lambda: "Hanna", lambda _: "", lambda *_: contextlib.nullcontext(session), lambda _: "",
            link=lambda: "http://10.0.0.1:1/?s=x",
        )  # fmt: skip
        seat = BrowserSeat(Path("file"), "Ann", Translator("en"), access)
        one, two = page("one"), page("two")
        seat._take(one)
        await asyncio.sleep(1.0)
        seat._hear(one, '{"do": "begun"}')
        for taken in (two, one, two):
            await asyncio.sleep(1.0)
            seat._take(taken)
        await seat.close()
        await one.close()

    run(scene())
    for tab in heard.values():
        kinds = [kind for kind in tab if kind not in ("beat", "taken")]
        assert kinds.count("cast") == 1
        assert "state" not in kinds[: kinds.index("cast")]
    assert heard["two"][-1] == "over"
    assert heard["one"][-1] == "taken"


def test_a_page_put_away_before_its_person_is_at_the_table_is_asleep_there() -> None:
    """What the table couldn't take yet is said again, and once that's done no more."""
    said: list[Light] = []

    def show_light(light: Light) -> bool:
        said.append(light)
        return len(said) > 2

    async def scene() -> None:
        session = moments.seat("scribes")
        session._file.close()  # nobody plays
        tab = Tab(session)
        commands = SimpleNamespace(show_light=show_light)
        shown = SimpleNamespace(session=SimpleNamespace(commands=commands))
        tab.seat._frontend = cast("BrowserFrontend", shown)
        tab.seat._alive_at -= SILENT
        for _ in range(5):
            tab.seat._shine()

    asyncio.run(scene())
    assert said == [Light.ASLEEP] * 3


@pytest.mark.parametrize("sits", [True, False])
def test_after_broken_rules_an_onlooker_can_sit_down(monkeypatch: pytest.MonkeyPatch, sits: bool) -> None:
    """The old fault is the news where it has ended the session, and nothing new to a person who sits down."""

    class Broken:
        """A table on which the rules have broken."""

        given_up = False

        def __init__(self, *_: object) -> None:
            self.session = SimpleNamespace(match=SimpleNamespace(fault=Refused("It broke."), rules=Scribes))

        async def run(self) -> None:
            runs.set()
            if sits:
                await asyncio.Event().wait()

    runs = asyncio.Event()
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(seats, "BrowserFrontend", Broken)

    async def scene() -> None:
        whole = cast("TableSession", None)
        access = WebAccess(str, lambda _: "", lambda *_: contextlib.nullcontext(whole), lambda _: "")
        seat = BrowserSeat(Path("file"), "Ann", Translator("en"), access)
        page = cast("BrowserPage", SimpleNamespace(tell=lambda *one: told.append(one), hidden=False))
        seat._pages, seat._watch = [page], True
        seat._running = asyncio.create_task(seat._play())
        await runs.wait()
        seat._hear(page, '{"do": "sit"}')
        await seat._running

    asyncio.run(scene())
    assert told == ([] if sits else [("over", "It broke.")])


NUMBERS = (-1, 0, 1, 2, (1 << 63) - 1, -(1 << 63), 1 << 63, 1 << 64, -(1 << 64), 10**400)
TEXTS = ("", "a", "go", "play", "peak", "1.0", "half \ud800", "\x1b[2J", "/to 1 ciao", "x" * 400)
OTHERS = (None, True, False, 0.5, 1e308, float("inf"), float("nan"))


def junk(chance: random.Random, deep: int = 0) -> Any:
    """Anything that JSON can hold, numbers and texts mostly."""
    match chance.randrange(8 if deep < 3 else 6):
        case 0 | 1 | 2:
            return chance.choice(NUMBERS)
        case 3 | 4:
            return chance.choice(TEXTS)
        case 5:
            return chance.choice(OTHERS)
        case 6:
            return [junk(chance, deep + 1) for _ in range(chance.randrange(4))]
        case _:
            return {chance.choice(TEXTS): junk(chance, deep + 1) for _ in range(chance.randrange(4))}


FIELDS = {
    "point": ["at"], "number": ["number"], "write": ["text"], "send": ["at", "number", "text"], "undo": [],
    "take_back": [], "stop": [], "react": ["window", "at", "ms"], "step": ["label"], "stir": [], "begun": [],
    "drawn": ["window"], "offer": ["label"], "say": ["words", "to", "of"], "name": ["name"],
    "look": ["hue", "mark"], "next": [], "skip": [], "pace": ["by"], "again": ["what", "n"], "here": [],
    "alive": [], "hidden": [], "leave": [], "sit": [],
}  # fmt: skip
"""All that a page can say, with its fields."""


def test_whatever_a_page_says_is_done_refused_in_words_or_dropped() -> None:
    """Of every kind, with anything in its fields: in a lobby, before a text and before choices."""
    chance = random.Random(7)

    async def scene() -> None:
        session = rooms.lobby(OLGA)
        Deeds(session)
        async with asked("scribes") as scribe, asked("jumpy-jack") as jack:
            assert {*FIELDS} == {*jack.frontend._acts, "here", "alive", "hidden", "leave", "sit"}
            for tab in (Tab(session), scribe, jack):
                for do in (*FIELDS, "no act"):
                    question = tab.act(do="alive")["question"]
                    for _ in range(20):
                        said = {name: junk(chance) for name in FIELDS.get(do, TEXTS) if chance.random() < 0.9}
                        tab.says(
                            json.dumps(
                                {"question": chance.choice([question, junk(chance)]), "do": do, **said}
                            )
                        )
                tab.says(json.dumps(junk(chance)))
        session._machine.close()

    asyncio.run(scene())


def test_pages_are_sent_a_new_name_and_address_of_their_machine() -> None:
    """Its owner is called something else, or it has another address: a second later they have it."""
    now, shown = ["Hanna", "http://10.0.0.1:1/?s=x"], asyncio.Queue[Json]()

    async def scene() -> None:
        async with asked("scribes") as tab:
            tab.seat._access = replace(tab.seat._access, keeper=lambda: now[0], link=lambda: now[1])
            tab._page.show = lambda state, cast: shown.put_nowait(json.loads(state))  # type: ignore[method-assign]
            watch = asyncio.create_task(tab.seat._watch_over(tab.frontend))
            for at, new in ((0, "Hanna"), (0, "Emma"), (1, "http://10.0.0.2:1/?s=x")):
                now[at] = new
                async with asyncio.timeout(20):
                    state: Json = {}
                    while not state or [state["host"], state["link"][0]] != now:
                        state = await shown.get()
                assert len(state["link"]) > 20
            watch.cancel()

    run(scene())
