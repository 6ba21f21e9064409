"""People of a rehearsal: they see what a real face shows them, and act through it alone."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from aiohttp import WSMsgType
from aiohttp.web import WebSocketResponse
from tests.rehearsals.plan import GAMES, HOUSE_RULES, Deed, Face
from typing_extensions import override

from tavolata._engine.match.updates import Began, Ended, Update
from tavolata._engine.peer.companions import Companion
from tavolata._engine.sessions.session import TableSession
from tavolata._engine.table.log_bodies import Wish
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._ui.tui.model.director import PACES, Feed
from tavolata._web.seats import BrowserPage, BrowserSeat, WebAccess
from tavolata.asks import Ask
from tavolata.kinds.question import Choices, Number, Writing
from tavolata.zones import Zone

Json = dict[str, Any]
Shown = Callable[[str, str], object]
"""Hears of each line and each page that somebody sees: who, and what."""

WORDS: Mapping[Deed, str] = {
    Deed.QUIT: "quit", Deed.LEAVE: "leave", Deed.WITHOUT: "without", Deed.SUSPEND: "suspend",
    Deed.END: "end",
    Deed.NUDGE: "nudge", Deed.RENAME: "name", Deed.KICK: "kick", Deed.LOCK: "lock",
    Deed.HAND_OVER: "host", Deed.TEAM: "team",
    Deed.ALONE: "alone", Deed.UNLOCK: "unlock", Deed.BAN: "ban", Deed.UNBAN: "unban", Deed.MUTE: "mute",
    Deed.UNMUTE: "unmute", Deed.CODE: "code", Deed.CONFIRM: "confirm", Deed.WAIT: "wait", Deed.BLIND: "blind",
    Deed.BOTS: "bots", Deed.TEAMS: "teams", Deed.GAME: "game", Deed.OPTION: "option", Deed.START: "start",
    Deed.READY: "ready", Deed.LOOK: "colour",
}  # fmt: skip
"""By deed, the command that people type."""
WORDS_BEHIND: Mapping[Deed, Sequence[str]] = {
    Deed.TEAM: ("red", "blue"), Deed.BOTS: ("0", "easy", "random", "easy,random"), Deed.TEAMS: ("0", "2"),
    Deed.GAME: tuple(HOUSE_RULES), Deed.LOOK: ("3 5", "8 1"),
}  # fmt: skip
"""By deed, what they type behind that, one of these by lot."""
OF_SOMEBODY = frozenset({
    Deed.NUDGE, Deed.KICK, Deed.HAND_OVER, Deed.BAN, Deed.UNBAN, Deed.MUTE, Deed.UNMUTE, Deed.WAIT,
    Deed.BLIND,
})  # fmt: skip
ENOUGH = 400
"""The most answers of an evening by one person: who gives more is asked in a circle."""


@dataclass
class Ways:
    """How a person acts: the seconds for an answer, and by deed the chance in each second that it does it."""

    pace: tuple[float, float]
    habits: Mapping[Deed, float]


class Person:
    """Somebody at a face. `shown` hears of all that this person sees.

    `over` is set when the match that was played is over; then the person leaves after a while, or is ready
    for the next of `more`, the games that these people still want to play.
    """

    more: tuple[str, ...] = ()
    stays: tuple[float, float] = (2, 6)
    """The seconds for which this person stays after the end, at least and at most."""

    def __init__(self, name: str, chance: random.Random, ways: Ways, shown: Shown) -> None:
        self.name = name
        self.chance = chance
        self.ways = ways
        self.shown = shown
        self.over = False
        self.answers = 0
        self.seen: deque[str] = deque(maxlen=60)
        """The last that this person saw."""
        self._next: asyncio.TimerHandle | None = None
        """What this person does after the end."""

    def see(self, text: str) -> None:
        self.seen.append(text)
        self.shown(self.name, text)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats that this person's face plays."""
        return ()

    def is_asked(self, ask: Ask) -> bool:
        """Return False if this person could read a question of theirs now, and the face doesn't show it."""
        return True

    def soon(self, what: Callable[..., object], *args: Any) -> None:
        """Do something after the time that this person takes."""
        asyncio.get_running_loop().call_later(self.chance.uniform(*self.ways.pace), what, *args)

    def match_is_over(self) -> None:
        """Leave some seconds after the end, or go on with what these people want to play next."""
        if self.over:
            return
        self.over, wait = True, self.chance.uniform(*self.stays)
        if self.more:
            self._next = asyncio.get_running_loop().call_later(wait, self._play_the_next)
        else:
            self._next = asyncio.get_running_loop().call_later(wait, self._leave)

    def match_runs(self) -> None:
        """Stay where another match goes on at once."""
        if self.over and self._next is not None:
            self._next.cancel()
        self.over = False

    def _play_the_next(self) -> None:
        game, self.more = self.more[0], self.more[1:]
        self.play_again(game)

    def play_again(self, game: str) -> None:
        """Say what is to be said before the next match."""
        raise NotImplementedError

    def _leave(self) -> None:
        self.do(Deed.QUIT)
        # In case the first was not heard.
        self._next = asyncio.get_running_loop().call_later(20.0, self._leave)

    async def live(self) -> None:
        """Do by habit what is possible, until cancelled."""
        while True:
            await asyncio.sleep(1.0)
            for deed, often in self.ways.habits.items():
                if self.chance.random() < often:
                    self.do(deed)

    def do(self, deed: Deed) -> None:
        """Do this if the face offers it now."""
        raise NotImplementedError


