"""A run of `tt` whose screen is shown in a browser; the host's `tt` starts one for each such seat.

    python -m tavolata._cli.served join --code-file FILE

Its standard streams are pipes to the host's `tt`. The last packet tells how the run ended.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys

from typing_extensions import override

from tavolata._cli.command_context import CommandContext
from tavolata._cli.failures import report
from tavolata._cli.run import dispatch
from tavolata._text import fill

ADDRESS = "TT_SERVED_ADDRESS"
"""The environment variable in which the host's `tt` passes the address of the table for others."""


class ServedContext(CommandContext):
    """A run of `tt` for a browser, which shows the full screen although no stream is a terminal."""

    @property
    @override
    def on_terminal(self) -> bool:
        return True

    @property
    @override
    def can_ask(self) -> bool:
        return False  # keys come only while the full screen runs

    @override
    def address_for_others(self, address: str) -> str:
        # The address by which this machine reaches the table is of no use to other machines.
        return self.environ.get(ADDRESS) or address


def main(words: list[str]) -> int:
    """Run a command line. Its output is dropped, except for the sentence of an error."""
    pipe = sys.stdout.fileno()
    said = sys.stdout = sys.stderr = io.StringIO()
    context: CommandContext | None = None
    try:
        context = ServedContext({}, os.environ)
        code = dispatch(words, context)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - as in `run`
        code = report(error, context.text if context else fill)
    told = [line.removeprefix("tt: ") for line in said.getvalue().splitlines() if line.startswith("tt: ")]
    with contextlib.suppress(OSError):  # the host's `tt` is gone
        os.write(pipe, _ended(code, told[-1] if told and code else ""))
    return code


def _ended(code: int, sentence: str) -> bytes:
    from tavolata._web.driver import BEGIN, SeatDriver

    body = json.dumps({"type": "ended", "code": code, "text": sentence}).encode()
    return (b"" if SeatDriver.began else BEGIN) + b"M" + len(body).to_bytes(4, "big") + body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
