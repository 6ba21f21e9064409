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
_AFTER_A_SENTENCE = re.compile(r"(?<=[.!?:;])\s+|\n")
_BOUND = re.compile(
    r"(?<=\d) (?=(?:[^\W\d_]{1,2}|[%€$£¥°])(?!\w))"  # before a unit
    r"|(?<=\btt) (?=join )|(?<=\btt join) (?=[\[\w])"  # in the command to type at another machine
)


def bound(text: str) -> str:
    """Bind each number to its unit, which is a sign or a word of one or two letters, and `tt join ADDRESS`.

    A short word that isn't a unit is bound, too, which only breaks the line a word earlier.
    """
    return _BOUND.sub(BOUND, text)


def freed(text: str) -> str:
    """Return the text with common blanks, after its lines have been broken."""
    return text.replace(BOUND, " ")


def wrapped(line: str, width: int) -> str:
    """Wrap a line without its ending; the lines that follow are indented further than the first."""
    if len(line) <= max(NARROWEST, width):
        return line
    indent = line[: len(line) - len(line.lstrip())]
    rows = textwrap.wrap(
        bound(line.strip()), max(NARROWEST, width), initial_indent=indent, subsequent_indent=f"{indent}  ",
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return freed("\n".join(rows))


def paged(text: str, width: int, rows: int) -> list[str]:
    """Split `text` into parts of at most `rows` rows, at sentence ends where possible."""

    def broken(part: str) -> list[str]:
        whole = (
            textwrap.wrap(bound(line), width, break_on_hyphens=False) or [""] for line in part.split("\n")
        )
        return [freed(row) for found in whole for row in found]

    if len(broken(text)) <= rows:
        return [text]
    parts = [""]
    for sentence in _AFTER_A_SENTENCE.split(text):
        trial = f"{parts[-1]} {sentence}".strip()
        if len(broken(trial)) <= rows:
            parts[-1] = trial
            continue
        found = broken(sentence)
        parts += [" ".join(found[at : at + rows]) for at in range(0, len(found), rows)]
    return [part for part in parts if part]


def fitted(text: str, stream: TextIO) -> str:
    """Wrap the text's lines at the width of the terminal; return it as it is for any other stream."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    return "\n".join(wrapped(line, width) for line in text.split("\n"))
