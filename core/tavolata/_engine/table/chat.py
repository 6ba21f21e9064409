"""Chat messages of a match, as far as this machine may read them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolata._engine.match.entries import Entry, are_words
from tavolata._engine.match.updates import Said
from tavolata._text import one_line

MAX_TEXT = 400
"""The maximum length of a message in characters; the rest is cut off."""
UNHEARD = "…"
"""The text that others see in place of a message for others."""


def spoken(
    entry: Entry, names: Sequence[str], heard: Callable[[int, bytes], str | None], *, mine: bool
) -> Said | None:
    """Return the chat message in an entry of kind SAY, of any form; None on every machine without one.

    `heard` opens what was said to a seat, and gives None if it's not for this machine. `mine`: it was said
    here.
    """
    if len(entry) != 4 or not are_words(entry[2], entry[3], len(names)):
        return None
    _, seat, to, words = entry
    if type(words) is tuple:  # for some seats: the others see that there are words, and not which
        opened = (heard(who, box) for who, box in zip((*to, seat), words, strict=True))
        # whatever is in the boxes, it counts as words on every machine alike
        text = one_line(next(filter(None, opened), ""), MAX_TEXT) or UNHEARD
    else:
        text = one_line(words, MAX_TEXT)
    return Said(names[seat], text, tuple(names[one] for one in to), mine) if text else None
