"""Each entrance with each limit, for the rows that programs and browsers meet; see `test_admission`."""

from __future__ import annotations

import asyncio
import io
import itertools
import json
import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from types import SimpleNamespace
from typing import Any, ClassVar

import pyte
import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType, web
from aiohttp.test_utils import make_mocked_request
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from tests.core.engine.table.test_companions import come
from tests.core.engine.table.test_table_state import ANN, BOB, HOST, founded, put
from tests.core.ui.virtual_time import run
from tests.core.web.test_server import browser, nobody_there, serving, sit
from tests.protocol.test_admission import DRIVERS as PROTOCOL_DRIVERS
from tests.protocol.test_admission import FACTORS, Drive, expect_row_kept
from textual.app import App, ComposeResult
from typing_extensions import override

from tavolata import _streams
from tavolata._cli.bench import Do
from tavolata._cli.choosing import own_name
from tavolata._cli.command_context import CommandContext
from tavolata._cli.dev import command_of
from tavolata._cli.failures import UsageError
from tavolata._cli.invited import _from_file
from tavolata._engine.match.updates import MAX_TEXT, Said
from tavolata._engine.sessions.knocks import BARRED, LETTERS, TEN_MINUTES, Knock, Knocks
from tavolata._engine.storage.atomic_json import stored
from tavolata._engine.storage.match_file import StoreError, read
from tavolata._engine.table import log_bodies
from tavolata._engine.table.log_bodies import TAG_SIZE
from tavolata._engine.table.table_state import TableState
from tavolata._text import Verbatim, fill, number_within, one_line
from tavolata._ui.i18n import Translator
from tavolata._ui.people_here import people_of
from tavolata._ui.plain_replay import find_seat
from tavolata._ui.seat_programs import ProgramFault, _Seated
from tavolata._ui.streams import Lines, Outlet
from tavolata._ui.talk import addressed
from tavolata._ui.tui.drawing.runs import Block, line
from tavolata._ui.tui.model.home_model import GameFacts
from tavolata._ui.tui.widgets.sheet import Sheet
from tavolata._web import gate
from tavolata._web.seats import BrowserSeat, WebAccess
from tavolata._web.server import WebTable, _name_in
from tavolata.errors import Refused
from tavolata_protocol.admission import LIMITS, Entrance
from tavolata_protocol.announcements import Announcement, checked

MACHINES = (HOST, ANN, BOB)


def company(many: int, sources: int, *, watch: bool) -> TableState:
    """People whom machines serve come to a table, in turn."""
    state = founded(ANN, BOB)
    machines = MACHINES[:sources]
    for number in range(many):
        tag = number.to_bytes(TAG_SIZE, "big")
        come(state, machines[number % len(machines)], tag, f"N{number}", watch=watch)
    return state


def watchers(many: int, sources: int) -> int:
    return len(company(many, sources, watch=True).roster.watchers)


def served(many: int, sources: int) -> int:
    """Those whom one machine brings to a locked table, who are remembered as refused."""
    state = founded(ANN)
    put(state, HOST, log_bodies.LOCK, True)
    for number in range(many):
        come(state, ANN, number.to_bytes(TAG_SIZE, "big"), f"N{number}")
    return len(state.moderation.shown_out)


def door(heard: list[Knock], now: Callable[[], float], deaf: Callable[[], object] = lambda: None) -> Knocks:
    counter = itertools.count()
    return Knocks(now, lambda limit: next(counter) * 7 % limit, heard.append, deaf)


def waiting(many: int, sources: int) -> int:
    heard: list[Knock] = []
    knocks = door(heard, lambda: 0.0)
    for number in range(many):
        knocks.knock(f"key {number}", f"10.0.0.{number % sources}", Verbatim("Eve"), screen=False)
    return len(knocks.waiting)


def knocking(many: int, sources: int) -> int:
    """Knocks that the owner hears within ten minutes, of phones that are let in at once."""
    heard: list[Knock] = []
    knocks = door(heard, lambda: 0.0)
    for number in range(many):
        if (
            knock := knocks.knock(f"key {number}", f"10.0.0.{number % sources}", Verbatim("E"), screen=False)
        ) is not None:
            knocks.answer(knock.letters, yes=True)
    return len(heard)


