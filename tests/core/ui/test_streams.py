"""What is written without waiting: pipes that nobody reads, and those that are gone."""

from __future__ import annotations

import asyncio
import io
import os
import sys
from pathlib import Path
from queue import SimpleQueue
from threading import Event
from typing import Any

import pytest

from tavolata._cli.choosing import typed
from tavolata._ui.streams import Outlet, typed_here


def test_who_does_not_read_holds_nobody_up() -> None:
    """Far more goes in than a pipe holds, at once; who reads later reads all of it, in its order."""
    reading, writing = os.pipe()
    behind, caught_up = Event(), Event()
    with os.fdopen(writing, "w", encoding="utf-8") as file, os.fdopen(reading, "rb") as reader:
        outlet = Outlet(file, 1 << 16, behind.set, caught_up.set)
        for number in range(100_000):
            outlet.line(f"è {number}")
        assert behind.is_set()
        assert not outlet.drain(0.05)
        assert not caught_up.is_set()
        for number in range(100_000):
            assert reader.readline().decode().split() == ["è", str(number)]
        assert outlet.drain(30)
        assert caught_up.wait(30)


def test_a_reader_that_is_gone_is_told_to_who_writes_next() -> None:
    """A broken pipe is an error of the next line, not of a thread that nobody sees."""
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w", encoding="utf-8") as file:
        outlet = Outlet(file)
        outlet.line("one")
        outlet.drain(30)
        with pytest.raises(OSError, match="" if sys.platform == "win32" else "pipe"):
            outlet.line("two")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a device that is always full")
def test_who_only_waits_learns_that_nothing_can_be_written() -> None:
    """The error is told when it happens, not only to a line that may never come."""
    found: list[OSError] = []
    told = Event()

    def failed(error: OSError) -> None:
        found.append(error)
        told.set()

    with Path("/dev/full").open("w", encoding="utf-8") as file:
        outlet = Outlet(file, failed=failed)
        outlet.line("one")
        assert told.wait(30)
        assert found == [outlet.failure]


class Keyboard:
    """A terminal on which somebody types when the test says so."""

    def __init__(self) -> None:
        self.typed: SimpleQueue[str] = SimpleQueue()

    def isatty(self) -> bool:
        """It is one."""
        return True

    def readline(self, _: int = -1) -> str:
        """The next line, once it's typed."""
        return self.typed.get()


def test_a_line_is_for_whoever_asks_next(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match ends while its reader waits: the next line answers the question after it, or the next match."""
    here: Any = Keyboard()
    monkeypatch.setattr(sys, "stdin", here)
    monkeypatch.setattr("builtins.input", lambda _: "as usual")

    async def match() -> str | None:
        return await typed_here(here).next()

    async def left() -> None:
        waiting = asyncio.create_task(match())
        await asyncio.sleep(0)
        waiting.cancel()

    assert typed("First? ") == "as usual"
    asyncio.run(left())
    here.typed.put("one\n")
    assert typed("And now? ") == "one"
    assert capsys.readouterr().out == "And now? "
    asyncio.run(left())
    here.typed.put("two\n")
    assert asyncio.run(match()) == "two"
    here.typed.put("")  # Ctrl+D
    assert asyncio.run(match()) is None
    assert typed("Still there? ") == "as usual"
    here.typed.put("three\n")
    assert asyncio.run(match()) == "three"
    here.typed.put("")


def test_a_file_in_memory_has_it_at_once() -> None:
    """Where nothing can be held up there is no thread."""
    file = io.StringIO()
    Outlet(file).line("here")
    assert file.getvalue() == "here\n"
