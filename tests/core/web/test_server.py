"""The pages of a table over real sockets: what is answered to whom."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from http.cookies import SimpleCookie
from pathlib import Path
from types import SimpleNamespace
from typing import Any, get_args

import aiohttp
import pytest
from aiohttp import ClientSession, CookieJar, WSServerHandshakeError
from tests.core.games import Nod

from tavolata._engine.network.table_errors import PortTaken, TableLost
from tavolata._engine.sessions.knocks import BARRED, Knock, Knocks
from tavolata._engine.sessions.session import TableSession
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.cast import Draw
from tavolata._version import __version__
from tavolata._web import door, gate
from tavolata._web.seats import (
    KEPT,
    SCREEN,
    BrowserSeat,
    Farewell,
    Stops,
    WebAccess,
    remember,
    remembered,
    tag_of,
    tidy,
)
from tavolata._web.server import FILES, WebTable, served
from tavolata.errors import GameError
from tavolata_protocol.admission import LIMITS, Entrance


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


@contextlib.contextmanager
def nobody_there(
    tag: bytes, name: str, watch: bool, keep_name: Callable[[str], object]
) -> Iterator[TableSession]:
    """A way into a table that is over."""
    raise TableLost("Nobody is there.")
    yield  # type: ignore[unreachable]  # it is a generator all the same


@contextlib.asynccontextmanager
async def serving(*, near: bool = True, port: int | None = None) -> AsyncIterator[tuple[WebTable, str]]:
    """The pages of a table that nobody joins, and where they are."""

    def title(speaker: Translator) -> str:
        return f"Zompa <{speaker.lang}>"

    def rules(speaker: Translator) -> str:
        lists, table = "1. Deal\n   - twice\n", "| a | b |\n|---|---|\n| **c** | d |"
        return f"# Rules\n\nOne *{speaker.lang}* `<script>`\n\n{lists}\n{table}"

    access = WebAccess(lambda: "<Hanna>", title, nobody_there, rules, lambda: "http://127.0.0.1:1/?s=x")
    table = WebTable(access, lambda _: near)
    async with served(table, ["127.0.0.1"], port, 0):
        yield table, f"http://127.0.0.1:{table.port}"


def browser(**headers: str) -> ClientSession:
    """A browser without a memory of before."""
    return ClientSession(headers=headers, cookie_jar=CookieJar(unsafe=True))


async def sit(client: ClientSession, table: WebTable, at: str, name: str = "Gino") -> aiohttp.ClientResponse:
    """Open the link and say a name; the answer."""
    async with client.get(f"{at}/?s={table.token}") as page:
        assert page.status == 200
    return await client.post(f"{at}/", data={"seat": table.token, "name": name}, headers={"Origin": at})


def test_nothing_is_served_without_a_token() -> None:
    """Every path, known or not, with a wrong token or none: one sentence and 403, in the own language."""

    async def play() -> None:
        async with serving() as (table, at), browser() as client:
            for path in (f"/x?s={table.token}", "/nothing", "/ws", "/rules", "/static/", "/../etc/passwd"):
                async with client.get(at + path) as answer:
                    assert (answer.status, await answer.text()) == (403, pages_said()), path
            for path in ("/", "/?s=", "/?s=x"):
                async with client.get(at + path) as answer:
                    assert (answer.status, 'name="seat"' in await answer.text()) == (200, False), path
            async with client.post(
                f"{at}/", data={"seat": "x", "name": "Eve"}, headers={"Origin": at}
            ) as answer:
                assert answer.status == 403
            async with client.get(at, headers={"Accept-Language": "it"}) as answer:
                assert "tavolo" in await answer.text()

    asyncio.run(play())


def pages_said() -> str:
    """What whoever has no token is told."""
    return "This is a Tavolata table. To sit down, open the full link from the host."


@pytest.mark.parametrize("case", ["far", "host", "origin", "no origin"])
def test_who_comes_from_elsewhere_is_refused_even_with_the_token(case: str) -> None:
    """From another network, by a name that is not this machine's, or sent by a page of somebody else: 403."""

    async def play() -> None:
        async with serving(near=case != "far") as (table, at), browser() as client:
            headers = {"Origin": at}
            if case == "host":
                headers["Host"] = f"evil.example:{table.port}"
            elif case == "origin":
                headers["Origin"] = "http://evil.example"
            elif case == "no origin":
                del headers["Origin"]
            form = {"seat": table.token, "name": "Eve"}
            async with client.post(f"{at}/", data=form, headers=headers) as answer:
                assert (answer.status, answer.cookies) == (403, SimpleCookie())

    asyncio.run(play())


