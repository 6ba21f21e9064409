"""The table screen while hands are quick: the card is drawn, and then nothing but the decision changes."""

from __future__ import annotations

import asyncio

import pytest
from tests.core.ui.tui.playing import Played, screen, session

from tavolata._engine.match.updates import EMOTES, Said
from tavolata._text import Verbatim


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def outside(played: Played) -> list[str]:
    """The rows of the screen without the decision."""
    plan = played.app.plan()
    assert plan is not None
    rows = ["".join(text for text, _ in row) for row in played.app.sheet("table").block.lines]
    low, high = plan.decision.y, plan.decision.y + plan.decision.height
    return [row for y, row in enumerate(rows) if not low <= y < high]


def test_a_key_that_bangs_for_somebody_is_told_as_no_command_in_a_window() -> None:
    """The second of two at one keyboard bangs with the letter of the log, which comes back afterwards."""

    async def play() -> None:
        async with screen(session("bang", 3, humans=2, seed=5), (80, 24), pace=0.2) as played:
            app, model = played.app, played.app.model
            await played.until(lambda: model.window)
            await played.pilot.pause()
            theirs = [name for name in app.keymap if app.keymap[name].partition(",")[0] in app.hands.own()]
            assert "log" in theirs
            assert not set(theirs) & set(app.keys_now())
            model.window = None
            assert "log" in app.keys_now()

    asyncio.run(play())


def test_a_bang_is_on_view_as_soon_as_it_is_judged() -> None:
    """What it has led to is told at the pace of the screen, and the table doesn't stand still meanwhile."""

    async def play() -> None:
        async with screen(session("bang", 3, seed=6, pace=0, think=300), (80, 24), pace=0.2) as played:
            app, model = played.app, played.app.model
            await played.until("Lay a card")
            await played.pilot.pause(0.3)
            await played.press("enter")
            await played.until(lambda: model.window)
            await played.pilot.pause()
            app.director.pace = 60.0
            await played.press("b")
            await played.until("Ann bangs after")
            assert model.window is None
            assert "under the pile" not in played.text()  # that is the next moment

    asyncio.run(play())


def test_a_hint_promises_no_key_that_bangs() -> None:
    """In a window the space bar is a bang, so the title of the hint does not offer it."""

    async def play() -> None:
        async with screen(session("bang", 3, seed=5), (80, 24), pace=0.2) as played:
            app, model = played.app, played.app.model
            await played.until(lambda: model.window)
            model.hints.append("Look at the pile all the time.")
            app.hands.clear_table()  # so that the hint is on the first frame of this window
            app.draw()
            await played.pilot.pause()
            assert "Look at the pile" in played.text()
            assert "Got it" not in played.text()
            model.window = None
            app.draw()
            await played.pilot.pause()
            assert "Got it" in played.text()

    asyncio.run(play())


def test_a_key_that_comes_a_little_too_late_is_no_command() -> None:
    """Whoever bangs when another hand was first opens no log and skips nothing; a moment later keys do."""

    async def play() -> None:
        async with screen(session("bang", 3, humans=2, seed=5), (80, 24), pace=0.2) as played:
            app, model = played.app, played.app.model
            await played.until(lambda: model.window)
            app.draw()
            app.hands.close()
            model.window = None
            app.draw()
            usual, now = app.keyboard.clock, app.keyboard.clock()
            app.keyboard.clock = lambda: now  # a busy machine would take its time
            for _ in range(3):
                await played.pilot.press("l")
                assert app.pages.view != "log"
            app.keyboard.clock = usual
            await played.press("l")
            assert app.pages.view == "log"

    asyncio.run(play())


@pytest.mark.battery
def test_that_it_was_too_late_is_said_of_one_card_only() -> None:
    """The next card takes the words away, which stood for many cards."""

    async def play() -> None:
        async with screen(session("bang", 3, humans=2, seed=5, hurry=2000), (80, 24), pace=0.2) as played:
            app, model = played.app, played.app.model
            await played.until(lambda: model.window and model.owes)
            await played.pilot.pause()
            assert model.window is not None
            assert model.window.window.go is not None
            await played.press("enter", "al"[model.window.window.go])
            await played.until("It's too late for that.")
            await played.until(lambda: app.prompt.trouble == "")

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_check_12_nothing_moves_while_hands_are_quick(size: tuple[int, int]) -> None:
    """From a window's first frame to its end no cell outside the decision changes, whatever is said."""

    async def play() -> None:
        async with screen(session("bang", 4, seed=5), size, pace=0.2) as played:
            app, model, windows = played.app, played.app.model, 0
            while windows < 3:
                await played.until(lambda: model.window)
                await played.pilot.pause()
                window, first = model.window, outside(played)
                assert model.marks == ()
                assert "−" not in "".join(first)
                app.director.add(Said(Verbatim("Berto"), Verbatim(next(iter(EMOTES.values()))), (), False))
                app.director.add(Said(Verbatim("Carla"), Verbatim(f"Words {windows}"), (), False))
                for _ in range(4):
                    await played.pilot.pause(0.03)
                    app.draw()
                    if model.window is not window:
                        break
                    assert outside(played) == first
                windows += 1
                if model.owes:
                    await played.press("enter")
                await played.until(lambda was=window: model.window is not was)  # type: ignore[misc]  # this one
            assert any("Words 0" in note.text for note in model.notes)

    asyncio.run(play())
