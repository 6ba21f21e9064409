"""Questions at a terminal before a match is shown: a line, a number, yes or no."""

from __future__ import annotations

import sys

from tavolata._cli.command_context import CommandContext
from tavolata._ui.yes_no import yes_or_no
from tavolata.messages import N_

ASKED = N_("{question} [yes/no] ")


def typed(question: str) -> str:
    """The line that is typed after a question, without the spaces around it; a NUL if it is not text.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can answer.
    """
    try:
        return input(question).strip()
    except (EOFError, KeyboardInterrupt):
        print(file=sys.stderr)  # the report stands on a line of its own
        raise KeyboardInterrupt from None
    except UnicodeDecodeError:
        return "\0"  # which answers no question


def choose_number(context: CommandContext, most: int) -> int:
    """Ask until a number from 1 to `most` is typed; Enter means 1.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can choose.
    """
    while True:
        word = typed(context.text(N_("Which one? [1] "))) or "1"
        if word.isascii() and word.isdigit() and 1 <= int(word) <= most:
            return int(word)
        context.note(context.text(N_("A number from 1 to {n}."), {"n": most}))


def agreed(context: CommandContext, question: str) -> bool:
    """Ask a question until yes or no is typed, or the beginning of it.

    Raises:
        KeyboardInterrupt: the input has ended, so nobody can answer.
    """
    while True:
        answer = yes_or_no(typed(context.text(ASKED, {"question": question})), context.text)
        if answer is not None:
            return answer
        context.note(context.text(N_("Type yes or no.")))