def test_a_newcomer_says_a_name_and_has_a_seat() -> None:
    """The link asks for a name, in the browser's language; the table's own address has no token any more."""

    async def play() -> None:
        async with serving() as (table, at), browser(**{"Accept-Language": "it"}) as client:
            async with client.get(f"{at}/?s={table.token}") as page:
                asked = await page.text()
            assert '<html lang="it">' in asked
            assert "Il tuo nome" in asked
            assert "&lt;Hanna&gt;" in asked
            assert "Zompa &lt;it&gt;" in asked
            async with await sit(client, table, at, "  @ ") as page:
                assert "Il nome" in await page.text()
            async with await sit(client, table, at) as page:
                shown = await page.text()
                assert (page.status, str(page.url)) == (200, f"{at}/")
                assert '<main id="table">' in shown
                assert table.token not in shown
            async with client.get(f"{at}/?s={table.token}") as page:
                assert str(page.url) == f"{at}/"
            [cookie] = client.cookie_jar
            assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")

    asyncio.run(play())


def test_a_browser_whose_person_is_at_the_table_has_its_seat_again_without_the_link() -> None:
    """The program was started again: the cookie is enough for who sits there, and for nobody else."""

    async def play() -> None:
        known: dict[bytes, str] = {}
        access = WebAccess(lambda: "Hanna", str, nobody_there, str, served=lambda tag: known.get(tag, ""))
        for here, status in ((False, 403), (True, 200)):
            table = WebTable(access, lambda _: True)
            key = gate.seat_key("the-cookie-of-a-browse")
            remember(table.folder / key, "Gino")
            known = {tag_of(table.folder / key): "Gino"} if here else {bytes(16): "Ugo"}
            async with served(table, ["127.0.0.1"], None, 0), browser() as client:
                at, cookie = f"http://127.0.0.1:{table.port}", f"tavolata-{table.port}=the-cookie-of-a-browse"
                async with client.get(f"{at}/rules", headers={"Cookie": cookie}) as page:
                    assert page.status == status
            assert [one.name for one in table.seats.values()] == ["Gino"] * here

    asyncio.run(play())


def test_a_page_without_a_socket_learns_whether_it_is_known() -> None:
    """Anybody near may ask; while the machine doesn't know its table again, it doesn't say no."""

    async def play() -> None:
        opened: list[bool] = []
        access = WebAccess(lambda: "Hanna", str, nobody_there, str, is_open=lambda: bool(opened))
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0), browser() as client, browser() as stranger:
            at = f"http://127.0.0.1:{table.port}"
            (await sit(client, table, at)).close()
            async with client.get(f"{at}/here") as answer:
                assert answer.status == 503
            opened.append(True)
            for one, known in ((client, True), (stranger, False)):
                async with one.get(f"{at}/here") as answer:
                    assert await answer.json() == {"known": known, "version": __version__ if known else ""}
            async with stranger.get(f"{at}/here", headers={"Host": f"evil.example:{table.port}"}) as answer:
                assert answer.status == 403

    asyncio.run(play())


def test_a_match_that_can_be_resumed_is_told_to_the_page() -> None:
    """The page of a table that closes has no way back; it says what to type where, and until when; no key."""

    async def play() -> None:
        kept = Farewell(7, 86400.0 * 30, Stops.TODAY)
        access = WebAccess(
            lambda: "Hanna", lambda _: "Zompa", nobody_there, str, lambda: "http://x:1/?s=secret",
            farewell=lambda: kept,
        )  # fmt: skip
        table = WebTable(access, lambda _: True)
        async with browser() as client, served(table, ["127.0.0.1"], None, 0):
            at = f"http://127.0.0.1:{table.port}"
            (await sit(client, table, at)).close()
            page = await client.ws_connect(f"{at}/ws?tab=1", headers={"Origin": at})
            await page.receive_json(timeout=5)
            closing = asyncio.create_task(table.close())
            said = await page.receive_json(timeout=5)
            await closing
        assert said["closed"]
        assert said["farewell"] == {
            "title": "That's all for today. No one has lost.",
            "match": "You're Gino. Zompa · turn 7",
            "how": "To continue, open Hanna's laptop and type",
            "command": "tt resume",
            "page": "Leave this page open: it reconnects on its own. Or open http://x:1 another day.",
            "until": "Saved until {date}.",
            "last": 86400.0 * 30,
        }

    asyncio.run(play())


