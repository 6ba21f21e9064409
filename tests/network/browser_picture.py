"""Makes the picture of a telephone for docs/screen.md: a real match in a real Chromium.

python -m tests.network.browser_picture
"""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

from .chromium import chromium
from .table import Hall
from .test_browsers import Served

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"


async def main(game: str, file: Path, *, light: bool = False, width: int = 412, height: int = 780) -> None:
    """Play a little on a telephone, then keep what it shows.

    Args:
        game: what is played.
        file: where the picture goes.
        light: whether the telephone is set to light colours.
        width: its pixels across, as pages count them; from 800 on it is a laptop.
        height: its pixels down.
    """
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        phone = width < 800
        try:
            host = Served(hall, "--seats", "4", "--bots", "2", game=game)
            async with chromium(Path(folder) / "chromium", dense=phone) as page:
                await page.become(width, height, phone=phone, light=light)
                await page.open(host.link)
                await page.sit("Nora")
                await page.until("4 of 4")
                host.tt.expect("Nora sits down")
                host.tt.type("start")
                await page.until(r"turn \d+")
                await asyncio.sleep(6)
                await page.picture(file)
        finally:
            hall.close()


if __name__ == "__main__":
    asyncio.run(main("horse-fever", PICTURES / "telephone.png"))
