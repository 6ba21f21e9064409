"""What people may do unasked."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata import one_of
from tavolata._ui.i18n import Translator
from tavolata._ui.standing import standing_here
from tavolata._ui.tui.model.prompt import nothing
from tavolata._ui.tui.model.table_model import TableModel
from tavolata._ui.words import Words


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.battery
def test_what_may_be_done_at_any_time_is_a_list() -> None:
    """`d` offers what the game allows now, and does what is chosen; where there is nothing it says so."""

    async def play() -> None:
        at = session("zompa", 3, pace=0, talk="offer", fiches=1)
        async with screen(at, (100, 40)) as played:
            await played.asked()
            await played.press("d")
            assert "nothing you can do out of turn" in played.text()
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


@pytest.mark.battery
def test_several_people_at_one_keyboard_may_do_it_too_where_nothing_is_secret() -> None:
    """Each row says whose it is; the dead of Zompa could speak to nobody, and nobody could answer them."""

    async def play() -> None:
        at = session("zompa", 3, humans=2, pace=0, talk="offer", fiches=1, think=0.01)
        async with screen(at, (100, 40)) as played:
            offers, model = played.app.offers, played.app.model
            for _ in range(400):
                await played.until(lambda: model.asks or model.ended or offers.standing())
                if model.ended or offers.standing():
                    break
                await played.press("enter")
            what = offers.standing()[0][0]
            assert what.startswith(("Ann: Speak to", "Berto: Speak to", "Ann: Answer", "Berto: Answer"))
            await played.press("d")
            await played.pilot.pause()
            assert what in played.text()

    asyncio.run(play())


def menu_of(model: TableModel) -> list[object]:
    """The rows of the open question; none without one."""
    return [] if model.own is None else list(model.own.labels)


def test_an_open_menu_closes_once_nothing_in_it_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until then each row keeps its number, so that nobody does what they didn't point at."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), (100, 40)) as played:
            await played.asked()
            offers, model = played.app.offers, played.app.model
            rows = [(name, nothing) for name in ("first", "second", "third")]
            monkeypatch.setattr(offers, "standing", lambda: list(rows))
            await played.press("d", "down")
            there = ["first", "second", "third", "nothing"]
            assert menu_of(model) == there
            rows[:] = [rows[2], ("other", nothing)]
            played.app.draw()
            assert menu_of(model) == there
            del rows[0]
            played.app.draw()
            assert menu_of(model) == []

    asyncio.run(play())


def test_what_would_tell_a_secret_is_not_offered_while_several_look() -> None:
    """A seat that knows more than all do has its rows only while nobody else looks."""
    words = Words(Translator("en"), "", ("Ann", "Bob"))
    alike = SimpleNamespace(
        over=False, labels=lambda: {"cry": "Cry {value}"}, standing=lambda seat: {"cry": one_of(["now"])},
        view=lambda seat: SimpleNamespace(zones=lambda: {"hand": seat if seat == 1 else "closed"}, names=()),
    )  # fmt: skip
    match: Any = alike
    assert [row.label for row in standing_here(match, (0, 1), None, words)] == ["Ann: Cry now"]
    assert [row.label for row in standing_here(match, (0, 1), 1, words)] == ["Cry now"]
    assert standing_here(match, (), None, words) == []