def test_everything_that_a_page_loads_is_served_here() -> None:
    """No address in pages and rules leads elsewhere, each file is there, and browsers may load no other."""

    async def play() -> None:
        async with serving() as (table, at), browser() as client:
            async with await sit(client, table, at) as page:
                shown, rules = await page.text(), page.headers["Content-Security-Policy"]
            assert rules.startswith("default-src 'none'; script-src 'self'")
            loaded = re.findall(r'(?:src|href)="([^"]*)"', shown)
            assert [one for one in loaded if not one.startswith(("/static/", "data:"))] == []
            for name in FILES:
                async with client.get(f"{at}/static/{name}") as file:
                    assert (file.status, file.headers["X-Content-Type-Options"]) == (200, "nosniff"), name
                    text = (await file.text()).replace("http://www.w3.org/2000/svg", "")
                    assert re.findall(r"https?://|url\(|innerHTML|insertAdjacentHTML|eval\(", text) == [], (
                        name
                    )
            for name in ("server.py", "..%2fgate.py", "../gate.py"):
                async with client.get(f"{at}/static/{name}") as file:
                    assert file.status == 404

    asyncio.run(play())


def test_an_update_of_the_program_is_on_the_next_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A browser asks for a file that it has, gets it anew once it's another, and no copy lasts unasked."""
    monkeypatch.setitem(FILES, "door.js", script := tmp_path / "door.js")
    script.write_text("old")

    async def play() -> None:
        async with serving() as (_, at), browser() as client:
            async with client.get(f"{at}/static/door.js") as file:
                assert file.headers["Cache-Control"] == "no-cache"
                known = {"If-None-Match": file.headers["ETag"]}
            for text, status in (("old", 304), ("newer", 200)):
                script.write_text(text) if status == 200 else None
                async with client.get(f"{at}/static/door.js", headers=known) as file:
                    assert (file.status, await file.text()) == (status, text if status == 200 else "")

    asyncio.run(play())


def test_the_rules_of_the_game_are_there_as_data() -> None:
    """Who sits here reads them in the own language; a text of theirs stays a text, and others get nothing."""

    async def play() -> None:
        async with serving() as (table, at), browser(**{"Accept-Language": "it"}) as client:
            async with client.get(f"{at}/rules") as answer:
                assert answer.status == 403
            (await sit(client, table, at)).close()
            async with client.get(f"{at}/rules") as answer:
                assert await answer.json() == [
                    {"tag": "h1", "cells": [[["", "Rules"]]]},
                    {"tag": "p", "cells": [[["", "One "], ["em", "it"], ["", " "], ["b", "<script>"]]]},
                    {"tag": "li", "cells": [[["", "Deal"]]], "mark": "1.", "deep": 0},
                    {"tag": "li", "cells": [[["", "twice"]]], "mark": "•", "deep": 1},
                    {"tag": "th", "cells": [[["", "a"]], [["", "b"]]]},
                    {"tag": "td", "cells": [[["b", "c"]], [["", "d"]]]},
                ]

    asyncio.run(play())


def test_the_screen_is_shown_to_pages_of_this_server_only() -> None:
    """With the cookie of a seat, but from another origin, there is no connection to its screen."""

    async def play() -> None:
        async with serving() as (table, at), browser() as client:
            (await sit(client, table, at)).close()
            for headers in ({}, {"Origin": "http://evil.example"}, {"Origin": "null"}):
                with pytest.raises(WSServerHandshakeError, match="403"):
                    await client.ws_connect(f"{at}/ws", headers=headers)

    asyncio.run(play())


def test_there_are_only_so_many_seats() -> None:
    """Seats that nobody uses make room for newcomers; a browser never has two."""

    async def play() -> None:
        async with serving() as (table, at), browser() as first:
            (await sit(first, table, at)).close()
            assert len(first.cookie_jar) == 1
            async with first.post(
                f"{at}/", data={"seat": table.token, "name": "Gino"}, headers={"Origin": at}
            ):
                assert len(first.cookie_jar) == 1
            for number in range(gate.SEATS):
                async with browser() as client:
                    (await sit(client, table, at, f"Guest {number}")).close()
            assert len(table.seats) == gate.SEATS
            async with first.get(f"{at}/rules") as answer:
                assert answer.status == 403  # the one that was unused for longest is gone

    asyncio.run(play())


def test_a_port_that_is_taken_is_told_before_anything_is_served() -> None:
    """A port that was asked for has to be free; the usual one gives way to another."""

    async def play() -> None:
        with socket.create_server(("127.0.0.1", 0)) as other:
            taken = other.getsockname()[1]
            with pytest.raises(PortTaken, match="--web-port"):
                async with serving(port=taken):
                    pass
            table = WebTable(WebAccess(lambda: "Hanna", str, nobody_there, str), lambda _: True)
            async with served(table, ["127.0.0.1"], None, taken):
                assert table.port not in (0, taken)

    asyncio.run(play())


