"""A match that is shown again on a page: its moments, forward and back."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.core.ui.scene.moments import seat
from tests.core.web.test_frontend import play

from tavolata._engine.match.header import Header
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.match_file import StoreError, match_files, read
from tavolata._ui.i18n import Translator
from tavolata._web.frontend import BrowserFrontend
from tavolata._web.replay import BrowserReplay


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def played() -> tuple[Any, Replay]:
    """A whole match of a person and bots, and its file."""
    whole = seat("zompa", 3)
    play(whole, lambda *_: None, 200)
    kept = read(match_files()[0])
    return whole, Replay(kept, Header.of(kept.header), type(whole.match.game))


def test_a_page_goes_through_the_moments_of_a_match() -> None:
    """It begins by itself; slider, great moments, pause and stop do what they say, and junk does nothing."""
    whole, file = played()

    async def look() -> None:
        opened = asyncio.Event()
        frontend = BrowserFrontend(
            whole, Translator("en"), lambda: "Zompa", str, opened.set, lambda: True, lambda: file
        )
        frontend._begin_again()
        again = frontend._again
        assert again is not None
        await opened.wait()
        model = again.model
        assert model is not None
        assert model.playing
        frontend.hear({"do": "again", "what": "go", "n": 5})
        state = frontend.state()
        assert (model.at, model.playing) == (5, False)
        assert state["scene"]["decision"]["timeline"]["at"] == 5
        assert state["talk"]["to"] == list(whole.names[1:])
        frontend.hear({"do": "again", "what": "peak", "n": 1})
        assert model.at in [*(at for at, _ in model.peaks()), model.last]
        for junk in ({}, {"what": "go"}, {"what": "go", "n": "x"}, {"what": ["y"]}, {"n": 1 << 70}):
            frontend.hear({"do": "again", **junk})
        frontend.hear({"do": "again", "what": "go", "n": 1 << 70})
        assert model.at == model.last
        frontend.hear({"do": "again", "what": "play"})
        assert (model.at, model.playing) == (0, True)
        frontend.hear({"do": "again", "what": "stop"})
        assert "timeline" not in frontend.state()["scene"]["decision"]

    asyncio.run(look())


def test_a_match_is_watched_once_however_often_it_is_asked_for() -> None:
    """A second tap, while the file is read, stops what the first began; the seat's end stops the second."""
    _, file = played()

    async def look() -> None:
        frontend = BrowserFrontend(
            seat("zompa", 3), Translator("en"), lambda: "Zompa", str, str, lambda: True, lambda: file
        )
        running = asyncio.create_task(frontend.run())
        for _ in range(10):
            await asyncio.sleep(0)
        frontend._begin_again()
        first = frontend._again
        frontend._begin_again()
        second = frontend._again
        assert first is not None
        assert second is not None
        await asyncio.wait([first._task], timeout=5)
        assert first._task.cancelled()
        assert not second._task.done()
        running.cancel()
        await asyncio.wait([running, second._task], timeout=5)
        assert second._task.cancelled()

    asyncio.run(look())


def test_a_match_whose_file_is_gone_is_not_shown_again() -> None:
    """The end stays on view, and one sentence says why."""

    def gone() -> Replay:
        raise StoreError("There is no such file.")

    async def look() -> None:
        told: list[str] = []
        again = BrowserReplay(
            gone, Translator("en"), "tavolata_zompa", None, lambda: None, lambda why: told.append(why.message)
        )
        await again._task
        again.do({"what": "play"})
        assert (again.model, told) == (None, ["There is no such file."])

    asyncio.run(look())
