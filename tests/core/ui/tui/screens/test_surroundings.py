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


def test_what_has_no_room_in_a_line_of_the_story_is_told_whole_below() -> None:
    """At 80x24 a long sentence, and each of several, stands where nothing is to be decided."""

    async def play() -> None:
        long = "A sentence with so many words that the line of the story has no room for all of them at once."
        async with screen(session("zompa", 3, pace=0)) as played:
            app = played.app
            await played.until(lambda: app.model.match is not None and app.plan() is not None)
            assert app.surroundings.waiting(app.plan(), ["Short."], [])[1] != "Short."
            for told in ([long], ["One.", "Two."]):
                assert app.surroundings.waiting(app.plan(), told, [])[1] == "\n".join(told)

    asyncio.run(play())