def test_both_families_of_addresses_reach_the_table() -> None:
    """By IPv4 and by IPv6 there is one table at one port."""

    async def play() -> None:
        table = WebTable(WebAccess(lambda: "Hanna", str, nobody_there, str), lambda _: True)
        async with served(table, ["0.0.0.0", "::"], None, 0), browser() as client:
            for host in ("127.0.0.1", "[::1]"):
                async with client.get(f"http://{host}:{table.port}/?s={table.token}") as answer:
                    assert answer.status == 200

    if not socket.has_ipv6:
        pytest.skip("this machine speaks no IPv6")
    asyncio.run(play())


def test_a_browser_is_the_same_person_across_evenings() -> None:
    """At the next table at this port its token makes the same seat, and the form has its name already."""

    async def play() -> None:
        async with browser() as client:
            async with serving() as (table, at):
                (await sit(client, table, at)).close()
                [key], port = table.seats, table.port
            async with serving(port=port) as (table, at):
                async with client.get(f"{at}/rules") as answer:
                    assert answer.status == 403  # the token of a seat is no invitation
                async with client.get(f"{at}/?s={table.token}") as page:
                    assert 'value="Gino"' in await page.text()
                (await sit(client, table, at)).close()
                assert list(table.seats) == [key]

    asyncio.run(play())


async def knock(client: ClientSession, at: str, **form: str) -> aiohttp.ClientResponse:
    """Knock as the page of the door does; the page that follows."""
    return await client.post(f"{at}/knock", data=form, headers={"Origin": at})


def test_a_television_comes_in_by_the_owners_yes_and_is_known_again() -> None:
    """The bare address has a button; letters are shown until the owner answers; no seat comes of it."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        served_names: dict[bytes, str] = {}
        access = WebAccess(
            lambda: "Hanna", lambda _: "Zompa", nobody_there, str, lambda: "http://x/", knocks=knocks,
            served=lambda tag: served_names.get(tag, ""),
        )  # fmt: skip
        table = WebTable(access, lambda _: True)
        async with browser() as client, browser() as other:
            async with served(table, ["127.0.0.1"], None, 0):
                at, port = f"http://127.0.0.1:{table.port}", table.port
                async with client.get(at) as page:
                    told = await page.text()
                    assert [*re.findall("<button( class=.primary.)?>([^<]+)", told)] == [
                        (' class="primary"', "Knock"),  # most who come here are players
                        ("", "This is the television"),
                    ]
                async with client.post(f"{at}/knock", data={"screen": "yes"}) as page:
                    assert page.status == 403  # another site's form
                async with await knock(client, at, screen="yes") as page:
                    assert (page.status, str(page.url)) == (200, f"{at}/knock")
                    assert heard[0].letters in await page.text()
                async with await knock(other, at, name="Eve") as page:  # of the same address
                    assert "right now. Try again" in await page.text()
                for path in ("/ws", "/rules"):
                    async with client.get(at + path) as page:
                        assert page.status == 403
                assert not knocks.answer("XXXX", yes=True)
                assert knocks.answer(heard[0].letters.lower(), yes=True)
                async with client.get(f"{at}/knock") as page:
                    assert (page.status, str(page.url)) == (200, f"{at}/")
                    assert 'data-screen="yes"' in await page.text()
                [key] = table.seats
                assert table.seats[key].is_screen
                assert remembered(table.folder / key) == SCREEN
            served_names[tag_of(table.folder / key)] = "the big screen"
            again = WebTable(access, lambda _: True)
            async with served(again, ["127.0.0.1"], port, 0), client.get(at) as page:
                assert 'data-screen="yes"' in await page.text()

    asyncio.run(play())


def test_a_phone_that_became_the_television_by_mistake_becomes_a_player() -> None:
    """While it knocks, another button counts; once it's let in, the link gives it a name and a seat."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        access = WebAccess(lambda: "Hanna", lambda _: "Zompa", nobody_there, str, knocks=knocks)
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0), browser() as client:
            at = f"http://127.0.0.1:{table.port}"
            for form in ({"screen": "yes"}, {"name": "Nonna"}, {"name": "Nonna"}, {"screen": "yes"}):
                (await knock(client, at, **form)).close()
            assert [(one.name, one.screen) for one in heard] == [("", True), ("Nonna", False), ("", True)]
            assert not knocks.answer(heard[1].letters, yes=True)  # what the owner has seen there is gone
            knocks.answer(heard[2].letters, yes=True)
            async with client.get(f"{at}/knock") as page:
                assert 'data-screen="yes"' in await page.text()
            async with await sit(client, table, at, "Nonna") as page:
                assert 'data-screen=""' in await page.text()
            assert [(one.name, one.is_screen) for one in table.seats.values()] == [("Nonna", False)]

    asyncio.run(play())


