"""Transcripts of whole seeded matches by the two line frontends, which a test compares byte for byte.

`python -m tests.core.ui.transcripts` writes the files of `golden` anew; with names of games it prints their
transcripts, so that those of two versions can be compared.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import sys
import tempfile
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.core.ui.conversation import example_bot
from tests.core.ui.tui.playing import session
from tests.core.ui.virtual_time import run

from tavolata._ui.i18n import Translator
from tavolata._ui.line_frontend import LineFrontend
from tavolata._ui.ndjson import Ndjson
from tavolata._ui.plain import Plain

GOLDEN = Path(__file__).parent / "golden"
GAMES: dict[str, dict[str, Any]] = {
    "bang": {}, "conto": {}, "horse-fever": {}, "jumpy-jack": {}, "zompa": {"fiches": 1, "pace": 0}
}  # fmt: skip
"""The games, with options that make matches short."""
SEED = 11
LOOKS = ("/look", "/zones", "/hand", "/board", *(f"/board {number}" for number in range(1, 9)))
"""What a person who plays by lines asks at some of the questions."""
EXCERPT = 60
"""The lines of a transcript that are kept for people to read."""
NUMBER = re.compile(r"Choice: (\d+)\. ")
RANGE = re.compile(r"Choice: A number from (-?\d+) to -?\d+(?: in steps of \d+)?\.")
SOME = re.compile(
    r"Choice: Pick (?:(\d+) to )?(\d+)(?: in order)?: type their numbers, separated by spaces\."
)


class Hands:
    """Somebody who types what the transcript decides, at a terminal or into a pipe."""

    def __init__(self, *, on_terminal: bool) -> None:
        self.on_terminal = on_terminal
        self.typed: asyncio.Queue[str] = asyncio.Queue()

    async def next(self) -> str:
        """The next line."""
        return await self.typed.get()


def _typed(lines: list[str], chance: random.Random) -> str:
    """An answer to the question that these lines ask, by lot."""
    numbers = [found[1] for line in lines if (found := NUMBER.match(line))]
    for line in lines:
        if found := RANGE.match(line):
            return found[1]
        if found := SOME.match(line):
            return " ".join(chance.sample(numbers, int(found[1] or found[2])))
    return chance.choice(numbers) if numbers else ""


def plain(game: str) -> list[str]:
    """What `--screen-reader` says at a terminal, with all the commands that look at the table."""
    chance, questions, answered = random.Random(SEED), 0, 0
    heard: list[str] = []

    def replies(face: LineFrontend) -> list[str]:
        nonlocal questions, answered
        lines, answered = heard[answered:], len(heard)
        if any("Enter = " in line for line in lines if line.startswith("Reaction: ")):
            return [""]
        if face.open_question() is None or not lines:
            return []
        asked = max((at for at, line in enumerate(lines) if line.startswith("Question: ")), default=0)
        answer = _typed(lines[asked:], chance)
        questions += 1
        return [*(LOOKS if questions in (1, 2, 5, 9) or not questions % 20 else ()), answer]

    _follow(game, heard, Hands(on_terminal=True), lambda at, hands: Plain(
        at, Translator("en"), heard.append, hands, labelled=True
    ), replies)  # fmt: skip
    return heard


def ndjson(game: str) -> list[str]:
    """What `--ui json` says in Italian."""
    heard: list[str] = []
    answered = 0
    random.seed(SEED)

    def replies(_: LineFrontend) -> list[str]:
        nonlocal answered
        lines, answered = [json.loads(line) for line in heard[answered:]], len(heard)
        legal = example_bot().legal
        asks = [line for line in lines if line["type"] == "ask"]
        answers = [{"type": "answer", "id": line["id"], "answer": legal(line)} for line in asks]
        windows = [line["id"] for line in lines if line["type"] == "window" and line["go"] == 0]
        answers += [{"type": "react", "id": number, "answer": -1} for number in windows]
        return list(map(json.dumps, answers))

    _follow(game, heard, Hands(on_terminal=False), lambda at, hands: Ndjson(
        at, Translator("it"), heard.append, hands
    ), replies)  # fmt: skip
    return heard


def _follow(
    game: str,
    heard: list[str],
    hands: Hands,
    frontend: Callable[[Any, Hands], LineFrontend],
    replies: Callable[[LineFrontend], list[str]],
) -> None:
    """Play a match to its end, in virtual time."""

    async def play() -> None:
        face = frontend(session(game, seed=SEED, **GAMES[game]), hands)
        running = asyncio.create_task(face.run())
        while not running.done():
            for _ in range(20):
                await asyncio.sleep(0)
            for line in replies(face):
                hands.typed.put_nowait(line)
            await asyncio.sleep(0.05)
        await running

    with tempfile.TemporaryDirectory() as folder:
        before = os.environ.get("TT_DATA_DIR")
        os.environ["TT_DATA_DIR"] = folder
        try:
            run(play())
        finally:
            os.environ.pop("TT_DATA_DIR")
            if before is not None:
                os.environ["TT_DATA_DIR"] = before
    assert heard


def golden(game: str) -> str:
    """The digests of both transcripts, how the lines begin, and the last table in JSON."""
    said, data = plain(game), ndjson(game)[1:]  # the first line has the version
    tables = [one for one in map(json.loads, data) if one["type"] == "full"]
    return "\n".join([
        *(
            f"{name}: {len(lines)} lines, {sha256(chr(10).join(lines).encode()).hexdigest()}"
            for name, lines in (("plain", said), ("ndjson", data))
        ),
        "", *said[:EXCERPT],
        "", *(json.dumps(zone, ensure_ascii=False) for zone in tables[-1]["zones"]), "",
    ])  # fmt: skip


def main(games: list[str]) -> None:
    """Print the transcripts of these games, or write all files."""
    for game in games:
        print("\n".join([*plain(game), *ndjson(game)]))
    for game in () if games else GAMES:
        (GOLDEN / f"{game}.txt").write_text(golden(game), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
