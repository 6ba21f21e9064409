"""A match that is resumed looks as it was left: story, charts, verdicts and marks are there again."""

from __future__ import annotations

import asyncio
import random
import re

import pytest
from tests.core.ui.scene.moments import GAMES, answer
from tests.core.ui.tui.playing import Played, screen, session

from tavolata._engine.match.header import Header
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review.replay import Replay
from tavolata._engine.sessions.local import LocalSession
from tavolata._engine.storage.match_file import read

LINK = re.compile(r"\d+:\d\d|\d+ s\b")
"""Clocks."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


async def answered(played: Played, times: int, chance: random.Random) -> None:
    """Answer so many questions by lot."""
    model = played.app.model
    for _ in range(times):
        await played.asked()
        if model.ended is not None:
            return
        if model.asks:
            answer(model, chance, send=played.app.sent)
        else:
            await played.press("enter")
    await played.asked()
    await played.pilot.pause()
    played.app.draw()
    await played.pilot.pause()


def resumed(left: LocalSession) -> tuple[LocalSession, Replay]:
    """Another session of the match that is in the file."""
    assert left.match_file is not None
    kept = read(left.match_file)
    catalogue = Catalogue()
    loaded, bots = catalogue.game(left.game), catalogue.bots(left.game)
    header = Header.of(kept.header)
    seated = [None if level is None else bots[level]() for level in header.bots]
    again = LocalSession(header, loaded.game, loaded.info.package, seated, think=0.0, kept=kept)
    return again, Replay(kept, header, loaded.game)


@pytest.mark.battery
@pytest.mark.parametrize("questions", [2, pytest.param(9, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
@pytest.mark.parametrize("game", [game for game in GAMES if game != "bang"])
def test_stage_check_2_the_frame_after_resuming_is_the_one_before(
    game: str, size: tuple[int, int], questions: int
) -> None:
    """A person leaves in the middle of a match; but for clocks, every cell is as it was."""

    async def play() -> None:
        at = session(game, 4, seed=3)
        async with screen(at, size) as played:
            await answered(played, questions, random.Random(questions))
            before = LINK.sub("", played.text())
        again, replay = resumed(at)
        async with screen(again, size, past=lambda: replay) as played:
            await played.asked()
            await played.pilot.pause()
            assert LINK.sub("", played.text()) == before

    asyncio.run(play())