class Words:
    """What a page has sent: as many messages as it likes, at once."""

    def __init__(self, many: int) -> None:
        self._left = many
        self.hung_up = False

    def __aiter__(self) -> Words:
        return self

    async def __anext__(self) -> Any:
        if self.hung_up or not self._left:
            raise StopAsyncIteration
        self._left -= 1
        return type("Message", (), {"type": WSMsgType.TEXT, "data": '{"do": "alive"}'})


class Counted:
    """A pipe's lines; `enough` is set as soon as so many have been read."""

    def __init__(self, many: int, wanted: int) -> None:
        self._many = many
        self.read_so_far = 0
        self._wanted = wanted
        self.enough = Event()

    def isatty(self) -> bool:
        return False

    def readline(self, _: int) -> str:
        if self.read_so_far == self._many:
            return ""
        self.read_so_far += 1
        if self.read_so_far >= self._wanted:
            self.enough.set()
        return "x\n"


def ahead(many: int, _: int) -> int:
    """Lines of a pipe that are read before anyone wants them."""

    async def play() -> int:
        stream: Any = Counted(many + 1, min(many, LIMITS[Entrance.AHEAD].whole) + 1)
        here, most = Lines(stream), 0
        await here.next()
        assert await asyncio.to_thread(stream.enough.wait, 60)
        for wanted in range(1, many + 1):
            most = max(most, stream.read_so_far - wanted)
            assert await here.next() == "x"
        assert await here.next() is None
        return most

    return asyncio.run(play())


def complaints(many: int, _: int) -> int:
    """Lines that a program writes to stderr, each too long, before it ends."""

    async def play() -> int:
        code = f"import sys; [sys.stderr.write(str(n) + 'x' * 9999 + chr(10)) for n in range({many})]"
        one = _Seated("Bot", f'"{sys.executable}" -c "{code}"')
        await one.start()
        assert isinstance(await one.dead(), ProgramFault)
        await one.end(patiently=True)
        longest = LIMITS[Entrance.COMPLAINTS].size
        assert {len(line) for line in one._complaints} <= {longest}
        assert [int(line.split(b"x")[0]) for line in one._complaints] == list(range(many))[-20:]
        return len(one._complaints)

    return asyncio.run(asyncio.wait_for(play(), 60))


def messages(many: int, _: int) -> int:
    """Messages of a page at one moment; how many its seat hears."""

    async def play() -> int:
        async with serving() as (table, at), browser() as client:
            (await sit(client, table, at)).close()
            (seat,) = table.seats.values()
            heard, words = list[str](), Words(many)

            async def nothing() -> None: ...

            def hang_up() -> None:
                words.hung_up = True

            page: Any = type("Page", (), {
                "tab": "1", "socket": words, "hang_up": staticmethod(hang_up), "close": staticmethod(nothing),
                "tell": staticmethod(lambda *_, **__: None), "show": staticmethod(lambda _: None),
                "hidden": False,
            })  # fmt: skip
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(seat, "_hear", lambda _, text: heard.append(text))
                await seat.show(page)
            assert words.hung_up is (many > len(heard))
            return len(heard)

    return asyncio.run(play())


DRIVERS: dict[Entrance, Drive] = {
    Entrance.WATCHERS: watchers,
    Entrance.SERVED: served,
    Entrance.KNOCKS: waiting,
    Entrance.KNOCKING: knocking,
    Entrance.MESSAGES: messages,
    Entrance.AHEAD: ahead,
    Entrance.COMPLAINTS: complaints,
}


