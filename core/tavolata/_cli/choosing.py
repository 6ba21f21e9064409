"""A choice among numbered lines at a terminal, before a match is shown."""

from __future__ import annotations

from tavolata._cli.command_context import CommandContext
from tavolata.messages import N_


def choose_number(context: CommandContext, most: int) -> int:
    """Ask until a number from 1 to `most` is typed; Enter means 1.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can choose.
    """
    while True:
        try:
            typed = input(context.text(N_("Which one? [1] "))).strip() or "1"
        except EOFError:
            raise KeyboardInterrupt from None
        if typed.isascii() and typed.isdigit() and 1 <= int(typed) <= most:
            return int(typed)
        context.note(context.text(N_("A number from 1 to {n}."), {"n": most}))
