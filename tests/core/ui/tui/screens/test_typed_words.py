"""What is typed into the line for words."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

import pytest
from tests.core.ui.tui.playing import screen, session
from textual.events import Key

from tavolata._ui.tui.screens.typed_words import _is_whisper


@pytest.fixture(autouse=True)
def _own_matches(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path_factory.mktemp("data")))


def test_what_is_typed_fast_is_all_there() -> None:
    """Keys that come at once, before anything of them was shown, are acted on in their order."""

    async def play() -> None:
        at = session("zompa", 3, pace=0)
        async with screen(at, (100, 30)) as played:
            await played.asked()
            for key in ("t", "slash", "t", "o", "space", "b", "e", "r", "t", "o", "space", "y", "o", "enter"):
                character = {"slash": "/", "space": " ", "enter": "\r"}.get(key, key)
                played.app.post_message(Key(key, character))
            await played.until("Ann to Berto: yo")

    asyncio.run(play())


@pytest.mark.battery
def test_words_go_to_all_or_to_one_and_commands_are_carried_out() -> None:
    """`t` opens a line: words to all, /to NAME or to NAME to one, /board what lies there; errors say so."""

    async def play() -> None:
        async with screen(session("zompa", 3, pace=0), (120, 40)) as played:
            await played.asked()
            for words in ("hi", "/to berto ps", "to Berto hush", "/board", "/to no x"):
                if not words.startswith("/"):  # a slash opens the line by itself
                    await played.press("t")
                await played.pilot.press(*[{" ": "space", "/": "slash"}.get(sign, sign) for sign in words])
                await played.press("enter")
                await played.pilot.pause()
            log = [note.text for note in played.app.model.notes]
            assert "Ann says: hi" in log
            assert "Ann to Berto: ps" in log
            assert "Ann to Berto: hush" in log
            assert any(text.startswith("Fiches") for text in log)
            await played.until("No one here is named no")

    asyncio.run(play())


@pytest.mark.battery
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 36)])
def test_the_table_stays_where_it_is_while_words_are_typed(size: tuple[int, int]) -> None:
    """The line for words is in the row of the keys; no other cell changes."""

    async def play() -> None:
        async with screen(session("conto", 3), size) as played:
            await played.asked()
            before = played.text().split("\n")
            await played.press("t", *"well")
            await played.pilot.pause()
            rows = played.text().split("\n")
            kept = [row[:50] for row in rows[:-1]]  # beyond, the key of the log makes way
            assert kept == [row[:50] for row in before[:-1]]
            assert rows[-1].strip() == "well"

    asyncio.run(play())


@pytest.mark.parametrize(
    ("typed", "is_whisper"),
    [
        ("ben hush", True), ("Ben: hush", True), ("@ben, Bob Dylan: hush", True),
        ("ben,bob dylan: hush", True),
        ("bob dylan hush", True), ("cleo: hush", True), ("be honest", False), ("benches: two", False),
    ],
)  # fmt: skip
def test_no_whisper_goes_to_everyone(typed: str, is_whisper: bool) -> None:
    """Words that begin with "to" and a name are for that player, with or without a colon and commas."""
    at: Any = SimpleNamespace(names=("Ann", "Ben", "Bob Dylan"), lately_gone=("Cleo",))
    assert _is_whisper("to", typed, at, str) is is_whisper
    assert not _is_whisper("too", typed, at, str)
