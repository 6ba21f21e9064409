"""A choice among numbered lines at a terminal, before a match is shown."""

from __future__ import annotations

from tavolata._cli.command_context import CommandContext
from tavolata.messages import N_

YES, NO = N_("yes"), N_("no")
ASKED = N_("{question} [yes/no] ")


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


def agreed(context: CommandContext, question: str) -> bool:
    """Ask a question until yes or no is typed, or the beginning of it.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can answer.
    """
    said = {True: (YES, context.text(YES)), False: (NO, context.text(NO))}
    while True:
        try:
            typed = input(context.text(ASKED, {"question": question})).strip().casefold()
        except EOFError:
            raise KeyboardInterrupt from None
        for answer, words in said.items():
            if typed and any(word.startswith(typed) for word in words):
                return answer
        context.note(context.text(N_("Type yes or no.")))
