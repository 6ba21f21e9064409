"""What stands around the table, and in place of a question."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata.asks import Ask
from tavolata.ring import SEATS


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def test_who_waits_at_a_large_screen_reads_what_others_do() -> None:
    """Every open question of another is told, and then the newest sentences; `?` has the keys."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), size=(160, 50)) as played:
            app = played.app
            await played.until(lambda: app.model.match is not None and app.plan() is not None)
            told_of: dict[str, Any] = {"others": "{seat} thinks.", "params": {}, "seconds": None}
            asks = [SimpleNamespace(seat=SEATS[at], **told_of) for at in (1, 2)]
            app.model.others = cast("list[Ask]", asks)
            title, told = app.surroundings.waiting(app.plan(), ["Short."], [])
            assert title == "watching"
            names = app.model.session.names
            assert told.split("\n") == [
                f"{names[1]} thinks.", f"{names[2]} thinks.", "Short.",
            ]  # fmt: skip

    asyncio.run(play())


def test_a_sentence_stands_once_below_a_small_board() -> None:
    """At 80x24 nothing of the story is in the sentence for who waits: the frame has it, the newest first."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0)) as played:
            app = played.app
            await played.until(lambda: app.model.match is not None and app.plan() is not None)
            idle = app.surroundings.waiting(app.plan(), [], [])[1]
            for told in (["Short."], ["One.", "Two."]):
                assert app.surroundings.waiting(app.plan(), told, [])[1] == idle

    asyncio.run(play())