def hears_a_message(size: int) -> bool:
    """A page sends so much at once; its seat hears that, or the connection ends."""

    async def play() -> bool:
        async with serving() as (table, at), browser() as client:
            (await sit(client, table, at)).close()
            (seat,) = table.seats.values()
            heard = asyncio.Event()

            async def read(page: ClientWebSocketResponse) -> None:
                async for _ in page:
                    pass

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(seat, "_hear", lambda *_: heard.set())
                async with client.ws_connect(f"{at}/ws?tab=1", headers={"Origin": at}) as page:
                    await page.send_str(json.dumps({"do": "alive"}).ljust(size))
                    ends = [asyncio.ensure_future(one) for one in (heard.wait(), read(page))]
                    await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
                    for one in ends:
                        one.cancel()
                    await asyncio.gather(*ends, return_exceptions=True)
            return heard.is_set()

    return asyncio.run(asyncio.wait_for(play(), 60))


def takes_a_form(size: int) -> bool:
    """A browser sits down with so many bytes."""

    async def play() -> int:
        async with serving() as (table, at), browser() as client:
            body = f"seat={table.token}&name=Ann&x=".ljust(size, "x")
            headers = {"Origin": at, "Content-Type": "application/x-www-form-urlencoded"}
            async with client.post(at, data=body, headers=headers) as page:
                assert page.status in (200, 413)
                return page.status

    return asyncio.run(asyncio.wait_for(play(), 60)) == 200


def reads_a_line(size: int) -> bool:
    """A program writes so long a line, which comes as one."""

    async def play() -> bool:
        return await Lines(io.StringIO("x" * size + "\n")).next() == "x" * size

    return asyncio.run(play())


def keeps_a_complaint(size: int) -> bool:
    """A program that dies writes so long a line to stderr, which is kept whole."""

    async def play() -> bool:
        one = _Seated("Bot", f'"{sys.executable}" -c "import sys; sys.stderr.write({size} * chr(120))"')
        await one.start()
        assert isinstance(await one.dead(), ProgramFault)
        await one.end(patiently=True)
        return sum(map(len, one._complaints)) == size

    return asyncio.run(asyncio.wait_for(play(), 60))


def of_size(file: Path, size: int, begin: bytes = b"") -> Path:
    """A file of so many bytes, of which nothing but the beginning takes room on the disk."""
    file.write_bytes(begin)
    with file.open("r+b") as wide:
        wide.truncate(size)
    return file


def reads_an_invitation(size: int, folder: Path) -> bool:
    file = folder / "invitation"
    file.write_bytes(b"tavolata:192.168.1.5".ljust(size))
    try:
        return _from_file(str(file)).address == "192.168.1.5"
    except UsageError:
        return False


def reads_a_file(size: int, folder: Path) -> bool:
    file = folder / "kept.json"
    file.write_bytes(b"[]".ljust(size))
    return bool(stored(file) == [])


def reads_a_match(size: int, folder: Path) -> bool:
    """It's no match, but that is said of one that was read."""
    with pytest.raises(StoreError) as refused:
        read(of_size(folder / "match.ttm", size))
    return refused.value.message == "{path} isn't a match file."


SIZES: dict[Entrance, Callable[[int, Path], bool]] = {
    Entrance.MESSAGES: lambda size, _: hears_a_message(size),
    Entrance.REQUESTS: lambda size, _: takes_a_form(size),
    Entrance.AHEAD: lambda size, _: reads_a_line(size),
    Entrance.COMPLAINTS: lambda size, _: keeps_a_complaint(size),
    Entrance.INVITATIONS: reads_an_invitation,
    Entrance.FILES: reads_a_file,
    Entrance.RECORDS: reads_a_match,
}
ALONE = {Entrance.SERVED, Entrance.MESSAGES, Entrance.AHEAD, Entrance.COMPLAINTS}
"""Rows of which each source has its own."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def test_every_row_has_a_driver() -> None:
    """A row without one fails here."""
    assert not DRIVERS.keys() & PROTOCOL_DRIVERS.keys()
    assert set(Entrance) == set(LIMITS)
    assert DRIVERS.keys() | PROTOCOL_DRIVERS.keys() == {one for one in Entrance if LIMITS[one].whole}
    assert SIZES.keys() == {one for one in Entrance if LIMITS[one].size}


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize("entrance", list(SIZES))
def test_nothing_is_longer_than_its_row(
    entrance: Entrance, factor: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a row has room for is taken whole, and nothing longer; a row of matches is shorter here."""
    row = LIMITS[entrance]
    if row.size > 1 << 20:
        row = replace(row, size=1 << 20)
        monkeypatch.setattr("tavolata_protocol.admission.LIMITS", {**LIMITS, entrance: row})
    size = {"below": row.size - 1, "at": row.size, "above": row.size + 1}.get(factor, 10 * row.size)
    assert SIZES[entrance](size, tmp_path) is (factor in ("below", "at"))


