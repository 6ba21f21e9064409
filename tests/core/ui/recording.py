"""Makes the recording of the README: a match on a real pseudo-terminal, in a file for asciinema (version 2).

python -m tests.core.ui.recording
"""

from __future__ import annotations

import json
import re
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import pyte
from pyte.screens import Char
from tests.core.ui.terminal import Terminal

FILE = Path(__file__).parents[3] / "docs" / "pictures" / "zompa.cast"
SIZE = (80, 24)
MATCH = ("play", "zompa", "--seats", "3", "--seed", "11", "--option", "fiches=1")
THINKS = 0.8
"""The seconds between a question and the Enter that answers it."""
OVER = "What now?"
"""What is asked when a match is over."""
LONGEST = 180.0
"""The seconds after which a match that has not ended is a fault."""


def _style(char: Char) -> str:
    """What a terminal is sent to write as this sign is written."""
    marks = (char.bold, char.italics, char.underscore, char.reverse)
    codes = [code for code, on in zip("1347", marks, strict=True) if on]
    for ground, colour in (("38", char.fg), ("48", char.bg)):
        if re.fullmatch("[0-9a-f]{6}", colour):
            codes.append(f"{ground};2;" + ";".join(str(part) for part in bytes.fromhex(colour)))
    return f"\x1b[0;{';'.join(codes)}m"


def _cells(screen: pyte.Screen) -> list[list[Char]]:
    """The rows of a terminal."""
    return [[screen.buffer[y][x] for x in range(screen.columns)] for y in range(screen.lines)]


def _changes(before: list[list[Char]], now: list[list[Char]]) -> str:
    """What makes a terminal show the rows of now: of each row, from its first change to its last."""
    sent, style = "", ""
    for y, (old, new) in enumerate(zip(before, now, strict=True), 1):
        other = [x for x, (one, two) in enumerate(zip(old, new, strict=True)) if one != two]
        for x in range(other[0], other[-1] + 1) if other else ():
            sent += f"\x1b[{y};{x + 1}H" if x == other[0] else ""
            sent += _style(new[x]) if _style(new[x]) != style else ""
            sent, style = sent + new[x].data, _style(new[x])
    return sent


def record(home: Path, words: Sequence[str] = MATCH, until: str = OVER) -> str:
    """Play a match with Enter alone, until this is on the screen.

    A program may send its whole screen for one number; of that only what has changed is kept.

    Returns:
        The recording: a line for the terminal, then one for each piece of what it is sent, with its seconds.
    """
    lines: list[object] = [
        {"version": 2, "width": SIZE[0], "height": SIZE[1], "title": "tt " + " ".join(words)}
    ]
    with Terminal(*words, home=home, size=SIZE) as terminal:
        begin = since = time.monotonic()
        before = _cells(pyte.Screen(*SIZE))
        shown = ""
        while until not in shown:
            terminal.read(0.1)
            now, rows = time.monotonic(), _cells(terminal.screen)
            shown = "\n".join("".join(cell.data for cell in row) for row in rows)
            if now - begin > LONGEST:
                raise TimeoutError(shown)
            if rows != before:
                lines.append((round(now - begin, 2), "o", _changes(before, rows)))
                before, since = rows, now
            elif now - since >= THINKS and re.search(r"⏎|❯", shown):
                terminal.press("enter")
                since = now
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        FILE.write_text(record(Path(folder)), encoding="utf-8")
