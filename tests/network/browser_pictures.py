"""Makes the pictures of telephones and of the big screen for the docs: real matches in a real Chromium.

python -m tests.network.browser_pictures [NAME...]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from .chromium import Page, chromium
from .table import Hall
from .test_browsers import Served, answer, visitor

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
GAMES = {"bang": 25, "conto": 6, "horse-fever": 12, "jumpy-jack": 20, "zompa": 8}
"""For each game, the seconds of play before its picture."""
LONGEST = 400.0
"""Seconds that a match for the picture of its end may take."""


async def phone(game: str, file: Path, *, light: bool = False, size: tuple[int, int] = (390, 844)) -> None:
    """Play a little on a telephone, then keep what it shows with the next question.

    Args:
        game: what is played.
        file: where the picture goes.
        light: whether the telephone is set to light colours.
        size: its pixels, as pages count them; from 900 across on it is a laptop.
    """
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        try:
            words = ("--seats", "4", "--bots", "2", "--bot", "easy", "--start", "full")
            host = Served(hall, *words, game=game)
            async with chromium(Path(folder) / "chromium", dense=False) as page:
                await page.become(*size, phone=size[0] < 900, light=light)
                await page.open(host.link)
                await page.sit("Nora")
                await page.holds("state")
                until = time.monotonic() + GAMES[game]
                while time.monotonic() < until or not await _is_asked(page):
                    if time.monotonic() < until:
                        await answer(page)
                    await asyncio.sleep(0.1)
                await asyncio.sleep(0.4)
                await page.picture(file)
        finally:
            hall.close()


async def evening(folder: Path) -> None:
    """Keep a lobby and an end on a telephone, and a match on the big screen."""
    with tempfile.TemporaryDirectory() as place:
        hall = Hall(Path(place))
        try:
            host = Served(hall, "--seats", "4", "--bots", "1", game="conto")
            async with chromium(Path(place) / "phone") as page, visitor(host, "Leo"):
                await page.become(390, 844, phone=True)
                await page.open(host.link)
                await page.sit("Nora")
                await page.holds("state && state.lobby && state.lobby.taken.length == 4")
                await page.ask("send('look', {hue: 6, mark: 7})")
                await page.holds("document.querySelector('.seats .hue6')")
                await page.picture(folder / "phone-lobby.webp")
        finally:
            hall.close()
        hall = Hall(Path(place))
        try:
            words = ("--seats", "4", "--bots", "2", "--start", "full", "--option", "hands=2")
            host = Served(hall, *words, game="conto")
            async with chromium(Path(place) / "one") as page, chromium(Path(place) / "two") as screen:
                await page.become(390, 844, phone=True)
                await screen.become(1280, 720)
                await page.open(host.link)
                await page.sit("Nora")
                await host.let_in(screen)
                await screen.holds("state && state.scene.phase == 'play'")
                began, kept = time.monotonic(), False
                while await page.ask("document.body.dataset.phase") != "end":
                    await answer(page)
                    host.tt.type("1")  # the first choice, whatever is asked
                    if not kept and time.monotonic() - began > 15 and await _is_asked(page):
                        kept = True
                        await screen.picture(folder / "big-screen.webp")
                        await page.ask("[1, 1, 1].forEach((by) => send('pace', {by}))")
                    assert time.monotonic() - began < LONGEST
                    await asyncio.sleep(0.1)
                await page.holds("document.querySelectorAll('.podium li').length == 4")
                await asyncio.sleep(0.5)
                await page.picture(folder / "phone-end.webp")
        finally:
            hall.close()


async def _is_asked(page: Page) -> bool:
    """Whether there is something to do, and the story has been told."""
    return bool(
        await page.ask(
            "state && !state.waits && (state.question || state.window && state.window.acts.length)"
        )
    )


if __name__ == "__main__":
    for one in sys.argv[1:] or [*GAMES, "evening"]:
        asyncio.run(evening(PICTURES) if one == "evening" else phone(one, PICTURES / f"phone-{one}.webp"))
