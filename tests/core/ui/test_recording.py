"""The recording of the README: the script that makes it, and the file that it has made."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pyte
import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from tests.core.ui.recording import FILE, OVER, SIZE, record

pytestmark = pytest.mark.battery
LARGEST = 150_000
"""The bytes that the file may have, which everybody gets with a clone."""


def last_frame(recording: str) -> str:
    """What stands on the terminal at the end, if the recording has the form of asciinema's version 2."""
    head, *pieces = map(json.loads, recording.splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, *SIZE)
    times = [seconds for seconds, _, _ in pieces]
    assert times == sorted(times)
    assert {kind for _, kind, _ in pieces} == {"o"}
    screen = pyte.Screen(*SIZE)
    stream = pyte.Stream(screen)
    for _, _, text in pieces:
        stream.feed(text)
    return "\n".join(screen.display)


def test_the_script_records_a_match(tmp_path: Path) -> None:
    """A real match on a real terminal becomes a file that a player of such recordings can show."""
    assert "turn 2" in last_frame(record(tmp_path, until="turn 2"))


def test_the_recording_of_the_readme_is_small_and_shows_a_match_to_its_end() -> None:
    """The file in the repository can be played, and is no burden for who clones it."""
    recording = FILE.read_text(encoding="utf-8")
    assert OVER in last_frame(recording)
    assert len(recording.encode()) < LARGEST