class AtLines(Person):
    """Somebody who types lines and reads lines."""

    ended = False

    def __init__(
        self, name: str, chance: random.Random, ways: Ways, shown: Shown, session: TableSession, face: Face,
        lang: str = "en",
    ) -> None:  # fmt: skip
        super().__init__(name, chance, ways, shown)
        self.session = session
        self._typed: asyncio.Queue[str] = asyncio.Queue()
        made = Ndjson if face is Face.JSON else Plain
        self._face = face
        self.on_terminal = face is Face.PLAIN
        self.frontend: LineFrontend = made(session, Translator(lang), self._read, self)
        self._asked: dict[int, Json] = {}

    async def next(self) -> str | None:
        """Return the next line that is typed."""
        return await self._typed.get()

    @property
    def at(self) -> float:
        """When the last line was read."""
        return asyncio.get_running_loop().time()

    @property
    @override
    def seats(self) -> tuple[int, ...]:
        return self.session.people

    @override
    def is_asked(self, ask: Ask) -> bool:
        return ask.id in self._asked if self._face is Face.JSON else self.frontend.open_question() is not None

    def type(self, line: str) -> None:
        self._typed.put_nowait(line)

    async def play(self) -> Ended | None:
        """Sit at the face until it is over."""
        living = asyncio.get_running_loop().create_task(self.live())
        watching = asyncio.get_running_loop().create_task(self._watch())
        try:
            return await self.frontend.run()
        finally:
            living.cancel()
            watching.cancel()

    # -- what is read ---------------------------------------------------------------------------

    def _read(self, line: str) -> None:
        self.see(line)
        if self._face is Face.JSON:
            said = json.loads(line)
            match said["type"]:
                case "ask":
                    self._asked[said["id"]] = said
                    self.soon(self._answer, said["id"])
                case "closed":
                    self._asked.pop(said["id"], None)
                case "window":
                    self._react(said)
                case "begin":
                    self.match_runs()
                case "end":
                    self.match_is_over()

    async def _watch(self) -> None:
        """Answer what the plain face asks, and see that a match is over; people look at the screen."""
        asked, wait = None, 0.0
        while True:
            await asyncio.sleep(0.25)
            match = self.session.match
            if match is not None and match.over:
                self.match_is_over()
            elif match is not None:
                self.match_runs()
            if self._face is Face.JSON:
                continue
            ask = self.frontend.open_question()
            if ask is None:
                asked = None
                if match is not None and not match.over and self.chance.random() < 0.15:
                    self.type("")  # that is how a window is left
            elif ask is not asked:
                asked, wait = ask, self.chance.uniform(*self.ways.pace)
            elif wait > 0:
                wait -= 0.25
            elif self.answers < ENOUGH:
                self.answers += 1
                self.type(self._typed_answer(ask))
                wait = 3.0  # and again, where that was wrong or only a part

    def _typed_answer(self, ask: Ask) -> str:
        """Return what answers the question, or the part of it that is asked now, by numbers."""
        assert isinstance(self.frontend, Plain)
        shape = self.frontend._asked_now(ask)[0].shape()
        if isinstance(shape, Number):
            return str(self.chance.randrange(shape.low, shape.high + 1, shape.step))
        if isinstance(shape, Writing):
            return self.chance.choice(shape.suggestions)
        if not isinstance(shape, Choices) or not shape.choices:
            return ""
        if not shape.several:
            return "" if len(shape.choices) == 1 else str(self.chance.randint(1, len(shape.choices)))
        count = self.chance.randint(shape.low, min(shape.high, len(shape.choices)))
        return " ".join(map(str, self.chance.sample(range(1, 1 + len(shape.choices)), count)))

    def _answer(self, number: int) -> None:
        asked = self._asked.get(number)
        if asked is not None and self.answers < ENOUGH:
            self.answers += 1
            self.type(json.dumps({"type": "answer", "id": number, "answer": answer_to(asked, self.chance)}))

    def _react(self, window: Json) -> None:
        for one in window["seats"]:
            if self.chance.random() < 0.5:
                said = {"type": "react", "id": window["id"], "seat": one["seat"]}
                self.soon(self.type, json.dumps({**said, "answer": answer_to(one["kind"], self.chance)}))
        if window["go"] in self.session.people:
            said = {"type": "react", "id": window["id"], "seat": window["go"], "answer": -1}
            asyncio.get_running_loop().call_later(2.0, self.type, json.dumps(said))

    # -- what is done ---------------------------------------------------------------------------

    @override
    def do(self, deed: Deed) -> None:
        if deed is Deed.UNDO:
            self.type(json.dumps({"type": "undo"}) if self._face is Face.JSON else "undo")
        elif deed is Deed.SAY:
            self.type(json.dumps({"type": "say", "words": "ciao"}) if self._face is Face.JSON else "say ciao")
        else:
            self._command(deed)

    @override
    def play_again(self, game: str) -> None:
        table = self.session.commands
        if table is not None and table.rows["start"].why_not(table) is None:
            if game != self.session.game:
                self._say_command("game", game)
            self._keep_it_short(game)
            asyncio.get_running_loop().call_later(8.0, self._say_command, "start")
        else:
            asyncio.get_running_loop().call_later(
                2.0, self._say_command, "ready"
            )  # the game may change first

    def _say_command(self, word: str, rest: str = "") -> None:
        if self._face is Face.JSON:
            self.type(json.dumps({"type": "table", "command": word, "rest": rest}))
        else:
            self.type(f"{word} {rest}".strip())

    def _command(self, deed: Deed) -> None:
        table, word = self.session.commands, WORDS.get(deed, "")
        row = None if table is None else table.rows.get(word)
        if table is None or row is None or row.why_not(table) is not None:
            return
        facts = self.session.table()
        has_agreed = deed is Deed.WITHOUT and facts is not None and Wish.WITHOUT in facts.wished
        if has_agreed and self.chance.random() < 0.97:
            return  # few take it back
        others = [name for seat, name in enumerate(self.session.names) if seat not in self.session.people]
        rest = self.chance.choice(others) if deed in OF_SOMEBODY and others else ""
        rest = f"{self.name[:12]}x" if deed is Deed.RENAME else rest
        rules = HOUSE_RULES.get(self.session.game, ()) if deed is Deed.OPTION else ()
        words = [f"{name}={str(value).lower()}" for name, value in rules] or WORDS_BEHIND.get(deed, ())
        rest = self.chance.choice(words) if words else rest
        for _ in range(2 if deed is Deed.LEAVE else 1):  # that is asked twice
            self._say_command(word, rest)
        if deed is Deed.GAME:
            self._keep_it_short(rest)

    def _keep_it_short(self, game: str) -> None:
        for name, value in GAMES[game][3].items():
            self._say_command("option", f"{name}={value}")


