"""Makes the pictures of telephones for the docs: real matches in a real Chromium.

python -m tests.network.browser_pictures [GAME...]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from pathlib import Path

from .chromium import Page, chromium
from .table import Hall
from .test_browsers import Served, answer

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
GAMES = {"bang": 25, "conto": 6, "horse-fever": 12, "jumpy-jack": 20, "zompa": 20}
"""For each game, the seconds of play before its picture."""


async def main(game: str, file: Path, *, light: bool = False, width: int = 390, height: int = 844) -> None:
    """Play a little on a telephone, then keep what it shows with the next question.

    Args:
        game: what is played.
        file: where the picture goes.
        light: whether the telephone is set to light colours.
        width: its pixels across, as pages count them; from 900 on it is a laptop.
        height: its pixels down.
    """
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        try:
            words = ("--seats", "4", "--bots", "2", "--bot", "easy", "--start", "full")
            host = Served(hall, *words, game=game)
            async with chromium(Path(folder) / "chromium", dense=False) as page:
                await page.become(width, height, phone=width < 900, light=light)
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


async def _is_asked(page: Page) -> bool:
    """Whether there is something to do, and the story has been told."""
    return bool(
        await page.ask(
            "state && !state.waits && (state.question || state.window && state.window.acts.length)"
        )
    )


if __name__ == "__main__":
    for one in sys.argv[1:] or GAMES:
        asyncio.run(main(one, PICTURES / f"phone-{one}.png"))
