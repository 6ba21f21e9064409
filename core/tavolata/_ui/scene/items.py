"""The items of a scene: each zone as every frontend reads it.

`item_of` has one row for each shape of a zone. Frontends read items, so a new shape needs a row here and a
form on the screen (`make`); the type checker names both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby, zip_longest
from typing import Any, Final, assert_never

from msgspec import Struct

from tavolata._text import Verbatim
from tavolata._ui.scene.say import SceneWords
from tavolata.boards import counted
from tavolata.cards import Card
from tavolata.choices import Choice
from tavolata.looks import Look
from tavolata.messages import N_, NN_
from tavolata.view import View
from tavolata.zones import (
    CardRow,
    CardStack,
    CardView,
    Cells,
    Count,
    Lanes,
    Rows,
    Sentence,
    Show,
    Zone,
    ZoneShape,
)

CARDS = NN_("{n} card", "{n} cards")
HIDDEN_CARDS = NN_("{n} hidden card", "{n} hidden cards")
DICE = NN_("{n} die", "{n} dice")
HIDDEN_DICE = NN_("{n} hidden die", "{n} hidden dice")
TOP = N_("{count}, {card} on top")
OF_GOAL = N_("{title}, goal {goal}")
LAST = N_("{title}, to square {last}")
OWNED = N_("{title} of {seat}")
SQUARE = N_("Square {square} ({mark}): {tokens}")
PLAIN_SQUARE = N_("Square {square}: {tokens}")
NOBODY_THERE = N_("Empty: {squares}")
MARKED = N_("{square} ({mark})")
FACE_DOWN = N_("{card}, face down")
EMPTY = N_("empty")
PLACE = N_("{number}. {card}")
FREE = N_("Squares {low} to {high}: empty")
ROW = N_("Row {row}: {cells}")
CELL = N_("column {column} {what}")
NOTHING: Final = Show()
LINE: Final = 76
"""The most characters of a row of words on a board, so that an indented line has 80."""
KINDS: Final = 14
"""The most kinds of things that signs stand for: as many as of chessmen on two kinds of cells."""

Square = tuple[Any, str, tuple[Any, ...]]


class ZoneItem(Struct, frozen=True):
    """A zone in the words of its viewer.

    Attributes:
        title: its title; `named` has its owner, too, and `head` also its goal.
        content: the text after its head, or the lines below it.
        parts: everything that its viewer may know, a line for each thing; None if `content` has all of it.
        values: its content as plain data, with seats, cards and faces in it.
    """

    zone: Zone
    shape: ZoneShape
    show: Show
    say: SceneWords
    title: str
    named: str
    content: Callable[[], str | list[str]]
    parts: Callable[[], Iterable[str]] | None
    values: Callable[[], Any]
    head: str


def item_of(zone: Zone, say: SceneWords) -> ZoneItem:
    """Return a zone as an item; raise `GameError` if no frontend can show it (see `Zone.shape`)."""
    shape, show, title = in_order(zone, say.view), zone.show or NOTHING, say(zone.title, zone.params)
    named = title if zone.seat is None else say(OWNED, {"title": title, "seat": zone.seat})
    item = partial(ZoneItem, zone, shape, show, say, title, named)
    match shape:
        case CardStack(cards):
            return item(lambda: _stack(cards, say), lambda: _cards(cards, say), lambda: cards, named)
        case CardRow(cards):
            on_table = zone.seat is None
            return item(
                lambda: _row(cards, say, on_table=on_table),
                lambda: _cards(cards, say),
                lambda: zone.content,
                named,
            )
        case Count(number):
            return item(lambda: say.name(number), None, lambda: number, named)
        case Rows(rows):
            head = named if show.goal is None else say(OF_GOAL, {"title": named, "goal": show.goal})
            unit = say(show.unit)
            return item(
                lambda: ", ".join(_pairs(rows, " ", say, unit)) or say(EMPTY),
                lambda: _pairs(rows, ": ", say),
                lambda: [{"label": label, "number": number} for label, number in rows],
                head,
            )
        case Lanes(squares):
            last = squares[-1][0] if squares and show.goal is None else show.goal
            head = say(LAST, {"title": named, "last": last}) if squares else named
            return item(
                lambda: _lanes(squares, say),
                lambda: _squares(squares, say),
                lambda: [{"square": at, "mark": say(mark), "tokens": on_it} for at, mark, on_it in squares],
                head,
            )
        case Cells() as grid:
            return item(lambda: _table(grid, say), lambda: _rows(grid, say), lambda: _cells(grid), named)
        case Sentence(message, params):
            return item(lambda: say(message, params), None, lambda: say(message, params), named)
        case _ as never:
            assert_never(never)


def in_order(zone: Zone, view: View | None) -> ZoneShape:
    """Return the shape of a zone with its cards as they are drawn for a viewer who knows all of them."""
    shape = zone.shape()
    if not isinstance(shape, CardRow) or zone.order == "kept" or view is None or len(shape.cards) < 2:
        return shape
    faces = [card.face if card.face is not None else view.face_of(card.id) for card in shape.cards]
    if None in faces or are_dice(shape.cards):
        return shape

    def place(at: int) -> tuple[int, int]:
        rank = getattr(faces[at], "rank", 0) if zone.order == "rank" else 0
        return int(rank) if isinstance(rank, int) else 0, view.number_of(shape.cards[at].id, faces[at])

    return CardRow(tuple(shape.cards[at] for at in sorted(range(len(faces)), key=place)))


def shown_order(view: View, choices: Sequence[Choice]) -> tuple[int, ...]:
    """Return the places of choices in the order in which they're shown.

    Choices of cards follow the cards as they are drawn; all others stay where they are.
    """
    things = map(thing_of, choices)
    cards = [thing.id if isinstance(thing, Card) else None for thing in things]
    places = [at for at, card in enumerate(cards) if card is not None]
    if len(places) < 2:
        return tuple(range(len(choices)))
    rows = (in_order(zone, view) for zone in view.zones().values())
    drawn = [card.id for row in rows if isinstance(row, CardRow) for card in row.cards]
    ranks = {card: rank for rank, card in reversed(list(enumerate(drawn)))}
    order = list(range(len(choices)))
    there = [at for at in places if cards[at] in ranks]
    for place, at in zip(there, sorted(there, key=lambda at: ranks[cards[at] or 0]), strict=True):
        order[place] = at
    return tuple(order)


def thing_of(choice: Choice) -> Any:
    """Return what a choice is about: where it lies, otherwise its value."""
    at = choice.at[0] if isinstance(choice.at, tuple) else choice.at
    return choice.value if at is None else at


def are_dice(cards: Sequence[CardView]) -> bool:
    return bool(cards) and all(card.die for card in cards)


def how_many(cards: Sequence[CardView], say: SceneWords, hidden: int | None = None) -> str:
    if hidden is None:
        return say(DICE if are_dice(cards) else CARDS, {"n": len(cards)})
    return say(HIDDEN_DICE if are_dice(cards) else HIDDEN_CARDS, {"n": hidden})


def _stack(cards: Sequence[CardView], say: SceneWords) -> str:
    count = how_many(cards, say)
    return say(TOP, {"count": count, "card": cards[-1]}) if cards and cards[-1].face is not None else count


def _row(cards: Sequence[CardView], say: SceneWords, *, on_table: bool) -> str:
    """Return the open cards and the number of hidden ones; on the table some lie face down for others."""
    view = say.view
    known = [
        card for card in cards
        if card.face is not None or (view is not None and view.face_of(card.id) is not None)
    ]  # fmt: skip
    hidden = len(cards) - len(known)
    if not known:
        return how_many(cards, say) if cards else say(EMPTY)
    said = [say(FACE_DOWN, {"card": card}) if on_table and card.down else say.name(card) for card in known]
    return ", ".join([*said, how_many(cards, say, hidden)] if hidden else said)


def _cards(cards: Sequence[CardView], say: SceneWords) -> Iterator[str]:
    number = 1
    for hidden, group in groupby(reversed(cards), lambda card: card.face is None):
        some = list(group)
        if hidden and len(some) > 1:
            yield how_many(some, say, len(some))
        else:
            yield from (say(PLACE, {"number": at, "card": card}) for at, card in enumerate(some, number))
        number += len(some)


def _pairs(rows: Sequence[tuple[Any, Any]], between: str, say: SceneWords, unit: str = "") -> Iterator[str]:
    return (f"{say.name(label)}{between}{say.name(value)}{unit}" for label, value in rows)


def _lanes(squares: Sequence[Square], say: SceneWords) -> list[str]:
    """Return a line for each square with something on it, and one for the empty ones that mean something."""
    lines = [_square(*square, say) for square in squares if square[2]]
    marked = [
        say(MARKED, {"square": at, "mark": mark}) for at, mark, tokens in squares if mark and not tokens
    ]
    return [*lines, say(NOBODY_THERE, {"squares": Verbatim(", ".join(marked))})] if marked else lines


def _squares(squares: Sequence[Square], say: SceneWords) -> Iterator[str]:
    for free, group in groupby(squares, lambda square: not square[1] and not square[2]):
        some = list(group)
        if free and len(some) > 1:
            yield say(FREE, {"low": some[0][0], "high": some[-1][0]})
        else:
            yield from (_square(*square, say) for square in some)


def _square(square: Any, mark: str, tokens: tuple[Any, ...], say: SceneWords) -> str:
    on_it = say.name(tokens) if tokens else say(EMPTY)
    return say(SQUARE if mark else PLAIN_SQUARE, {"square": square, "mark": mark, "tokens": on_it})


def _in_cells(grid: Cells) -> list[list[tuple[tuple[Any, ...], Any]]]:
    """Return, by row and column, the things in a cell, and the cell's own meaning."""
    rows = zip_longest(grid.rows, grid.terrain, fillvalue=())
    return [list(zip_longest(row, grounds)) for row, grounds in rows]