class AtScreen(Person):
    """Somebody who watches the full screen, or what it has without Textual: its director and its model.

    Attributes:
        came: what the session said, each with the seconds when.
        told: what the screen showed, likewise.
    """

    def __init__(
        self, name: str, chance: random.Random, ways: Ways, shown: Shown, session: TableSession
    ) -> None:
        super().__init__(name, chance, ways, shown)
        self.session = session
        self.came: list[tuple[float, Update]] = []
        self.told: list[tuple[float, Update]] = []
        self._feed = Feed(session, Translator("en"), PACES["normal"])

    async def play(self) -> None:
        """Watch until the table is closed, and to the end of what was still to be shown."""
        model, director = self._feed.model, self._feed.director
        add = director.add

        def come(update: Update) -> None:
            self.came.append((asyncio.get_running_loop().time(), update))
            add(update)

        async def show(updates: Sequence[Update]) -> None:
            for update in updates:
                model.seen = director.seen(update, model.seen)
                model.take(update)
                self.told.append((asyncio.get_running_loop().time(), update))
                if isinstance(update, Began):
                    self.match_runs()
                elif isinstance(update, Ended):
                    self.match_is_over()
            self.see(f"{[type(update).__name__ for update in updates]} {self.zones()}")

        director.add = come  # type: ignore[method-assign] # what comes is what is shown later
        telling = asyncio.get_running_loop().create_task(director.tell(show))
        await self._feed.follow()
        director.end(ended=True)
        await telling
        if self._feed.failure is not None:
            raise self._feed.failure

    def zones(self) -> Mapping[str, Zone]:
        """Return what lies on the table that is shown."""
        return {} if self._feed.model.match is None else self._feed.model.zones()

    @override
    def play_again(self, game: str) -> None:
        pass  # whoever watches isn't asked

    @override
    def do(self, deed: Deed) -> None:
        commands = self.session.commands
        if deed is Deed.QUIT and commands is not None:
            commands.quit()


