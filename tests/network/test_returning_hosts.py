"""A laptop with phones goes in mid-match, and comes back to a table that another one keeps meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import re
from typing import Any

import aiohttp

from .table import PATIENCE, Hall
from .test_browsers import Served, Visitor, lobby, visitor


async def televised(host: Served, session: aiohttp.ClientSession, **form: str) -> Visitor:
    """A television that the owner has let in, or whoever else knocks with such a form."""
    said = form or {"screen": "yes"}
    async with session.post(f"{host.at}/knock", data=said, headers={"Origin": host.at}) as page:
        letters = re.findall(r'"letters">(\w+)<', await page.text())[0]
    host.tt.type(f"admit {letters}")
    async with asyncio.timeout(PATIENCE):
        while True:
            async with session.get(f"{host.at}/knock") as page:
                if page.url.path == "/":
                    break
            await asyncio.sleep(0.2)
    screen = Visitor(host, session)
    await screen.look()
    return screen


async def returned(page: Visitor) -> dict[str, Any]:
    """What a page that has stayed open is told, once its laptop is there again."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with contextlib.suppress(aiohttp.ClientError):
                await page.look()
                return await page.until(lambda said: said.get("scene", {}).get("phase") == "play")
            await asyncio.sleep(0.2)


def test_whoever_steps_away_brings_phones_and_television_back(hall: Hall) -> None:
    """Ctrl+C at the host, `tt resume`: its phones wish and sit as before, in the next match, too."""

    async def scene() -> None:
        host = Served(hall, "--seats", "4")
        hall.port = int(host.tt.words[host.tt.words.index("--port") + 1])
        ann = hall.join(typed=True)
        async with (
            visitor(host, "Gino") as gino,
            visitor(host, "Nora") as nora,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as session,
        ):
            await gino.until(lambda said: len(lobby(said).get("taken", [])) == 4)
            screen = await televised(host, session)
            ann.expect("The big screen is watching")
            host.tt.type("start")
            pages = (gino, nora, screen)
            for one in pages:
                await one.until(lambda said: said.get("scene", {}).get("phase") == "play")
            host.tt.interrupt()
            for one in pages:
                told = await one.until(lambda said: said["type"] == "over" and said.get("farewell"))
                assert told["farewell"]["command"] == "tt resume"
            assert host.tt.done() == 130
            assert "`tt resume` brings you back to your seat." in host.tt.errors
            ann.expect("Ann is the host now")

            host.tt = hall.run("-v", "resume", home="host", typed=True, TT_LANG="en")
            ann.expect("Host is back")
            for one in pages:
                await returned(one)
            assert screen.state["screen"]
            await gino.act(do="stop")
            ann.expect("Gino would like to stop for today")
            for laptop in (host.tt, ann):
                laptop.type("end")
            for one in pages:
                await one.until(lambda said: said.get("scene", {}).get("phase") == "end")
            seats = [one["name"] for one in lobby(gino.state)["taken"]]
            assert sorted(seats) == ["Ann", "Gino", "Host", "Nora"]
            assert all(lobby(one.state)["seated"] for one in (gino, nora))
            ann.type("start")
            for one in pages:
                await one.until(lambda said: said.get("scene", {}).get("phase") == "play")
        for laptop in (host.tt, ann):
            laptop.kill()

    asyncio.run(scene())


def test_at_a_private_table_a_yes_outlives_the_program(hall: Hall) -> None:
    """The room's acceptance 16: link, knock, the owner's yes, a seat; after `kill -9` nobody is asked again.

    Who wanted only to watch still does.
    """

    async def scene() -> None:
        host = Served(hall, "--code", "--seats", "3", "--bots", "1", "--start", "full", game="horse-fever")
        link = host.link.partition("=")[2]
        async with (
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as first,
            aiohttp.ClientSession(cookie_jar=aiohttp.CookieJar(unsafe=True)) as second,
        ):
            zoe = await televised(host, first, seat=link, name="Zoe", watch="yes")
            await zoe.until(lambda said: "Zoe" in lobby(said).get("watchers", []))
            anna = await televised(host, second, seat=link, name="Anna")
            for one in (zoe, anna):
                await one.until(lambda said: said.get("scene", {}).get("phase") == "play")
                assert one.state["watch"] is (one is zoe)
            host.tt.kill()
            host.tt = hall.run("-v", "resume", home="host", typed=True, TT_LANG="en")
            for one in (zoe, anna):
                assert one.socket is not None
                await one.socket.close()
                await returned(one)
                assert one.state["watch"] is (one is zoe)
            assert not host.tt.has("knocking")
        host.tt.kill()

    asyncio.run(scene())
