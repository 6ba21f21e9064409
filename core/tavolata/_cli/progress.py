"""The progress of a long command: a line that is written over on a terminal, or lines for a program."""

from __future__ import annotations

import sys
from time import monotonic

from tavolata._cli.command_context import CommandContext
from tavolata._streams import put


class ProgressLine:
    """Says how far a command has come: `message` has the fields `done`, `all` and `left` (seconds)."""

    def __init__(self, context: CommandContext, message: str) -> None:
        self._context, self._message, self._long = context, message, 0
        self._told = 0.0

    def __call__(self, done: int, of: int, left: float) -> None:
        """Show that `done` of this many are done, and that the rest takes about `left` more seconds."""
        context = self._context
        if context.ui == "json":
            if monotonic() - self._told >= 1:
                self._told = monotonic()
                context.data("progress", {"done": done, "of": of, "seconds_left": round(left, 1)})
            return
        if not sys.stderr.isatty() or context.verbosity < 0:
            return
        line = context.text(self._message, {"done": done, "all": of, "left": f"{left:.0f}"})
        put(line.ljust(self._long), sys.stderr, end="\r", flush=True)
        self._long = len(line)

    def wipe(self) -> None:
        if self._long:
            put(" " * self._long, sys.stderr, end="\r", flush=True)
