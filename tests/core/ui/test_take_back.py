"""The last answer is taken back in lines, in JSON, on the full screen and on the page of a browser."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.core.games import Counting
from tests.core.ui.tui.playing import screen

from tavolata._engine.match.header import Header
from tavolata._engine.match.updates import Asked
from tavolata._engine.sessions.local import LocalSession
from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain
from tavolata._web.frontend import BrowserFrontend
from tavolata.bots import RandomBot


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))
    monkeypatch.setattr(os, "fsync", lambda number: None)


def against_a_bot() -> LocalSession:
    """A person against a bot, who count."""
    header = Header("c" * 16, "counting", "0", 1, {}, ("Ann", "Ada"), (None, "easy"), "open", None, 3)
    return LocalSession(header, Counting, "tests", [None, RandomBot()])


def talk(front: Any, *typed: str) -> list[str]:
    """What a line frontend prints when these lines are typed, each after a question."""
    printed: list[str] = []

    class Lines:
        """Nobody types by itself."""

        on_terminal = False

        async def next(self) -> str | None:
            """Wait for ever."""
            await asyncio.Event().wait()
            return None

    session = against_a_bot()
    made: LineFrontend = front(session, Translator("en"), printed.append, Lines())

    async def listen() -> None:
        left = list(typed)
        async for update in session.updates():
            made.show(update)
            if isinstance(update, Asked) and update.mine:
                if not left:
                    return
                await made.hear(left.pop(0))

    asyncio.run(listen())
    return printed


def test_undo_takes_the_last_answer_back_in_lines() -> None:
    """`undo` after an answer: all read that it is taken back, and the question is asked again."""
    printed = talk(Plain, "7", "undo")
    assert printed[-2].startswith("Ann undoes an answer.") or "Ann undoes an answer." in printed
    asked = [line for line in printed if line.startswith("Ann: How many?")]
    assert len(asked) == 3


def test_a_line_of_json_takes_the_last_answer_back() -> None:
    """`undo`: an event says so, and the question comes again with its old id."""
    lines = [
        json.loads(line) for line in talk(Ndjson, '{"type":"answer","id":1,"answer":7}', '{"type":"undo"}')
    ]
    kinds = [(line["type"], line.get("id"), line.get("text", "")) for line in lines]
    assert [(kind, number) for kind, number, _ in kinds if kind in ("ask", "closed")] == [
        ("ask", 1), ("ask", 3), ("closed", 3), ("ask", 1)
    ]  # fmt: skip
    assert "Ann undoes an answer." in [text for _, _, text in kinds]


@pytest.mark.parametrize(("lang", "label", "told"), [("en", "undo", "undoes an answer"),
                                                     ("it", "annulla", "annulla una risposta")])  # fmt: skip
def test_a_key_takes_the_last_answer_back(lang: str, label: str, told: str) -> None:
    """The key is shown once there is something to take back; then the question is open again."""

    async def play() -> None:
        async with screen(against_a_bot(), (100, 30), lang) as played:
            await played.asked()
            assert label not in played.text()
            asked = played.app.model.asks[0].id
            await played.press("5", "enter")
            await played.until(lambda: played.app.model.asks and played.app.model.asks[0].id != asked)
            await played.until(label)
            await played.press("u")
            await played.until(lambda: played.app.model.asks and played.app.model.asks[0].id == asked)
            await played.press("l")
            await played.until(told)
            await played.press("l", "u")
            await played.pilot.pause()
            match = played.app.model.match
            assert match is not None
            assert match.undone == 1, "there is nothing more to take back"

    asyncio.run(play())


def test_the_page_offers_it_in_its_menu() -> None:
    """A browser is told when there is something to take back, and what it then sends does it."""

    async def play() -> None:
        session = against_a_bot()
        frontend = BrowserFrontend(
            session, Translator("en"), lambda: "Game", lambda: "Ann", lambda: None, lambda: True
        )
        frontend._director.pace = 0.0
        running = asyncio.create_task(frontend.run())
        offered: list[bool] = []
        async with asyncio.timeout(20):
            for act in ({"do": "send", "number": 5}, {"do": "take_back"}, {}):
                question = frontend.state()["question"]
                while not frontend.model.asks or frontend.state()["question"] == question != "":
                    await asyncio.sleep(0)
                    if frontend.model.asks and not offered:
                        break
                state = frontend.state()
                offered.append(state["takes"])
                frontend.hear({"question": state["question"], **act})
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert offered == [False, True, False]
        assert session.match.undone == 1

    asyncio.run(play())