@pytest.mark.parametrize(
    ("entrance", "sources"),
    [(one, sources) for one in DRIVERS for sources in ((1,) if one in ALONE else (1, 3))],
)
@pytest.mark.parametrize("factor", FACTORS)
def test_nobody_takes_more_than_its_row(entrance: Entrance, sources: int, factor: str) -> None:
    """From one source, and from three, which is as many as there are machines at this table."""
    expect_row_kept(entrance, DRIVERS[entrance], sources, factor)


def test_whoever_knocks_on_and_on_wears_nobody_out() -> None:
    """An adversary with any addresses: the owner hears 60 knocks in ten minutes, and that there are more.

    What it sees is the same page each time; and letters are drawn here, so it never has those of another.
    """
    now, heard, deaf = [0.0], list[Knock](), list[float]()
    knocks = door(heard, lambda: now[0], lambda: deaf.append(now[0]))
    television = knocks.knock("tv", "10.0.0.9", Verbatim(""), screen=True)
    assert television is not None
    for number in range(6000):  # ten a second, for ten minutes, each from another machine
        knocks.knock(f"key {number}", f"2001:db8:0:{number:x}::", Verbatim("Mum"), screen=False)
        for one in knocks.waiting:
            assert set(one.letters) <= set(LETTERS)
            if one.key != "tv":
                assert one.letters != television.letters or now[0] > 120
                knocks.answer(one.letters, yes=False)
        now[0] += 0.1
    row = LIMITS[Entrance.KNOCKING]
    assert len(heard) <= 2 * row.whole
    assert 1 <= len(deaf) <= row.whole
    now[0] += TEN_MINUTES
    assert knocks.knock("tv", "10.0.0.9", Verbatim(""), screen=True) is not None


def test_a_no_counts_for_a_machine_and_a_guess_of_letters_for_nothing() -> None:
    """No letters but those that are shown let anyone in, and those only once; no cookie is another's."""
    now, heard = [0.0], list[Knock]()
    knocks = door(heard, lambda: now[0])
    knock = knocks.knock("key", "10.0.0.1", Verbatim("Eve"), screen=False)
    assert knock is not None
    for letters in itertools.islice(itertools.product(LETTERS, repeat=4), 0, 160_000, 97):
        word = "".join(letters)
        assert word == knock.letters or not knocks.answer(word, yes=True)
    assert knocks.let_in("key") is None
    assert knocks.answer(knock.letters, yes=True)
    assert not knocks.answer(knock.letters, yes=True)
    assert knocks.let_in("other") is None
    assert knocks.let_in("key") == knock
    assert knocks.let_in("key") is None
    again = knocks.knock("again", "10.0.0.1", Verbatim("Eve"), screen=False)
    assert again is not None
    knocks.answer(again.letters, yes=False)
    assert knocks.knock("third", "10.0.0.1", Verbatim("Eve"), screen=False) is None
    now[0] += BARRED + 1
    assert knocks.knock("third", "10.0.0.1", Verbatim("Eve"), screen=False) is not None


def test_a_page_that_sends_without_end_is_cut_off_and_its_seat_stays() -> None:
    """Over a real socket: the connection ends, another one of the same browser is heard again."""

    async def play() -> None:
        async with serving() as (table, at), browser() as client:
            (await sit(client, table, at)).close()
            headers = {"Origin": at}
            async with client.ws_connect(f"{at}/ws?tab=1", headers=headers) as page:
                for _ in range(10 * LIMITS[Entrance.MESSAGES].whole):
                    try:
                        await page.send_str(json.dumps({"do": "alive"}))
                    except ConnectionError:
                        break
                async for _ in page:
                    pass
            assert len(table.seats) == 1
            async with client.ws_connect(f"{at}/ws?tab=1", headers=headers) as page:
                assert (await page.receive_json(timeout=5))["type"] in ("over", "state")

    asyncio.run(asyncio.wait_for(play(), 60))