def test_a_phone_that_cannot_scan_knocks_by_name_and_a_no_bars_it() -> None:
    """It needs a name; after a no its address can't knock for ten minutes; the time of a knock is over."""

    async def play() -> None:
        now, heard = [0.0], list[Knock]()
        knocks = Knocks(lambda: now[0], lambda _: len(heard), heard.append)
        access = WebAccess(lambda: "Hanna", lambda _: "Zompa", nobody_there, str, knocks=knocks)
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0), browser() as client:
            at = f"http://127.0.0.1:{table.port}"
            async with await knock(client, at, name=" @ ") as page:
                assert "A name needs" in await page.text()
            (await knock(client, at, name="Nonna")).close()
            assert [(one.name, one.letters) for one in knocks.waiting] == [("Nonna", "BBBB")]
            knocks.answer("bbbb", yes=False)
            async with await knock(client, at, name="Nonna") as page:
                assert "right now. Try again" in await page.text()
            now[0] = BARRED + 1
            (await knock(client, at, name="Nonna")).close()
            now[0] += LIMITS[Entrance.KNOCKS].proof + 1
            assert knocks.waiting == ()
            async with client.get(f"{at}/knock") as page:
                assert str(page.url) == f"{at}/"
            (await knock(client, at, name="Nonna")).close()
            knocks.answer(heard[-1].letters, yes=True)
            (await client.get(f"{at}/knock")).close()
            assert [seat.name for seat in table.seats.values()] == ["Nonna"]

    asyncio.run(play())


def test_a_person_with_another_browser_has_the_same_seat_by_the_owners_yes() -> None:
    """The name of somebody whose page is gone is asked about; another name, or a page in view, is not."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        access = WebAccess(
            lambda: "Hanna", lambda _: "Zompa", nobody_there, str, lambda: "http://x/", knocks=knocks,
            served=lambda tag: names.get(tag, ""),
        )  # fmt: skip
        table = WebTable(access, lambda _: True)
        async with browser() as old, browser() as new, browser() as other:
            async with served(table, ["127.0.0.1"], None, 0):
                at, port = f"http://127.0.0.1:{table.port}", table.port
                (await sit(old, table, at, "Carla")).close()
                [first] = table.seats
                names[tag_of(table.folder / first)] = "Carla"
                async with await sit(new, table, at, "carla") as page:
                    assert "already at this table" in await page.text()
                assert list(table.seats) == [first]  # no second Carla
                (await sit(other, table, at, "Dora")).close()
                assert len(table.seats) == 2
                async with await knock(new, at, name="Carla", back="yes") as page:
                    assert heard[0].letters in await page.text()
                assert heard[0].back == first
                async with new.get(f"{at}/rules") as page:
                    assert page.status == 403  # nothing before the owner's yes
                knocks.answer(heard[0].letters, yes=True)
                async with new.get(f"{at}/knock") as page:
                    assert '<main id="table">' in await page.text()
                assert len(table.seats) == 2
                async with old.get(at) as page:
                    assert '<main id="table">' in await page.text()
            again = WebTable(access, lambda _: True)
            async with served(again, ["127.0.0.1"], port, 0), new.get(at) as page:
                assert '<main id="table">' in await page.text()
            assert list(again.seats) == [first]

    asyncio.run(play())


def private_access(knocks: Knocks, names: dict[bytes, str]) -> WebAccess:
    """The way to a private table, at which these people are."""
    return WebAccess(
        lambda: "Hanna", lambda _: "Zompa", nobody_there, str, lambda: "http://x/", knocks=knocks,
        served=lambda tag: names.get(tag, ""), is_private=lambda: True,
    )  # fmt: skip


def test_at_a_private_table_it_takes_the_link_and_the_owners_yes() -> None:
    """The room's acceptance 16: the link asks the owner, as a television can without it; a cookie will do."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        access = private_access(knocks, names)
        table = WebTable(access, lambda _: True)
        async with browser() as phone, browser() as stranger:
            async with served(table, ["127.0.0.1"], None, 0):
                at, port = f"http://127.0.0.1:{table.port}", table.port
                for form in ({"name": "Anna"}, {"name": "Anna", "seat": gate.new_token()}):
                    async with await knock(stranger, at, **form) as page:
                        told = await page.text()
                        assert "open the full link" in told
                        assert re.findall(r'action="/knock" (\w*)>', told) == ["hidden"]
                assert heard == []
                async with await sit(phone, table, at, "Anna") as page:
                    assert str(page.url) == f"{at}/knock"
                    assert heard[0].letters in await page.text()
                assert table.seats == {}
                async with phone.get(f"{at}/rules") as page:
                    assert page.status == 403
                knocks.answer(heard[0].letters, yes=True)
                async with phone.get(f"{at}/knock") as page:
                    assert '<main id="table">' in await page.text()
                [key] = table.seats
                names[tag_of(table.folder / key)] = "Anna"
            again = WebTable(access, lambda _: True)
            async with served(again, ["127.0.0.1"], port, 0), phone.get(at) as page:
                assert '<main id="table">' in await page.text()
            assert len(heard) == 1
            knocks.knock("other", "127.0.0.1", heard[0].name, screen=False)  # one waits per address
            async with served(again, ["127.0.0.1"], port, 0):
                async with await sit(stranger, again, at, "Eve") as page:
                    told = await page.text()
                assert "right now. Try again" in told
                assert 'name="seat"' in told  # the link isn't lost
                async with await knock(stranger, at, screen="yes") as page:
                    assert "right now. Try again" in await page.text()

    asyncio.run(play())


