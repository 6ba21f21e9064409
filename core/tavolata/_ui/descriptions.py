"""One zone at a time, told in full: what a glance gives to who sees it, these lines give to who hears it.

Short lines for the whole table are `zone_lines`'s.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import groupby
from typing import Any

from tavolata._ui.words import Words
from tavolata._ui.zone_lines import CARDS, EMPTY, OWNED, zone_lines
from tavolata.errors import Refused
from tavolata.messages import N_, NN_
from tavolata.view import CardView, View, Zone

NUMBERED = N_("{number}. {title}")
PLACE = N_("{number}. {card}")
HIDDEN_CARDS = NN_("{n} hidden card", "{n} hidden cards")
FROM_TOP = N_("{title}: {count}, from the top:")
NONE_IN = N_("{title}: empty.")
FREE = N_("Squares {low} to {high}: empty")
SQUARE = N_("Square {square} ({mark}): {tokens}")
PLAIN_SQUARE = N_("Square {square}: {tokens}")
ROW = N_("Row {row}: {cells}")
CELL = N_("column {column} {what}")
TITLE = N_("{title}:")


def title_of(zone: Zone, words: Words, view: View) -> str:
    """What a zone is called, with its owner."""
    title = words.text(zone.title, zone.params, view)
    return title if zone.seat is None else words.text(OWNED, {"title": title, "seat": zone.seat})


def list_of_zones(words: Words, view: View) -> list[str]:
    """The names of all zones, numbered."""
    return [
        words.text(NUMBERED, {"number": number, "title": title_of(zone, words, view)})
        for number, zone in enumerate(view.zones().values(), 1)
    ]


def find_zone(name: str, words: Words, view: View) -> Zone:
    """The zone that is meant: by number, title, owner or id, or how one of these begins.

    Raises:
        Refused: none is; the sentence names them all.
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
    """Everything in a zone that this viewer may know, one thing a line."""
    rows = _ROWS.get(zone.kind)
    if rows is None:
        return zone_lines(zone, words, view)
    title = title_of(zone, words, view)
    found = [f"  {row}" for row in rows(zone, words, view)]
    if not found:
        return [words.text(NONE_IN, {"title": title})]
    if zone.kind in ("pile", "hand"):
        count = words.text(CARDS, {"n": len(zone.content)})
        return [words.text(FROM_TOP, {"title": title, "count": count}), *found]
    return [words.text(TITLE, {"title": title}), *found]


def _cards(zone: Zone, words: Words, view: View) -> Iterator[str]:
    cards: list[CardView] = list(reversed(zone.content))
    number = 1
    for hidden, group in groupby(cards, lambda card: card.face is None):
        some = list(group)
        if hidden and len(some) > 1:
            yield words.text(HIDDEN_CARDS, {"n": len(some)})
            number += len(some)
            continue
        for card in some:
            yield words.text(PLACE, {"number": number, "card": card}, view)
            number += 1


def _tokens(zone: Zone, words: Words, view: View) -> Iterator[str]:
    for label, value in zone.content:
        yield f"{words.describe(label, view)}: {words.describe(value, view)}"


def _track(zone: Zone, words: Words, view: View) -> Iterator[str]:
    for free, group in groupby(zone.content, lambda square: not square[1] and not square[2]):
        squares = list(group)
        if free and len(squares) > 1:
            yield words.text(FREE, {"low": squares[0][0], "high": squares[-1][0]})
            continue
        for square, mark, tokens in squares:
            what = words.describe(tokens, view) if tokens else words.text(EMPTY)
            message = SQUARE if mark else PLAIN_SQUARE
            yield words.text(message, {"square": square, "mark": mark, "tokens": what})


def _grid(zone: Zone, words: Words, view: View) -> Iterator[str]:
    for number, row in enumerate(zone.content, 1):
        cells = [
            words.text(CELL, {"column": column, "what": words.describe(cell, view)})
            for column, cell in enumerate(row, 1)
            if cell is not None
        ]
        yield words.text(ROW, {"row": number, "cells": ", ".join(cells) or words.text(EMPTY)})


_ROWS: dict[str, Callable[[Zone, Words, View], Any]] = {
    "pile": _cards,
    "hand": _cards,
    "tokens": _tokens,
    "track": _track,
    "grid": _grid,
}