NASTY = st.text(
    st.one_of(
        st.characters(codec=None),
        st.sampled_from("\x1b\x9b\x07\r\n\u202e\u2066\u200d\u0301\ud800\U000e0041\ufeffa@ \U0001f468"),
    ),
    max_size=60,
)


@given(NASTY)
def test_a_text_comes_in_clean_or_not_at_all(text: str) -> None:
    """As a name, a new name, words, a phone's name and an announcement; names have a type of their own."""
    state, sent = founded(ANN), text.encode(errors="replace").decode()  # no entry holds half a sign
    told = [
        *come(state, ANN, bytes(TAG_SIZE), sent, watch=True),
        *put(state, ANN, log_bodies.RENAME, sent),
        *put(state, ANN, log_bodies.CHAT, sent),
    ]
    kept: list[object] = [place.name for place in state.roster.places]
    kept += [*state.roster.watchers.values(), *filter(None, [_name_in(text)])]
    assert {type(one) for one in kept} == {Verbatim}
    said = [one for one in told if isinstance(one, Said)]
    assert {type(one.text) for one in said} <= {Verbatim}
    announced = checked(Announcement(bytes(16), text, text, 1))
    words = [*kept, *(one.text for one in said), announced.name, announced.game]
    for word in map(str, words):
        assert word == one_line(word, MAX_TEXT)
        word.encode()
    shown = fill("{a} {b}", {"a": text, "b": text})
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]", shown)


TITLE = "before"


def shown_on_a_terminal(sent: str) -> pyte.Screen:
    """A terminal that got this; its title was set before."""
    screen = pyte.Screen(4000, 200)
    screen.set_title(TITLE)
    pyte.Stream(screen).feed(sent.replace("\n", "\r\n"))
    return screen


@given(NASTY)
def test_a_text_goes_out_still(text: str) -> None:
    """Printed, or as a line of a match: the cursor is where the lines end, title and modes are as before."""
    printed, written = io.StringIO(), io.StringIO()
    _streams.put(text, printed)
    Outlet(written).line(text)
    modes = shown_on_a_terminal("").mode
    for sent in (printed.getvalue(), written.getvalue()):
        sent.encode()
        screen = shown_on_a_terminal(sent)
        assert (screen.cursor.x, screen.cursor.y) == (0, text.count("\n") + 1)
        assert (screen.title, screen.mode) == (TITLE, modes)


def test_the_full_screen_draws_still_texts() -> None:
    """Whoever put it there: a sheet gives Textual no sequence and no lone surrogate."""

    class Drawing(App[None]):
        role_styles: ClassVar[dict[str, Style]] = {"": Style()}

        @override
        def compose(self) -> ComposeResult:
            yield Sheet()

    async def play() -> str:
        app = Drawing()
        async with app.run_test(size=(60, 3)):
            sheet = app.query_one(Sheet)
            sheet.show(Block((line("a\x1b]0;title\x07b\x9b2J\u202ec\ud800d"),)))
            return sheet.render_line(0).text

    assert asyncio.run(play()).split() == ["a", "]0;title", "b", "2J", "c", "d"]


def test_what_is_written_here_is_composed() -> None:
    """A letter and its accent are one sign in names, words and the names that a command is about."""
    typed, meant = "Rene\u0301", "Ren\u00e9"
    assert own_name(CommandContext({}, {}), typed) == meant
    assert _name_in(typed) == meant
    assert [one.name for one in people_of([typed], ())] == [meant]
    assert addressed(f"{typed}: e\u0300 vero", ["Ann", meant]) == ([1], "\u00e8 vero")


NINES = "9" * 5000
"""More digits than `int` reads."""


