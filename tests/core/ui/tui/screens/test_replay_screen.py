"""The screen of a replay: keys lead through the match, forward and back, with the eyes that may be had."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from tests.core.ui.tui.model.test_replay_model import played
from textual.pilot import Pilot

from tavolata._engine.match.header import Header
from tavolata._engine.plugins.catalogue import Catalogue
from tavolata._engine.review.replay import Replay
from tavolata._engine.storage.match_file import read
from tavolata._ui.i18n import Translator
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.tui.screens.frame import Left, Looks
from tavolata._ui.tui.screens.replay_app import ReplayApp


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def app_of(path: Path, lang: str = "en", *, ascii_only: bool = False) -> ReplayApp:
    """The screen of a file of Il Conto."""
    kept = read(path)
    loaded = Catalogue().game("conto")
    replay = Replay(kept, Header.of(kept.header), loaded.game)
    looks = Looks(pace=1.0, ascii=ascii_only)
    return ReplayApp(replay, Translator(lang), looks, title="Conto", package=loaded.info.package)


def text_of(app: ReplayApp) -> str:
    """All that stands on the screen."""
    strips = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in strips)


async def press(pilot: Pilot[Left], *keys: str) -> None:
    """Press keys, and wait until the screen has followed."""
    await pilot.press(*keys)
    await pilot.pause()


@pytest.mark.battery
def test_keys_lead_through_a_match() -> None:
    """Arrows, brackets, Home and End, a turn by its number, and Space, which stops at the next key."""
    _, path = played("conto")
    app = app_of(path)

    async def play() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await press(pilot, "right", "right", "left")
            assert app.model.at == 1
            await press(pilot, "right_square_bracket")
            assert app.model.at in [at for at, _ in app.model.peaks()]
            await press(pilot, "g", "4", "enter")
            assert app.model.turn == 4
            assert f"turn 4 of {app.model.turns}" in text_of(app)
            await press(pilot, "g", "9", "9", "9", "enter")
            assert f"from 1 to {app.model.turns}" in text_of(app)
            await press(pilot, "end")
            assert app.model.ended() is not None
            await press(pilot, "space")
            going, begun = app.model.playing, app.model.at
            assert (going, begun) == (True, 0)
            await press(pilot, "shift+right")
            assert not app.model.playing
            await press(pilot, "l")
            assert "orders" in text_of(app)

    asyncio.run(play())


@pytest.mark.battery
def test_a_replay_has_the_layout_of_its_match() -> None:
    """The call of Conto has the place that it has in the match: at 160x50 its cards are large."""
    _, path = played("conto")
    app = app_of(path)

    async def play() -> None:
        async with app.run_test(size=(160, 50)) as pilot:
            await press(pilot, "g", "4", "enter")
            rows = text_of(app).splitlines()
            assert next(row for row in rows if "On the table" in row).index("│players") == 113
            cards = next(row for row in rows if row.count("╭") >= 2 or row.count("╔") >= 2)
            assert max(cards.rfind("╮"), cards.rfind("╗")) >= 70

    asyncio.run(play())


@pytest.mark.battery
def test_eyes_are_chosen_by_a_digit() -> None:
    """A digit shows a seat's hand, o all hands, 0 what everybody saw; the first line says which."""
    _, path = played("conto")
    app = app_of(path, "it", ascii_only=True)

    async def play() -> None:
        async with app.run_test(size=(120, 36)) as pilot:
            await press(pilot, "2", "right", "right")
            assert "vista di Berto" in text_of(app)
            assert [item.id for item in app.model.scene(Viewpoint("it", "", ())).yours] == ["hand.1"]
            await press(pilot, "o")
            assert "tutte le mani scoperte" in text_of(app)
            await press(pilot, "0")
            assert app.model.seat is None
            assert text_of(app).isascii()

    asyncio.run(play())
