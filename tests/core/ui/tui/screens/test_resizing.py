"""A window that gets another size in mid-question: nothing is lost, and the cursor is where it was meant."""

from __future__ import annotations

import asyncio
import random
from typing import Any

import pytest
from tests.core.ui.tui.playing import Played, screen, session
from textual.widgets import Input

from tavolata._ui.answers import is_go

SIZES = [(60, 20), (120, 36), (40, 12), (20, 5), (160, 50), (80, 24), (1, 1)]
ROUNDS = 6
"""The questions of a match in which the window changes."""


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def begun(draft: Any) -> tuple[Any, ...]:
    """What there is of an answer."""
    return tuple(draft.given), draft.cursor, tuple(draft.marked), draft.typed


def stands(played: Played) -> bool:
    """Whether the terminal's cursor is on what is pointed at, or on the number that is typed."""
    app, question = played.app, played.app.prompt.shown
    x, y = app.cursor_position
    rows = played.text().split("\n")
    if not (0 <= y < app.size.height and 0 <= x < app.size.width) or question is None:
        return False
    draft, row = question.draft, rows[y] if y < len(rows) else ""
    if draft.number:
        return draft.typed in row
    if is_go(question.kind):
        return True
    sheet = app.main
    left, top = sheet.content_region.offset
    at = x - left, sheet._line_at(y - top)
    things = [spot.thing for spot in sheet.block.spots if spot.covers(*at)]
    return bool({("choice", draft.cursor), draft.cursor} & set(things))


@pytest.mark.battery
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 5))])
@pytest.mark.parametrize("game", ["bang", "conto", "horse-fever", "jumpy-jack", "zompa"])
def test_a_question_outlives_every_size(game: str, seed: int) -> None:
    """Marks, digits, fields and words stay whatever the size becomes, the cursor on what is pointed at."""
    chance = random.Random(f"{game} {seed}")

    async def play() -> None:
        async with screen(session(game, 3, seed=seed, pace=0.0 if game == "zompa" else None)) as played:
            app, model = played.app, played.app.model
            for _ in range(ROUNDS):
                await played.asked()
                question = model.question()
                if model.ended is not None:
                    break
                if model.window is not None or question is None:
                    await played.press("enter")
                    continue
                draft = question.draft
                if draft.number:
                    await played.press(*chance.choice(["1", "2", "12", "7"]))
                else:
                    await played.press(*["down"] * chance.randrange(4))
                    if draft.several:
                        await played.press("space", "down")
                before, talks = begun(draft), chance.random() < 0.3
                if talks:
                    await played.press("t", *"wait")
                for size in chance.sample(SIZES, 3):
                    await played.pilot.resize_terminal(*size)
                    await played.pilot.pause(0.06)
                    assert len(played.text().split("\n")) == size[1]
                    assert model.question() is question
                    assert begun(draft) == before
                    if talks:
                        assert app.query_one("#talk", Input).value == "wait"
                    elif size != (1, 1):
                        assert stands(played), f"{size} {app.cursor_position} {before}\n{played.text()}"
                if talks:
                    await played.press("escape")
                    assert begun(draft) == before
                if draft.several:
                    await played.press(
                        *["backspace"] * len(draft.marked), *["space", "down"] * draft.shape.low
                    )
                await played.press("enter")
                await played.pilot.pause()
            assert app.failure is None

    asyncio.run(play())
