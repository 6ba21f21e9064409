"""Processes of a test: modules of the tests that are started, spoken to line by line, and ended."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

ROOT = Path(__file__).resolve().parents[2]
"""Where the tests are a package, whoever runs them."""


class Child:
    """A module of the tests that runs as a process of its own, from outside; as a context, it ends with it.

    Args:
        module: which one, by its full name.
        words: its arguments.
    """

    def __init__(self, module: str, *words: object) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *map(str, words)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT,
        )  # fmt: skip

    def line(self) -> str:
        """The next line that it writes; empty if it has ended."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().rstrip("\n")

    def write(self, line: str) -> None:
        """Tell it something."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()

    def end(self) -> None:
        """Kill it, and take its pipes away."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(BrokenPipeError):
                    stream.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
