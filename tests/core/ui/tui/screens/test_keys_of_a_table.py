"""The keys of a table: each does what the screen said when it was pressed, and nothing else."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from tests.core.ui.tui.playing import Played, screen, session
from tests.core.ui.virtual_time import run

from tavolata._engine.sessions.guided import Guided
from tavolata._ui.tui.input.keyboard import Button
from tavolata._ui.tui.input.trigger import GRACE
from tavolata.asks import Ask

GAMES = ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"]


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def cells(played: Played) -> list[str]:
    """The rows of the table as they're drawn."""
    return ["".join(text for text, _ in row) for row in played.app.sheet("table").block.lines]


@pytest.mark.battery
@pytest.mark.parametrize("spaces", [400, pytest.param(10_000, marks=pytest.mark.long)])
def test_stage_check_10_space_reacts_in_open_windows_alone(spaces: int) -> None:
    """Spaces at random times: each reaction lies in an open window; no hint and no moment is passed."""
    chance, pressed, reacted = random.Random(4), 0, 0

    async def play(seed: int) -> None:
        nonlocal pressed, reacted
        async with screen(Guided(session("bang", 3, seed=seed, think=0.3)), pace=0.3) as played:
            app, model = played.app, played.app.model
            react = model.session.react

            def noted(window: int, seat: int, answer: Any, milliseconds: int) -> None:
                nonlocal reacted
                assert model.window is not None
                assert model.window.window.id == window
                assert milliseconds >= 0
                react(window, seat, answer, milliseconds)
                reacted += 1

            model.session.react = noted  # type: ignore[method-assign]  # the same, with a note
            app.director.step = pytest.fail  # type: ignore[method-assign]  # no key here goes on
            app.director.go_on = pytest.fail  # type: ignore[method-assign]  # nor that one
            while pressed < spaces and model.ended is None:
                pressed += 1
                before = model.hint, model.folded, len(model.hints)
                await played.pilot.press("space")
                assert model.hints[before[2] :] or (model.hint, model.folded) in (before[:2], (0, False))
                await played.pilot.pause(chance.choice([0.0, 0.05, 0.2, 0.6]))
                if pressed % 20 == 0 and app.keyboard.button() is Button.LAY:
                    await played.press("enter")
                elif pressed % 50 == 0 and model.reads_hint:
                    model.folded = True
                    type(app.director).go_on(app.director)
            assert app.failure is None

    seed = 5
    while pressed < spaces:
        run(play(seed))
        seed += 1
    assert reacted


PRESSED = ["enter", "space", "tab", "up", "down", "left", "right", "backspace", *"123456789abglnorwx"]
"""Keys that answer, point, pass or show something; those that leave, talk and call out are left out."""


@pytest.mark.battery
@pytest.mark.battery
@pytest.mark.parametrize("presses", [300, pytest.param(10_000, marks=pytest.mark.long)])
@pytest.mark.parametrize("game", ["conto", "jumpy-jack"])
def test_stage_check_11_no_answer_comes_before_its_question_could_be_read(game: str, presses: int) -> None:
    """Keys by lot: nothing is answered within 400 ms of the first whole frame with its question."""
    chance, pressed, answers = random.Random(11), 0, 0

    async def play(seed: int) -> None:
        nonlocal pressed, answers
        async with screen(session(game, 3, seed=seed), pace=0.05) as played:
            app, model = played.app, played.app.model
            drawn: dict[int, float] = {}
            shows, answer = app.keyboard.shows, model.session.answer

            def shown() -> None:
                question = model.question()
                if question is not None and question.ask is not None:
                    drawn.setdefault(question.ask.id, app.keyboard.clock())
                shows()

            def noted(ask: Ask, given: Any) -> None:
                nonlocal answers
                answers += 1
                assert app.keyboard.clock() - drawn[ask.id] >= GRACE
                answer(ask, given)

            app.keyboard.shows = shown  # type: ignore[method-assign]  # the same, with a note
            model.session.answer = noted  # type: ignore[method-assign, assignment]  # the same, with a note
            while pressed < presses and model.ended is None:
                pressed += 1
                await played.pilot.press(chance.choice(PRESSED) if chance.random() < 0.6 else "enter")
                await played.pilot.pause(chance.choice([0.0, 0.0, 0.02, 0.1, 0.5]))
            assert app.failure is None

    seed = 5
    while pressed < presses:
        run(play(seed))
        seed += 1
    assert answers


@pytest.mark.battery
@pytest.mark.parametrize("game", GAMES)
def test_stage_check_13_pages_write_no_story_and_a_bare_escape_does_nothing(game: str) -> None:
    """`s`, `?`, `l` and `r` open pages that add no line and name no option; Esc closes them, then nothing."""

    async def play() -> None:
        think = 300.0 if game == "bang" else 0.0  # else windows follow one another meanwhile
        async with screen(session(game, 3, pace=0 if game == "zompa" else None, think=think)) as played:
            await played.asked()
            bare, story = cells(played), len(played.app.model.notes)
            for key in ("s", "question_mark", "l", "r"):
                await played.press(key)
                await played.pilot.pause()
                assert played.app.pages.view != "table"
                assert " --" not in played.text()
                await played.press("escape")
                assert played.app.pages.view == "table"
            await played.press("escape")
            await played.pilot.pause()
            assert len(played.app.model.notes) == story
            assert cells(played) == bare

    run(play())  # by the clock of a busy machine, Bang would lay the next card meanwhile


def test_the_help_begins_with_what_the_keys_do_now() -> None:
    """What matters at this question comes first, with Enter before all; then the other keys."""

    async def play() -> None:
        async with screen(session("conto", 3), (100, 50)) as played:
            await played.asked()
            await played.press("question_mark")
            await played.pilot.pause()
            now, _, others = played.text().partition("Other keys")
            assert "Enter: Do what the button says." in now
            assert "(what)" in now
            assert "(take)" in others

    asyncio.run(play())


def test_stage_check_23_a_click_on_a_card_that_leaves_one_call_and_enter_send_it() -> None:
    """A card of the hand fills its field first; where one call is left, Enter orders it with that card."""

    async def play() -> None:
        seed, sent = 0, list[Any]()
        while not sent:
            seed += 1
            async with screen(session("conto", 3, seed=seed), (100, 40)) as played:
                await _hold_and_send(played, sent)
        value, held = sent
        assert held in vars(value[1]).values()

    asyncio.run(play())


async def _hold_and_send(played: Played, sent: list[Any]) -> None:
    """Send the first answer that a click on a card leaves alone, if there is one in this match."""
    model = played.app.model
    answer = model.session.answer

    def noted(ask: Ask, given: Any) -> None:
        answer(ask, given)
        sent.append(given)

    for _ in range(12):
        await played.asked()
        question = model.question()
        if model.ended is not None or question is None or question.ask is None:
            return
        ask, draft = question.ask, question.draft
        for spot in [one for one in played.app.sheet("table").block.spots if one.thing[0] == "hold"]:
            await played.click(spot)
            if draft.held is not None and draft.decides:
                assert draft.held.id == spot.thing[1]
                model.session.answer = noted  # type: ignore[assignment,method-assign]  # the same, with a note
                held = draft.held
                await played.press("enter")
                sent[:] = [ask.question.value_of(sent[0]), held]
                assert ask not in model.asks
                return
            await played.press("escape")
            assert draft.held is None
        await played.press("enter")
        await played.pilot.pause()
