"""A player that has nothing but the lines of `tt --screen-reader`, as somebody has who listens to them."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections.abc import Iterator
from random import Random

from tests.core.ui.conversation import PATIENCE, ROOT, TT

NUMBER = re.compile(r"(\d+)\. ")
RANGE = re.compile(r"A number from (-?\d+) to (-?\d+)(?: in steps of (\d+))?\.")
SOME = re.compile(r"Pick (?:(\d+) to )?(\d+)(?: in order)?: type their numbers, separated by spaces\.")
MARK = "Error: No such command: mark (? for help)."


class LinePlayer:
    """Plays one match by its lines.

    Args:
        words: the command line.
        seed: of what it chooses.
        patience: seconds after which the process is ended.
    """

    def __init__(self, *words: str, seed: int = 1, patience: float = PATIENCE) -> None:
        self.heard: list[str] = []
        self.refused = 0
        self._random = Random(seed)
        self._process = subprocess.Popen(
            [*TT, "--screen-reader", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            text=True, encoding="utf-8", env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
        self._guard = threading.Timer(patience, self._process.kill)
        self._guard.start()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def _lines(self) -> Iterator[str]:
        assert self._process.stdout is not None
        for text in self._process.stdout:
            self.heard.append(text.rstrip("\n"))
            yield self.heard[-1]

    def play(self) -> tuple[int, str]:
        """Play to the end; the exit code and what was said to stderr."""
        choices: list[str] = []
        asked = False
        try:
            for line in self._lines():
                kind, _, said = line.partition(": ")
                if kind == "Question":
                    asked, choices = True, []
                    self._say("/mark")  # what comes before its answer is the question
                elif kind == "Choice":
                    choices.append(said)
                elif kind == "Reaction" and "Enter = " in said:
                    self._say("")
                elif line == MARK and asked:
                    asked = False
                    self._say(self._answer(choices))
                elif kind == "Error" and line != MARK:
                    self.refused += 1
                    assert self.refused < 2000, self.heard[-30:]
                    asked = True
                    self._say("/ask")
                    self._say("/mark")
            _, errors = self._process.communicate()
            return self._process.returncode, errors
        finally:
            self._guard.cancel()
            self._process.kill()
            self._process.communicate()

    def _answer(self, choices: list[str]) -> str:
        if choices and choices[-1].endswith("answers on one line, separated by semicolons."):
            parts: list[list[str]] = []
            for line in choices[:-1]:
                if line.endswith(":") and not NUMBER.match(line):
                    parts.append([])
                else:
                    parts[-1].append(line)
            return "; ".join(map(self._one, parts))
        return self._one(choices)

    def _one(self, choices: list[str]) -> str:
        numbers = [found[1] for line in choices if (found := NUMBER.match(line))]
        for line in choices:
            if found := RANGE.match(line):
                low, high, step = int(found[1]), int(found[2]), int(found[3] or 1)
                return str(self._random.choice(range(low, high + 1, step)))
            if found := SOME.match(line):
                high = int(found[2])
                many = self._random.randint(int(found[1] or high), high)
                return " ".join(self._random.sample(numbers, many))
        return self._random.choice(numbers) if numbers else ""