def test_at_a_private_table_a_seat_goes_to_another_browser_by_link_and_yes() -> None:
    """Who has somebody else's name is asked about it, and the page that asks keeps the link."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        table = WebTable(private_access(knocks, names), lambda _: True)
        remember(table.folder / "old", "Carla")
        names[tag_of(table.folder / "old")] = "Carla"
        async with served(table, ["127.0.0.1"], None, 0), browser() as new:
            at = f"http://127.0.0.1:{table.port}"
            async with await sit(new, table, at, "Carla") as page:
                told = await page.text()
            assert "already at this table" in told
            assert told.count(f'name="seat" value="{table.token}"') == 2
            async with await knock(new, at, name="Carla", back="yes", seat=table.token) as page:
                assert heard[0].letters in await page.text()
            assert heard[0].back == "old"

    asyncio.run(play())


def test_nobody_new_knocks_at_a_locked_table() -> None:
    """The page says that it's locked, and the owner hears nothing; asking for one's seat is different."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        access = replace(private_access(knocks, names), is_private=lambda: False, is_locked=lambda: True)
        table = WebTable(access, lambda _: True)
        remember(table.folder / "old", "Carla")
        names[tag_of(table.folder / "old")] = "Carla"
        async with served(table, ["127.0.0.1"], None, 0), browser() as client:
            at = f"http://127.0.0.1:{table.port}"
            for form in ({"name": "Eve"}, {"screen": "yes"}):
                async with await knock(client, at, **form) as page:
                    assert "The table is locked." in await page.text()
            assert heard == []
            async with await knock(client, at, name="Carla", back="yes") as page:
                assert heard[0].letters in await page.text()

    asyncio.run(play())


@pytest.mark.parametrize("private", [False, True])
def test_who_only_wants_to_watch_says_so_beside_the_name(private: bool) -> None:
    """The page that asks for a name has a button for it; that outlives a restart, and a queue isn't that."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        watches = [True]
        access = replace(
            private_access(knocks, names), is_private=lambda: private, looks_on=lambda _: watches[0]
        )
        table = WebTable(access, lambda _: True)
        async with browser() as client:
            async with served(table, ["127.0.0.1"], None, 0):
                at, port = f"http://127.0.0.1:{table.port}", table.port
                async with client.get(f"{at}/?s={table.token}") as page:
                    assert '<button name="watch" value="yes">' in await page.text()
                form = {"seat": table.token, "name": "Ada", "watch": "yes"}
                (await client.post(at, data=form, headers={"Origin": at})).close()
                if private:
                    knocks.answer(heard[0].letters, yes=True)
                    (await client.get(f"{at}/knock")).close()
                [(key, seat)] = table.seats.items()
                assert (seat._watch, seat.is_screen) == (True, False)
                names[tag_of(table.folder / key)] = "Ada"
            for now in (True, False):
                watches[0] = now
                again = WebTable(access, lambda _: True)
                async with served(again, ["127.0.0.1"], port, 0), client.get(at) as page:
                    assert page.status == 200
                assert [one._watch for one in again.seats.values()] == [now]

    asyncio.run(play())


def test_browsers_that_their_machine_has_forgotten_come_to_the_door_which_says_so() -> None:
    """Acceptance 5 of the room: the link gives the phone its seat again, and a yes the television its own."""

    async def play() -> None:
        heard: list[Knock] = []
        knocks = Knocks(asyncio.get_running_loop().time, lambda limit: len(heard) % limit, heard.append)
        names: dict[bytes, str] = {}
        access = replace(private_access(knocks, names), is_private=lambda: False)
        table = WebTable(access, lambda _: True)
        async with browser() as phone, browser() as screen:
            async with served(table, ["127.0.0.1"], None, 0):
                at, port = f"http://127.0.0.1:{table.port}", table.port
                (await sit(phone, table, at)).close()
                (await knock(screen, at, screen="yes")).close()
                knocks.answer(heard[0].letters, yes=True)
                (await screen.get(f"{at}/knock")).close()
                seat, television = table.seats
            for key, name in ((seat, "Gino"), (television, "the big screen")):
                names[tag_of(table.folder / key)] = name
            shutil.rmtree(table.folder)
            again = WebTable(access, lambda _: True)
            async with served(again, ["127.0.0.1"], port, 0):
                for client in (phone, screen):
                    async with client.get(f"{at}/here") as answer:
                        assert not (await answer.json())["known"]
                    async with client.get(f"{at}/?lost") as page:
                        assert "Hanna&#x27;s laptop no longer knows this device." in await page.text()
                assert again.seats == {}
                (await sit(phone, again, at)).close()
                assert list(again.seats) == [seat]
                (await knock(screen, at, screen="yes")).close()
                knocks.answer(heard[1].letters, yes=True)
                (await screen.get(f"{at}/knock")).close()
                assert again.seats[television].is_screen
                assert list(again.seats) == [seat, television]
                async with browser() as other, other.get(at) as page:
                    assert "no longer" not in await page.text()

    asyncio.run(play())


def test_a_page_is_told_in_words_why_it_has_no_table() -> None:
    """Whatever keeps a seat from its table reaches the page as one sentence."""

    async def play() -> None:
        async with serving() as (table, at), browser() as client:
            (await sit(client, table, at)).close()
            async with client.ws_connect(f"{at}/ws?tab=1", headers={"Origin": at}) as page:
                assert await page.receive_json(timeout=5) == {"type": "over", "text": "Nobody is there."}

    asyncio.run(play())


def test_a_page_uses_nothing_that_televisions_of_2022_lack() -> None:
    """What a browser can't read leaves the page blank, and what it lacks stops the drawing."""
    later = r"(\|\||&&|\?\?)=|\breplaceChildren\b|\.at\(-|\b(replaceAll|findLast|structuredClone|hasOwn)\("
    for name in ("table.js", "door.js"):
        assert not re.search(later, FILES[name].read_text(encoding="utf-8")), name
    styles = FILES["table.css"].read_text(encoding="utf-8")
    assert not re.search(r":is\(|:where\(|:not\([^)]*,|inset: 0;|\.screen [^}]*dvh", styles)
    assert "height: 100vh; height: 100dvh" in styles
    missing = re.findall(r"@supports not \((.*)\) \{ [.#]", styles)
    assert missing == ["grid-template-columns: subgrid", "color: color-mix(in srgb, red, red)"]