def _table(grid: Cells, say: SceneWords) -> list[str]:
    """Return a grid as a table: labels, things, the meaning of empty cells, and a dot where nothing is."""
    from rich.cells import cell_len  # noqa: PLC0415 - few games have a board

    from tavolata._ui.scene.faces import short_of, signs_of  # noqa: PLC0415 - as above

    kinds: dict[str, str] = {}

    def said(things: tuple[Any, ...], ground: Any) -> str:
        one = things[-1] if things else ground
        if one is None:
            return "."
        text = f"{say.name(one)}+{len(things) - 1}" if len(things) > 1 else say.name(one)
        kinds[text] = short_of(say.name(one.short) if isinstance(one, Look) else text)
        return text

    table = [
        [counted(grid.labels[:1], at), *(said(*cell) for cell in row)]
        for at, row in enumerate(_in_cells(grid))
    ]
    legend: list[str] = []
    across, widest = len(table[0]), max(cell_len(text) for row in table for text in row[1:])
    if (widest + 1) * (across - 1) > LINE and (grid.cells == "text" or len(kinds) <= KINDS):
        signs = signs_of(kinds)
        table = [[side, *(signs.get(text, text) for text in row)] for side, *row in table]
        legend = [
            text if f"({sign})" in text else f"{sign} = {text}"
            for text, sign in signs.items() if sign not in ("", text)
        ]  # fmt: skip
    if grid.labels:
        table.insert(0, ["", *(counted(grid.labels[1:], column) for column in range(across - 1))])
    sides = max(cell_len(row[0]) for row in table)
    wide = max(cell_len(text) for row in table for text in row[1:])
    lines = []
    for at, (side, *row) in enumerate(table, -bool(grid.labels)):
        shift = " " * ((wide + 1) // 2) if grid.hexagonal and at % 2 and at > 0 else ""
        cells = [text + " " * (wide - cell_len(text)) for text in row]
        lines.append(f"{side:>{sides}} {shift}{' '.join(cells)}"[not sides :].rstrip())
    return [*lines, ", ".join(legend)] if legend else lines


def _rows(grid: Cells, say: SceneWords) -> Iterator[str]:
    for at, row in enumerate(_in_cells(grid)):
        cells = []
        for number, (things, ground) in enumerate(row):
            column = counted(grid.labels[1:], number) or number + 1
            what = [say.name(one) for one in (*reversed(things), ground) if one is not None]
            if what:
                cells.append(say(CELL, {"column": column, "what": ", ".join(what)}))
        label = counted(grid.labels[:1], at) or at + 1
        yield say(ROW, {"row": label, "cells": ", ".join(cells) or say(EMPTY)})


def _cells(grid: Cells) -> list[list[dict[str, Any]]]:
    return [
        [
            {"cell": [at, column], "label": grid.label(at, column), "things": things, "terrain": ground}
            for column, (things, ground) in enumerate(row)
        ]
        for at, row in enumerate(_in_cells(grid))
    ]
