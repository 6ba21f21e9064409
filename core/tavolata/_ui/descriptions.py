"""Full descriptions of single zones, for players who listen to a screen reader.

For short lines about the whole table see `zone_lines`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import assert_never

from tavolata._ui.words import Words
from tavolata._ui.zone_lines import EMPTY, how_many, square_line, title_of, zone_lines
from tavolata.boards import counted
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.view import View
from tavolata.zones import CardRow, CardStack, CardView, Cells, Count, Lanes, Rows, Sentence, Zone

NUMBERED = N_("{number}. {title}")
PLACE = N_("{number}. {card}")
FROM_TOP = N_("{title}: {count}, from the top:")
NONE_IN = N_("{title}: empty.")
FREE = N_("Squares {low} to {high}: empty")
ROW = N_("Row {row}: {cells}")
CELL = N_("column {column} {what}")
TITLE = N_("{title}:")


def list_of_zones(words: Words, view: View) -> list[str]:
    """The titles of all zones, numbered."""
    return [
        words.text(NUMBERED, {"number": number, "title": title_of(zone, words, view)})
        for number, zone in enumerate(view.zones().values(), 1)
    ]


def find_zone(name: str, words: Words, view: View) -> Zone:
    """The zone with this number, title, owner or id, or with one that begins this way.

    Raises:
        Refused: no zone matches; the sentence lists them all.
    """
    zones = list(view.zones().values())
    wanted = name.casefold().strip()
    if wanted.isdecimal() and 1 <= int(wanted) <= len(zones):
        return zones[int(wanted) - 1]
    names = [
        [title_of(zone, words, view), zone.id, "" if zone.seat is None else words.describe(zone.seat)]
        for zone in zones
    ]
    for fits in (str.__eq__, str.startswith):
        for zone, known in zip(zones, names, strict=True):
            if any(fits(one.casefold(), wanted) for one in known if one):
                return zone
    titles = ", ".join(one[0] for one in names)
    raise Refused(
        N_("There is nothing called {name} on the table; there is: {known}."), name=name, known=titles
    )


def description(zone: Zone, words: Words, view: View) -> list[str]:
    """Everything in a zone that this viewer may know, one item per line."""
    shape, title = zone.shape(), title_of(zone, words, view)
    head = words.text(TITLE, {"title": title})
    match shape:
        case CardStack(cards) | CardRow(cards):
            count = how_many(cards, words)
            head = words.text(FROM_TOP, {"title": title, "count": count})
            rows = _cards(cards, words, view)
        case Rows():
            rows = _rows(shape, words, view)
        case Lanes():
            rows = _squares(shape, words, view)
        case Cells():
            rows = _cells(shape, words, view)
        case Count() | Sentence():
            return zone_lines(zone, words, view)
        case _:
            assert_never(shape)
    found = [f"  {row}" for row in rows]
    return [head, *found] if found else [words.text(NONE_IN, {"title": title})]


def _cards(cards: Sequence[CardView], words: Words, view: View) -> Iterator[str]:
    number = 1
    for hidden, group in groupby(reversed(cards), lambda card: card.face is None):
        some = list(group)
        if hidden and len(some) > 1:
            yield how_many(some, words, len(some))
            number += len(some)
            continue
        for card in some:
            yield words.text(PLACE, {"number": number, "card": card}, view)
            number += 1


def _rows(shape: Rows, words: Words, view: View) -> Iterator[str]:
    for label, value in shape.rows:
        yield f"{words.describe(label, view)}: {words.describe(value, view)}"


def _squares(shape: Lanes, words: Words, view: View) -> Iterator[str]:
    for free, group in groupby(shape.squares, lambda square: not square[1] and not square[2]):
        squares = list(group)
        if free and len(squares) > 1:
            yield words.text(FREE, {"low": squares[0][0], "high": squares[-1][0]})
            continue
        yield from (square_line(*square, words, view) for square in squares)


def _cells(shape: Cells, words: Words, view: View) -> Iterator[str]:
    for at, row in enumerate(shape.rows):
        cells = []
        for number, things in enumerate(row):
            ground = shape.terrain[at][number] if shape.terrain else None
            what = [words.describe(one, view) for one in (*reversed(things), ground) if one is not None]
            column = counted(shape.labels[1:], number) or number + 1
            if what:
                cells.append(words.text(CELL, {"column": column, "what": ", ".join(what)}))
        label = counted(shape.labels[:1], at) or at + 1
        yield words.text(ROW, {"row": label, "cells": ", ".join(cells) or words.text(EMPTY)})