def test_only_so_many_browsers_are_remembered(tmp_path: Path) -> None:
    """The names of those that were not here for longest are forgotten."""
    for number in range(KEPT + 3):
        remember(tmp_path / f"{number:03}", "Gino")
        os.utime(tmp_path / f"{number:03}", (number, number))
    tidy(tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == [f"{number:03}" for number in range(3, KEPT + 3)]


def test_a_page_draws_every_form_of_an_item() -> None:
    """No type checker reads the page, so a new form is missed here."""
    page = FILES["table.js"].read_text(encoding="utf-8")
    forms = page.partition("const DRAW = {\n")[2].partition("\n};")[0]
    assert set(re.findall(r"^  (\w+): ", forms, re.MULTILINE)) == set(get_args(Draw))


@pytest.mark.parametrize(
    ("error", "match", "why"),
    [
        (GameError("The zone 'fan' can't be shown."), None, "The zone 'fan' can't be shown."),
        (ZeroDivisionError("no {fan}"), SimpleNamespace(rules=Nod), "ZeroDivisionError: no {fan}"),
        (ZeroDivisionError("ours"), None, "Something went wrong."),
    ],
)
def test_a_page_is_told_why_nothing_can_be_shown(
    error: Exception, match: object, why: str, tmp_path: Path
) -> None:
    """The seat leaves the table with a sentence, in place of a page that stands still; rules are named."""

    def state() -> object:
        raise error

    async def play() -> list[tuple[str, str]]:
        told: list[tuple[str, str]] = []
        page = SimpleNamespace(tell=lambda kind, why="": told.append((kind, why)), tab="")
        access = WebAccess(lambda: "Hanna", str, nobody_there, str)
        seat: Any = BrowserSeat(tmp_path / gate.seat_key("x"), "Ann", Translator("en"), access)
        seat._stay = asyncio.Event().wait
        seat._frontend = SimpleNamespace(state=state, session=SimpleNamespace(match=match))
        seat._take(page)
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        await asyncio.wait_for(seat._running, 10)
        return told

    ((kind, told),) = asyncio.run(play())
    assert kind == "over"
    assert why in told
    assert ("Error in the rules of nod" in told) is (match is not None)


def descriptors() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="this system doesn't list descriptors")
def test_half_open_connections_use_up_no_descriptors_and_keep_nobody_out() -> None:
    """Acceptance 1: of 1,100 at most 60 descriptors remain, and a phone's page comes within a second."""

    async def play() -> None:
        access = WebAccess(lambda: "Hanna", str, nobody_there, str)
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0), browser() as client:
            link = f"http://127.0.0.1:{table.port}/?s={table.token}"
            async with client.get(link) as page:
                assert page.status == 200
            loop, held, most = asyncio.get_running_loop(), list[socket.socket](), 0
            before = descriptors()
            for number in range(1100):
                stranger = socket.socket()
                held.append(stranger)
                stranger.setblocking(False)
                stranger.bind((f"127.0.1.{number % 20 + 1}", 0))
                with contextlib.suppress(OSError):
                    await asyncio.wait_for(loop.sock_connect(stranger, ("127.0.0.1", table.port)), 5)
                if number % 50 == 49:
                    most = max(most, descriptors() - before - len(held))
                    began = loop.time()
                    async with browser() as phone, phone.get(link) as page:
                        assert page.status == 200
                    assert loop.time() - began < 1
            assert most <= 60
            async with client.get(f"http://127.0.0.1:{table.port}/rules") as page:  # its token is known
                assert page.status == 403  # and that is all that it opens
            for stranger in held:
                stranger.close()

    asyncio.run(play())


