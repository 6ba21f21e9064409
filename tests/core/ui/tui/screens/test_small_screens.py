"""The smallest screen: what is asked and what is pointed at can be read without a key."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session

from tavolata._ui.answers import is_go


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


@pytest.mark.battery
@pytest.mark.parametrize("game", ["conto", "horse-fever", "jumpy-jack", "zompa"])
def test_check_2_at_20x5_the_question_and_the_pointed_choice_are_on_view(game: str) -> None:
    """The first words of the prompt and the choice under the cursor stand on the screen, at each step."""

    async def play() -> None:
        async with screen(session(game, 3, pace=0), (20, 5)) as played:
            for number in range(8):
                await played.asked()
                question = played.app.model.question()
                if played.app.model.ended is not None or question is None:
                    break
                rows = played.text().split("\n")
                text = "".join(" ".join(rows).split())
                assert len(rows) == 5
                assert "".join(question.prompt.split()[:2]) in text, rows
                if not is_go(question.kind) and not question.draft.number:
                    assert [row for row in rows if row.lstrip().startswith("❯")], rows
                if question.draft.several:
                    await played.press(*["space", "down"] * question.draft.shape.low)
                await played.press("enter" if number % 3 else "down")
                await played.pilot.pause()
            assert number > 2

    asyncio.run(play())


def test_what_happened_last_is_told_once() -> None:
    """On a screen without room for a table the log is the board; its last line does not stand there twice."""

    async def play() -> None:
        async with screen(session("conto", 3, pace=0), (60, 15)) as played:
            await played.press("enter")
            await played.until(lambda: len(played.app.model.notes) > 2)
            await played.asked()
            await played.pilot.pause()
            last = played.app.model.notes[-1].text[:30]
            assert played.text().count(last) == 1

    asyncio.run(play())


def _written(face: Any) -> str:
    """Return a French card as it's written in a line."""
    rank = {0: "Jk", 1: "A", 11: "J", 12: "Q", 13: "K"}.get(face.rank, str(face.rank))
    return rank + {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣", "joker": "★"}[face.suit.value]


@pytest.mark.battery
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
def test_the_hands_of_five_are_on_view_at_a_verdict(size: tuple[int, int]) -> None:
    """Where a panel has one line, open hands are below the sentence of the turn, each card of them."""

    async def play() -> None:
        at, seen = session("conto", 5, pace=0), 0
        async with screen(at, size) as played:
            model = played.app.model
            for _ in range(60):
                await played.asked()
                question = model.question()
                if model.ended is not None or seen == 2:
                    break
                if model.verdicts.now is not None and question is not None and is_go(question.kind):
                    seen += 1
                    text = played.text()
                    for zone in model.zones().values():
                        if zone.id.startswith("hand.") and zone.seat:
                            missing = [card for card in zone.content if _written(card.face) not in text]
                            assert not missing, text
                await played.press("enter")
                await played.pilot.pause()
        assert seen

    asyncio.run(play())