def answer_to(asked: Json, chance: random.Random) -> Any:
    """Return an answer to a question in its JSON form; nearly always a legal one."""
    match asked["kind"]:
        case "one_of":
            return chance.choice(asked["choices"])["id"] if asked["choices"] else 0
        case "some_of":
            choices = [one["id"] for one in asked["choices"]]
            picked = chance.sample(choices, min(len(choices), chance.randint(asked["low"], asked["high"])))
            return picked if asked.get("ordered") else sorted(picked)
        case "amount":
            return chance.randrange(asked["low"], asked["high"] + 1, asked["step"])
        case "text":
            return chance.choice(asked["suggestions"])
        case "form":
            if asked.get("allowed"):
                return chance.choice(asked["allowed"])
            return [answer_to(one["kind"], chance) for one in asked["fields"]]
        case "branch":
            choice = chance.choice(asked["choices"])
            then = choice.get("then")
            return [choice["id"]] if then is None else [choice["id"], answer_to(then, chance)]
    return 0


# -- telephones ---------------------------------------------------------------------------------------


class Page:
    """What a page's websocket is to its seat: three methods, and what the person does with the page."""

    def __init__(self, hear: Callable[[Json], object]) -> None:
        self._hear = hear
        self._taps: asyncio.Queue[str | None] = asyncio.Queue()
        self.closed = False
        self.stopped = False
        """Nothing runs on it, but its socket stays open: a browser that has put its page to sleep."""

    def tap(self, said: Json) -> None:
        if not self.closed and not self.stopped:
            self._taps.put_nowait(json.dumps(said))

    def hang_up(self) -> None:
        self.closed = True
        self._taps.put_nowait(None)

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def __anext__(self) -> Any:
        text = await self._taps.get()
        if text is None:
            raise StopAsyncIteration
        return SimpleNamespace(type=WSMsgType.TEXT, data=text)

    async def send_str(self, text: str) -> None:
        if self.closed:
            raise ConnectionResetError
        self._hear(json.loads(text))

    async def close(self) -> None:
        self.hang_up()


