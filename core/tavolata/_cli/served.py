"""A run of `tt` whose screen is shown in a browser: what the host's `tt` starts for each seat there.

    python -m tavolata._cli.served join --code-file FILE

Its standard streams are pipes to the host's `tt`; the last packet says how it ended.
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
"""The variable in which the host's `tt` says where others find the table."""


class ServedContext(CommandContext):
    """A run of `tt` at a browser, which can draw although no stream is a terminal."""

    @property
    @override
    def on_terminal(self) -> bool:
        return True

    @override
    def address_for_others(self, address: str) -> str:
        # This machine reaches the table by an address that is no other's.
        return self.environ.get(ADDRESS) or address


def main(words: list[str]) -> int:
    """Run a command line; what it would print goes to nobody, but for the sentence of an error."""
    pipe = sys.stdout.fileno()
    said = sys.stdout = sys.stderr = io.StringIO()
    context: CommandContext | None = None
    try:
        context = ServedContext({}, os.environ)
        code = dispatch(words, context)
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - as in `run`
        code = report(error, context.text if context else fill)
    told = [line.removeprefix("tt: ") for line in said.getvalue().splitlines() if line.startswith("tt: ")]
    with contextlib.suppress(OSError):  # nobody is there to be told
        os.write(pipe, _ended(code, told[-1] if told and code else ""))
    return code


def _ended(code: int, sentence: str) -> bytes:
    from tavolata._web.driver import BEGIN, SeatDriver

    body = json.dumps({"type": "ended", "code": code, "text": sentence}).encode()
    return (b"" if SeatDriver.began else BEGIN) + b"M" + len(body).to_bytes(4, "big") + body


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
