"""Lines wrapped between words at the width of a terminal."""

from __future__ import annotations

import re
import shutil
import textwrap
from typing import Final, TextIO

NARROWEST = 20
"""The least width to which lines are wrapped; a terminal says 0 if it does not know its width."""


BOUND: Final = "\N{NO-BREAK SPACE}"
"""A blank at which no line is broken."""
_BEFORE_A_UNIT = re.compile(r"(?<=\d) (?=(?:[^\W\d_]{1,2}|[%€$£¥°])(?!\w))")


def bound(text: str) -> str:
    """The text with each number bound to its unit, which is a sign or a word of one or two letters.

    A short word that is no unit is bound, too, which only breaks the line a word earlier.
    """
    return _BEFORE_A_UNIT.sub(BOUND, text)


def freed(text: str) -> str:
    """The text with common blanks, after its lines have been broken."""
    return text.replace(BOUND, " ")


def wrapped(line: str, width: int) -> str:
    """The line as one or more lines; those that follow are indented further than the first.

    Args:
        line: a line without its ending.
        width: the columns of the terminal.
    """
    if len(line) <= max(NARROWEST, width):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    rows = textwrap.wrap(
        bound(line.strip()), max(NARROWEST, width), initial_indent=indent, subsequent_indent=f"{indent}  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return freed("\n".join(rows))


def fitted(text: str, stream: TextIO) -> str:
    """The text with its lines wrapped at the width of the terminal; as it is if the stream is no terminal."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(wrapped(line, width) for line in text.split("\n"))