class Phone(Person):
    """Somebody at a telephone."""

    def __init__(
        self, name: str, chance: random.Random, ways: Ways, shown: Shown, file: Path, access: WebAccess,
        lang: str = "en",
    ) -> None:  # fmt: skip
        super().__init__(name, chance, ways, shown)
        self.seat = BrowserSeat(file, name, Translator(lang), access)
        self._page: Page | None = None
        self._state: Json = {}
        self._windows: set[tuple[int, bool]] = set()
        self.told: list[str] = []
        """What a page says once, such as why it is over."""
        self._pause = 0.0
        self.is_dead = False
        """It shows no page any more."""

    @property
    @override
    def seats(self) -> tuple[int, ...]:
        return () if self.seat._frontend is None else self.seat._frontend.session.people

    @property
    def has_come(self) -> bool:
        """Return True if the table knows that this person is there."""
        session = None if self.seat._frontend is None else self.seat._frontend.session
        return isinstance(session, Companion) and session._arrived

    @override
    def is_asked(self, ask: Ask) -> bool:
        page, state = self._page, self._state
        if page is None or page.closed or page.stopped or state.get("window") or state.get("waits"):
            return True  # nobody looks, or what has happened is still told
        return bool(state.get("question")) and not self._is_idle(state)

    async def play(self) -> None:
        """Hold a page until the table is over, and open another one when it was put away for a while."""
        living = asyncio.get_running_loop().create_task(self.live())
        showing = asyncio.get_running_loop().create_task(self._show())
        try:
            while not self.told and not self.is_dead:
                page = self._page = Page(self._hear)
                shown = BrowserPage(cast("WebSocketResponse", page), "tab", page.hang_up)
                await self.seat.show(shown)
                await asyncio.sleep(self._pause or self.chance.uniform(*self.ways.pace) * 5)
                self._pause = 0.0
        finally:
            living.cancel()
            showing.cancel()

    async def _show(self) -> None:
        """Say every five seconds that the page is in view, as its script does."""
        while True:
            if self._page is not None:
                self._page.tap({"do": "alive"})
            await asyncio.sleep(5.0)

    def stop(self, *, stopped: bool) -> None:
        """Have the browser stop the page after a last sign of life, or let it run again, at once with one."""
        assert self._page is not None
        self._page.stopped = False
        self._page.tap({"do": "alive"})
        self._page.stopped = stopped

    def put_away(self, seconds: float = 0.0) -> None:
        """Let the page go; it comes back, after so many seconds or as soon as this person usually does."""
        self._pause = seconds
        if self._page is not None:
            self._page.hang_up()

    def _hear(self, said: Json) -> None:
        self.see(json.dumps(said, sort_keys=True))
        if said["type"] != "state":
            if said["type"] == "over":
                self.told.append(said.get("text", ""))
                self.put_away()
            return
        before, self._state = self._state, said
        if said["scene"]["phase"] in ("end", "lobby"):
            self._windows.clear()  # the next match counts its windows from the start
        if said["scene"]["phase"] == "end":
            self.match_is_over()
        elif said["scene"]["phase"] != "lobby":
            self.match_runs()
        if said["window"] is not None:
            self._look_at_window(said["window"])
        elif said["question"] and said["question"] != before.get("question"):
            self.soon(self._tap, said["question"])

    def _look_at_window(self, window: Json) -> None:
        seen = window["id"], bool(window["go"])
        if seen in self._windows or self._page is None:
            return
        self._windows.add(seen)
        self._page.tap({"do": "drawn", "window": window["id"]})
        if window["go"]:
            self.soon(self._page.tap, {"do": "react", "at": "go", "ms": 800, "window": window["id"]})

    def _tap(self, question: str) -> None:
        state, page = self._state, self._page
        if page is None or state.get("question") != question or self.answers >= ENOUGH:
            return
        if not state["scene"].get("decision") or self._is_idle(state):
            return
        self.answers += 1
        said: Json = {"question": question}
        decision, kind = state["scene"]["decision"], state["kind"]
        places = [one["number"] - 1 for one in decision.get("options", []) if one.get("can")]
        if decision["kind"] == "several":
            free = [one["number"] - 1 for one in decision["options"] if not one["order"]]
            for at in self.chance.sample(free, min(len(free), kind.get("low", 0))):
                page.tap({"do": "point", "at": at, **said})
        elif places:
            page.tap({"do": "point", "at": self.chance.choice(places), **said})
        number = {"number": decision["amount"]["low"]} if "amount" in decision else {}
        text = {"text": "x" * decision["writing"]["low"]} if "writing" in decision else {}
        page.tap({"do": "send", **said, **number, **text})
        asyncio.get_running_loop().call_later(3.0, self._tap, question)

    @staticmethod
    def _is_idle(state: Json) -> bool:
        """Whether the page only offers what can be done without being asked."""
        return bool(state["scene"]["decision"].get("own"))

    @override
    def play_again(self, game: str) -> None:
        pass  # a page isn't asked: the host says when it begins

    @override
    def do(self, deed: Deed) -> None:
        if self._page is None:
            return
        match deed:
            case Deed.QUIT | Deed.LEAVE | Deed.PHONE_LEAVES:
                self._page.tap({"do": "leave"})
            case Deed.UNDO:
                self._page.tap({"do": "take_back"})
            case Deed.SUSPEND:
                self._page.tap({"do": "stop"})
            case Deed.SAY:
                self._page.tap({"do": "say", "words": "ciao"})
            case Deed.RENAME | Deed.PHONE_RENAMES:
                self._page.tap({"do": "name", "name": f"{self.name}x"})
            case Deed.PHONE_GOES:
                self.put_away()
            case Deed.PHONE_DIES:
                self.is_dead = True
                self.put_away()
            case _:
                pass
