"""The standard streams of this process, kept apart from what a stranger's code prints and reads.

A game may print, start another program, or write to descriptor 1 itself. Where a program reads our stdout,
none of that may get between our lines. Our own lines are cleaned here: see `put`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from typing import Literal, TextIO

from tavolata._text import cleaned


def put(text: str, file: TextIO, end: str = "\n", *, flush: bool = False) -> None:
    """Print a text, cleaned. Nothing else prints, but for `Outlet`, which cleans its lines, too."""
    print(cleaned(text), end=end, file=file, flush=flush)


@contextlib.contextmanager
def kept_apart() -> Iterator[tuple[TextIO, TextIO]]:
    """Yield stdin and stdout as files of our own while the context is open.

    Everyone else reads nothing meanwhile, and prints to stderr: through `sys`, by descriptor, and in other
    programs. Streams without a descriptor, such as those in memory, are replaced in `sys` alone. Enter it
    before foreign code is imported. Raise `OSError` at the end if the last lines can't be written.
    """
    with contextlib.ExitStack() as undo:
        nothing = undo.enter_context(open(os.devnull, encoding="utf-8"))  # noqa: PTH123 - a device
        ours = (
            _taken(undo, sys.stdin or nothing, nothing, "r"),
            _taken(undo, sys.stdout, sys.stderr, "w"),
        )
        before, sys.stdin = sys.stdin, nothing
        undo.callback(setattr, sys, "stdin", before)
        undo.enter_context(contextlib.redirect_stdout(sys.stderr))
        yield ours
        ours[1].flush()


def _taken(undo: contextlib.ExitStack, stream: TextIO, instead: TextIO, mode: Literal["r", "w"]) -> TextIO:
    """Return a file of our own for a stream, whose descriptor is that of `instead` from now on."""
    try:
        number, other = stream.fileno(), instead.fileno()
    except (OSError, ValueError):  # in memory, or closed
        return stream
    if mode == "w":
        stream.flush()
    kept = os.dup(number)
    ours = os.fdopen(kept, mode, encoding=stream.encoding, errors=stream.errors, closefd=False)
    os.dup2(other, number)

    def give_back() -> None:
        os.dup2(kept, number)
        if mode == "w":  # a thread may still wait for a line of the other one
            with contextlib.suppress(OSError):  # a reader that has gone was reported by the last `flush`
                ours.close()
            os.close(kept)

    undo.callback(give_back)
    return ours
