"""What stands around the table, and in place of a question."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.ui.tui.playing import screen, session


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


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