@pytest.mark.parametrize(
    ("digits", "number"),
    [
        ("1", 1), ("007", 7), ("\u0663", 3), ("0", None), ("12", None), ("-1", None), ("\u00b2", None),
        ("", None), (NINES, None), ("0" * 5000 + "3", 3),
    ],
    ids=lambda one: str(one)[:8],
)  # fmt: skip
def test_a_number_is_read_whatever_its_length(digits: str, number: int | None) -> None:
    """What is out of the range, however far, isn't in it; nothing raises."""
    assert number_within(digits, 1, 11) == number


def test_thousands_of_digits_name_nothing() -> None:
    """They are no seat, and no number of players; none of these doors raises anything else."""
    with pytest.raises(Refused):
        find_seat(NINES, ["Ann", "Bob"], str)
    game = GameFacts("race", "Race", (2, 6), "", 10)
    assert not game.fits(NINES)
    assert game.fits(f"{NINES}min")
    assert command_of(f"sit {NINES}") == (Do.SIT, 1000)


def asking(path: str, address: str, cookie: str = "") -> web.Request:
    """What a browser at an address asks of a table at port 8288."""
    told = {"peername": (address, 50000)}
    return make_mocked_request(
        "GET", path, headers={"Host": "10.0.0.9:8288", **({"Cookie": cookie} if cookie else {})},
        transport=SimpleNamespace(get_extra_info=lambda name, *_: told.get(name)),
    )  # fmt: skip


@pytest.mark.battery
def test_wrong_links_from_everywhere_are_hardly_looked_at_and_hinder_nobody() -> None:
    """The room's acceptance 6: a thousand addresses try 10,000 links in five seconds; few reach the door.

    A browser with a seat and one with the link come in all the while. The link itself has 128 bits.
    """
    looked_at: list[web.Request] = []

    async def handler(request: web.Request) -> web.StreamResponse:
        looked_at.append(request)
        return web.Response()

    async def play() -> None:
        access = WebAccess(lambda: "Hanna", str, nobody_there, str)
        table, token = WebTable(access, lambda _: True), gate.new_token()
        table.port = 8288
        file = table.folder / gate.seat_key(token)
        table.seats[file.name] = BrowserSeat(file, "Gino", Translator("en"), access)
        addresses = [f"10.1.{number // 250}.{number % 250 + 1}" for number in range(1000)]
        guesses = [asking(f"/?s={gate.new_token()}", address) for address in addresses]
        friends = [
            asking("/rules", "10.0.0.1", f"tavolata-8288={token}"),
            asking(f"/?s={table.token}", addresses[0]),  # of an address that guesses, too
        ]
        refused = 0
        for tick in range(50):
            for guess in (guesses[(200 * tick + number) % len(guesses)] for number in range(200)):
                try:
                    await table._gate(guess, handler)
                except web.HTTPTooManyRequests:
                    refused += 1
            for friend in friends:
                await table._gate(friend, handler)
                assert looked_at.pop() is friend
            await asyncio.sleep(0.1)
        whole = LIMITS[Entrance.REQUESTS].whole
        assert 5 * whole / 2 <= len(looked_at) <= 6 * whole
        assert len(looked_at) + refused == 10_000
        assert list(table.seats) == [file.name]
        assert len(table._requests._of_machine._limits) <= 256

    run(play())


def test_requests_beyond_the_row_cost_nothing_and_keep_no_one_out_who_has_a_seat_or_the_link() -> None:
    """Whoever floods the door reads 429; a phone with the link sits down, and one with a seat stays."""

    async def play() -> None:
        async with serving() as (table, at), browser() as stranger, browser() as guest:
            async with stranger.get(at) as page:
                assert page.status == 200
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(table._requests, "may_ask", lambda *_: False)
                for path in ("/", "/here", "/knock", "/static/table.css", "/rules"):
                    async with stranger.get(at + path) as page:
                        assert (page.status, path) == (429, path)
                async with await sit(guest, table, at) as page:
                    assert page.status == 200
                async with guest.get(f"{at}/static/table.css") as page:
                    assert page.status == 200
            async with stranger.get(at) as page:
                assert page.status == 200

    asyncio.run(asyncio.wait_for(play(), 60))