def test_a_household_of_nine_has_one_address_and_no_browser_takes_it_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Eight phones and a television load their pages at once and stay; none has more than its share."""
    monkeypatch.setattr(door, "source", lambda _: "10.0.0.1")

    async def play() -> None:
        async with serving() as (table, at), contextlib.AsyncExitStack() as stack:
            family = [await stack.enter_async_context(browser()) for _ in range(9)]

            async def look(client: ClientSession) -> None:
                async with client.get(f"{at}/?s={table.token}") as page:
                    assert page.status == 200

            async def come(client: ClientSession) -> aiohttp.ClientWebSocketResponse:
                async with await sit(client, table, at) as page:
                    assert page.status == 200
                for answer in [
                    client.get(f"{at}/static/{name}") for name in FILES
                ]:  # each on its own connection
                    assert (await stack.enter_async_context(answer)).status == 200
                return await stack.enter_async_context(client.ws_connect(f"{at}/ws", headers={"Origin": at}))

            await asyncio.gather(*map(look, family))  # all think about their names
            pages = await asyncio.gather(*map(come, family))
            seat = gate.seat_key(next(iter(family[0].cookie_jar)).value)
            greedy = []
            for _ in range(2 * LIMITS[Entrance.SEATED].source):
                with contextlib.suppress(aiohttp.ClientError):
                    greedy.append(await family[0].ws_connect(f"{at}/ws", headers={"Origin": at}))
            assert table.door is not None
            assert list(table.door._seated._sources.values()).count(seat) == LIMITS[Entrance.SEATED].source
            for page in pages:
                await page.ping()
                assert (await page.receive_json(timeout=5))["type"] == "over"  # nobody is at this table
            async with browser() as late:
                await look(late)
            for one in greedy:
                await one.close()

    asyncio.run(play())


def test_who_shows_no_token_in_time_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that says nothing ends after its seconds; one that brought the link stays."""
    row = replace(LIMITS[Entrance.CONNECTIONS], proof=0.3)
    monkeypatch.setattr(door, "connections", lambda *_: row)

    async def play() -> None:
        access = WebAccess(lambda: "Hanna", str, nobody_there, str)
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0):
            silent, other = await asyncio.open_connection("127.0.0.1", table.port)
            invited, writer = await asyncio.open_connection("127.0.0.1", table.port)
            asked = f"GET /?s={table.token} HTTP/1.1\r\nHost: 127.0.0.1:{table.port}\r\n\r\n"
            writer.write(asked.encode())
            assert await invited.read(12) == b"HTTP/1.1 200"
            with contextlib.suppress(ConnectionError):
                assert await asyncio.wait_for(silent.read(), 5) == b""
            writer.write(asked.encode())
            await invited.readuntil(b"</html>")
            assert not invited.at_eof()
            for one in (other, writer):
                one.close()

    asyncio.run(play())


def test_a_cookie_of_broken_bytes_gets_the_door_and_no_error() -> None:
    """Acceptance 6: what isn't UTF-8 is simply not a token."""

    async def play() -> None:
        access = WebAccess(lambda: "Hanna", str, nobody_there, str)
        table = WebTable(access, lambda _: True)
        async with served(table, ["127.0.0.1"], None, 0):
            reader, writer = await asyncio.open_connection("127.0.0.1", table.port)
            name = f"tavolata-{table.port}=".encode()
            writer.write(b"GET / HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nCookie: " % table.port)
            writer.write(name + b"\xff\xfe\r\n\r\n")
            assert await reader.read(12) == b"HTTP/1.1 200"
            writer.close()

    asyncio.run(play())
