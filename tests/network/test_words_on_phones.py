"""Grids of words on a phone: words in wide cells, otherwise signs and a legend."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.core.ui.scene.moments import UNDECLARED, seat
from tests.core.ui.scene.test_words_on_grids import LONG_WORDS, Clues
from tests.core.web.test_frontend import play

from .chromium import chromium
from .table import Hall
from .test_browsers import Served, needs_chromium, told

CELLS = """[...document.querySelectorAll('#board .cell:not(.head)')].map((one) =>
  [one.innerText, one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1])"""
LEGEND = "[...document.querySelectorAll('#board .rows span')].map((one) => one.innerText)"


def state_of(game: type[Clues], monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What a page is told at the question of such a game."""
    monkeypatch.setitem(UNDECLARED, "clues", game)
    found: list[dict[str, Any]] = []
    play(seat("clues", 2), lambda _, state: found.append(state), most=1)
    return next(one for one in found if one["scene"]["decision"].get("options"))


class Wide(Clues):
    """As many words in more columns than a phone has room for."""

    size, words = (3, 8), LONG_WORDS[:24]


class Bare(Clues):
    """Nothing is beside the grid."""

    listed = 0


class BareWide(Wide):
    """Nothing is beside the grid."""

    listed = 0


@needs_chromium
def test_words_are_read_on_a_phone(hall: Hall, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No word is cut in its cell on the smallest phone; eight columns have signs, each in the legend."""
    bare, wide = (told(state_of(game, monkeypatch)) for game in (Bare, BareWide))

    async def scene() -> None:
        host = Served(hall, "--seats", "2", "--bot", "easy", "--start", "full", game="jumpy-jack")
        async with chromium(tmp_path / "chromium") as page:
            await page.become(390, 844, phone=True)
            await page.open(host.link)
            await page.sit("Gino")
            await page.holds("state && state.scene.phase == 'play'")
            for size in ((360, 640), (390, 664), (390, 844)):
                await page.become(*size, phone=True)
                cells = await page.ask(f"({bare}, {CELLS})")
                assert [text for text, _ in cells] == LONG_WORDS, size
                assert [text for text, is_cut in cells if is_cut] == [], size
                signs, legend = await page.ask(f"({wide}, [{CELLS}, {LEGEND}])")
                assert len({text for text, _ in signs}) == 24
                assert [text for text, is_cut in signs if is_cut] == [], size
                named = {row.partition(" ")[2] for row in legend} | {text for text, _ in signs}
                assert [word for word in BareWide.words if word not in named] == [], size
        host.tt.interrupt()

    asyncio.run(scene())
