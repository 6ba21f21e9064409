"""The recording of the README: the script that makes it, and the file that it has made."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import pyte
import pytest

if sys.platform == "win32":
    pytest.skip("Windows has no pseudo-terminals of this kind", allow_module_level=True)

from tests.core.ui.animation import FRAMES, PICTURE, animated
from tests.core.ui.recording import FILE, OVER, SIZE, record

pytestmark = pytest.mark.battery
LARGEST, LARGEST_PICTURE = 160_000, 120_000
"""The bytes that recording and picture may have, which everybody gets with a clone."""


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


def test_the_moving_picture_shows_the_recording_and_can_stand_still() -> None:
    """It is what the recording gives: few frames, and the last one alone for people who want no motion."""
    picture = PICTURE.read_text(encoding="utf-8")
    assert picture == animated(FILE.read_text(encoding="utf-8"))
    assert len(picture.encode()) < LARGEST_PICTURE
    groups = list(ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}g"))
    assert 8 <= len(groups) <= FRAMES
    assert [group.get("id") for group in groups] == [f"f{number}" for number in range(len(groups))]
    assert OVER in " ".join(groups[-1].itertext())
    still = picture.partition("prefers-reduced-motion:reduce")[2].partition("text{")[0]
    assert "animation:none" in still
    assert f"#f{len(groups) - 1}{{opacity:1" in still
