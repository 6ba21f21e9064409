"""The games of Tavolata Classics at real tables, dealt by all machines together and verified afterwards."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest

from .chromium import PROGRAM, chromium
from .table import Hall, agree
from .tapping import play
from .test_browsers import CHECK, Served

ROOT = Path(__file__).parents[2]

SEATS = {
    "briscola": 2, "cheat": 3, "cucu": 3, "draughts": 2, "fictionary": 3, "liars": 2, "mercante": 3,
    "scala40": 2, "scopa": 2, "settemezzo": 2, "tombola": 2, "tressette": 4,
}  # fmt: skip
SHORT = {
    "briscola": "wins=1", "cucu": "lives=1", "fictionary": "rounds=1", "liars": "dice=2",
    "mercante": "fairs=no", "scala40": "points=51", "settemezzo": "hands=2", "tressette": "points=11",
}  # fmt: skip
"""House rules that make a match short."""
QUICK = "cucu"
"""The game that is played on a phone in the usual run."""
PATIENCE = 8 * 60.0
"""Seconds for a whole match, and for verifying it: many cards are dealt by all machines."""


@pytest.fixture(scope="session")
def classics(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the package is installed, as pip does it for one that is edited."""
    site = tmp_path_factory.mktemp("classics")
    (site / "tavolata_classics").symlink_to(ROOT / "plugins" / "classics" / "tavolata_classics")
    info = site / "tavolata_classics-0.1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tavolata-classics\nVersion: 0.1.0\n")
    (info / "entry_points.txt").write_text("[tavolata]\nclassics = tavolata_classics\n")
    return site


@pytest.mark.long
@pytest.mark.parametrize("game", SEATS)
def test_a_table_of_it_deals_together_and_its_match_is_verified(
    game: str, tmp_path: Path, classics: Path
) -> None:
    """Each machine has the same end, and `tt verify` finds nothing wrong at any of them."""
    hall = Hall(tmp_path, (classics,))
    rules = ["--option", SHORT[game]] if game in SHORT else []
    teams = ["--teams", "2"] if game == "tressette" else []
    seats = SEATS[game]
    bot = ("--bot", "normal")
    try:
        host = hall.host(game, "--seats", str(seats), "--start", "full", *bot, *rules, *teams)
        players = [host, *(hall.join(*bot) for _ in range(seats - 1))]
        for one in players:
            assert one.done(PATIENCE) == 0, one.story()
        agree(*players)
        for one in players:
            verified = hall.run("verify", home=one.home.name)
            assert verified.done(PATIENCE) == 0, verified.story()
    finally:
        hall.close()


@pytest.mark.skipif(PROGRAM is None, reason="Debian's chromium is not installed here")
@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == QUICK else pytest.mark.long) for game in SEATS]
)
def test_a_whole_match_is_played_on_a_phone(game: str, tmp_path: Path, classics: Path) -> None:
    """From the link to the order of all at the end, by taps; the page fits at every question."""
    hall, wrong = Hall(tmp_path, (classics,)), list[str]()
    rules = ["--option", SHORT[game]] if game in SHORT else []
    teams = ["--teams", "2"] if game == "tressette" else []
    seats = max(SEATS[game], 4 if game != "draughts" else 2)

    async def scene() -> None:
        bots = ("--bots", str(seats - 2), "--bot", "normal")
        host = Served(hall, "--seats", str(seats), *bots, "--start", "full", *rules, *teams, game=game)
        async with chromium(tmp_path / "browser") as page, asyncio.timeout(900):
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.holds("state")
            for _ in range(3):
                await page.ask("send('pace', {by: 1})")

            async def look(now: dict[str, Any]) -> None:
                wrong.extend(f"{now.get('text')}: {one}" for one in await page.ask(CHECK))
                wrong.extend(line for line in (await page.words()).splitlines() if "undefined" in line)

            asked = await play(page, look, random.Random(1))
            await page.holds(f"document.querySelectorAll('.podium li').length == {seats}")
            assert page.complaints == []
        assert asked  # with one life, whoever is out after the first hand was asked once

    try:
        asyncio.run(scene())
    finally:
        hall.close()
    assert wrong == []
