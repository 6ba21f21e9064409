"""Makes the moving picture of the README from the recording: an SVG of still frames that CSS shows in turn.

python -m tests.core.ui.animation
"""

from __future__ import annotations

import json
from html import escape
from itertools import groupby

import pyte
from pyte.screens import Char
from tests.core.ui.recording import FILE

PICTURE = FILE.with_suffix(".svg")
FRAMES = 14
"""The most frames; the first, the last, and others at equal steps between them."""
SECONDS, LAST = 1.2, 4.0
"""How long a frame is shown, and the last one."""
STILL = 0.35
"""Seconds without a change after which a screen is one that a person has read."""
WIDE, HIGH = 8, 17
INK, PAPER = "#e4e4e4", "#121212"


def _colours(char: Char) -> tuple[str, str, bool]:
    """Return ink, paper and weight of a sign."""
    ink, paper = (
        f"#{one}" if len(one) == 6 else default for one, default in ((char.fg, INK), (char.bg, PAPER))
    )
    return (paper, ink, char.bold) if char.reverse else (ink, paper, char.bold)


def frame(screen: pyte.Screen) -> str:
    """Return a terminal as rectangles and texts, one for each run of signs of the same colours."""
    drawn = ""
    for y in range(screen.lines):
        row = [screen.buffer[y][x] for x in range(screen.columns)]
        x = 0
        for (ink, paper, bold), run in groupby(row, key=_colours):
            signs = [char.data for char in run]
            text = "".join(signs)
            if paper != PAPER:
                place = f'x="{x * WIDE}" y="{y * HIGH}" width="{len(signs) * WIDE}" height="{HIGH}"'
                drawn += f'<rect {place} fill="{paper}"/>'
            if text.strip():
                lead = len(text) - len(text.lstrip())
                words = text.strip()
                weight = ' font-weight="bold"' if bold else ""
                drawn += (
                    f'<text x="{(x + lead) * WIDE}" y="{y * HIGH + 13}" fill="{ink}"{weight}'
                    f' textLength="{len(words) * WIDE}">{escape(words)}</text>'
                )
            x += len(signs)
    return drawn


def frames(recording: str) -> tuple[str, tuple[int, int], list[str]]:
    """Return the title of a recording, its size, and its frames, at most `FRAMES`."""
    head, *pieces = map(json.loads, recording.splitlines())
    size = head["width"], head["height"]
    screen = pyte.Screen(*size)
    stream = pyte.Stream(screen)
    found: list[str] = []
    before = 0.0
    for when, _, data in pieces:
        if when - before > STILL and found[-1:] != [shot := frame(screen)]:
            found.append(shot)
        stream.feed(data)
        before = when
    last = frame(screen)
    between = found[1:]
    step = max(1, -(-len(between) // (FRAMES - 2)))
    return head["title"], size, [*found[:1], *between[::step], last]


def animated(recording: str) -> str:
    """Return the moving picture of a recording; where motion isn't wanted, its last frame."""
    title, (columns, rows), shots = frames(recording)
    total = SECONDS * (len(shots) - 1) + LAST
    css, groups = "", ""
    for number, shot in enumerate(shots):
        begin = 100 * number * SECONDS / total
        end = 100 * (number + 1) * SECONDS / total if number + 1 < len(shots) else 100
        css += (
            f"@keyframes f{number}{{0%{{opacity:{int(number == 0)}}}{begin:.2f}%{{opacity:1}}"
            f"{end:.2f}%,100%{{opacity:{int(end == 100)}}}}}"
            f"#f{number}{{opacity:0;animation:f{number} {total:.1f}s step-end infinite}}"
        )
        groups += f'<g id="f{number}">{shot}</g>\n'
    last = f"#f{len(shots) - 1}{{opacity:1!important}}"
    still = f"@media(prefers-reduced-motion:reduce){{g{{animation:none!important}}{last}}}"
    width, height = columns * WIDE, rows * HIGH
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-size="13.3"'
        f' font-family="ui-monospace,Menlo,Consolas,monospace"><title>{escape(title)}</title>'
        f"<style>{css}{still}text{{white-space:pre}}</style>"
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>\n{groups}</svg>\n'
    )


if __name__ == "__main__":
    PICTURE.write_text(animated(FILE.read_text(encoding="utf-8")), encoding="utf-8")
