"""A newcomer's guide to Fictionary."""

from __future__ import annotations

from collections.abc import Iterator

from tavolata import N_, Ask, Event, FreeText, Text, View, text
from tavolata_classics.fictionary.rules import TRUE, Fictionary

WRITE = N_(
    "Write it like a dictionary entry: short and with no full stop. "
    "Until the vote is over, no one sees who wrote which meaning."
)
VOTE = N_("One of the {n} meanings is true, and finding it scores two points. You can't choose your own.")
POINTS = N_("Each vote for your meaning scores a point, and writing the true one scores three.")


def hints(view: View[Fictionary], about: Ask[object] | Event) -> Iterator[Text]:
    if isinstance(about, Event):
        if about.message == TRUE:
            yield text(POINTS)
    elif isinstance(about.question, FreeText):
        yield text(WRITE)
    else:
        yield text(VOTE, n=len(view.game.meanings))
