"""What people may do unasked."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.ui.tui.playing import screen, session


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def test_what_may_be_done_at_any_time_is_a_list() -> None:
    """`d` offers what the game allows now, and does what is chosen; where there is nothing it says so."""

    async def play() -> None:
        at = session("zompa", 3, pace=0, talk="offer", fiches=1)
        async with screen(at, (100, 40)) as played:
            await played.asked()
            await played.press("d")
            assert "nothing that you could do out of turn" in played.text()
            for _ in range(400):
                await played.asked()
                if played.app.offers.standing() or played.app.model.ended:
                    break
                await played.press("enter")
            if played.app.offers.standing():
                what = played.app.offers.standing()[0][0]
                await played.press("d")
                await played.pilot.pause()
                assert what in played.text()
                before = len(at.match.events)
                await played.press("1", "enter")
                await played.until(lambda: len(at.match.events) > before)

    asyncio.run(play())
