"""What is told before anybody waits: it needs no event loop, and the stream goes on behind it."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.ui.tui.playing import sitting

from tavolata._engine.match.updates import Asked, Began, Happening
from tavolata._engine.sessions.guided import Guided
from tavolata._engine.sessions.session import TableSession


@pytest.fixture(autouse=True)
def _own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TT_DATA_DIR", str(tmp_path))


def told(at: TableSession) -> list[Happening]:
    """What the stream tells until a person is asked."""

    async def listen() -> list[Happening]:
        heard: list[Happening] = []
        stream = at.happenings()
        async for happening in stream:
            heard.append(happening)
            if isinstance(happening, Asked) and happening.mine:
                break
        await stream.aclose()
        return heard

    return asyncio.run(listen())


def kinds(heard: list[Happening]) -> list[type]:
    return [type(one) for one in heard]


def test_the_opening_is_what_the_stream_would_tell_first() -> None:
    """Without an event loop one hears the same, up to where the match waits for the first time."""
    at = sitting("jumpy-jack", 3)
    opening = list(at.opening())
    at._file.close()
    assert kinds(opening)[0] is Began
    assert kinds(opening)[-1] is Asked
    heard = kinds(told(sitting("jumpy-jack", 3)))
    assert kinds(opening)[: len(heard)] == heard


def test_what_was_told_in_the_opening_is_not_told_again() -> None:
    """The stream goes on where the opening ended; a second opening is empty."""
    at = sitting("zompa", 3)
    first = list(at.opening())
    assert Began in kinds(first)
    assert list(at.opening()) == []
    assert Began not in kinds(told(at))
    assert at.match.over


def test_an_opening_that_breaks_lets_go_of_the_file() -> None:
    """Whoever can't show what is told leaves the match for others to take up."""
    at = sitting("zompa", 3)
    opening = iter(at.opening())
    next(opening)
    del opening
    assert at._file._file.closed


def test_hints_are_not_lost_for_an_opening() -> None:
    """A guided match has its hints from the first question on: its stream tells everything."""
    at = Guided(sitting("jumpy-jack", 3))
    assert list(at.opening()) == []
    assert Began in kinds(told(at))


STOP = """
import os, sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "asyncio":
            os._exit(42)
sys.meta_path.insert(0, Stop())
from tavolata._cli import main
main(["play", "zompa", "--seed", "1"])
"""


def test_the_first_question_is_there_before_asyncio() -> None:
    """Who plays by lines reads the first question before asyncio is imported."""
    done = subprocess.run(
        [sys.executable, "-c", STOP], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=60,
    )  # fmt: skip
    assert (done.returncode, done.stdout.splitlines()[-1].strip()) == (42, "Press Enter."), done.stderr


def test_an_answer_to_the_opening_is_not_lost() -> None:
    """Who answers before anybody waits is heard: the match goes on."""
    at = sitting("jumpy-jack", 3)
    (asked,) = [one.ask for one in list(at.opening()) if isinstance(one, Asked) and one.mine]
    at.answer(asked, asked.kind.nth(0))

    async def listen() -> Happening:
        stream = at.happenings()
        first = await asyncio.wait_for(anext(stream), 30)
        await stream.aclose()
        return first

    assert asyncio.run(listen()) is not None
