"""Zones as lines of text, complete in themselves: nothing is said by place or colour alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from tavolata._ui.words import Words
from tavolata.messages import N_, NN_
from tavolata.view import CardView, View, Zone

CARDS = NN_("{n} card", "{n} cards")
TOP = N_("{count}, on top {card}")
LINE = N_("{title}: {content}")
OWNED = N_("{title} of {seat}")
SQUARE = N_("{square} ({mark}): {tokens}")
PLAIN_SQUARE = N_("{square}: {tokens}")
EMPTY = N_("empty")


def zone_lines(zone: Zone, words: Words, view: View) -> list[str]:
    """The lines of one zone, as this viewer sees it."""
    title = words.text(zone.title, zone.params, view)
    if zone.seat is not None:
        title = words.text(OWNED, {"title": title, "seat": zone.seat})
    content = _CONTENT[zone.kind](zone, words, view)
    if isinstance(content, str):
        return [words.text(LINE, {"title": title, "content": content})]
    return [words.text(LINE, {"title": title, "content": ""}).rstrip(), *(f"  {line}" for line in content)]


def _pile(zone: Zone, words: Words, view: View) -> str:
    cards: tuple[CardView, ...] = zone.content
    count = words.text(CARDS, {"n": len(cards)})
    if not cards or cards[-1].face is None:
        return count
    return words.text(TOP, {"count": count, "card": cards[-1]}, view)


def _hand(zone: Zone, words: Words, view: View) -> str:
    cards: tuple[CardView, ...] = zone.content
    if not cards:
        return words.text(EMPTY)
    if all(card.face is None for card in cards):
        return words.text(CARDS, {"n": len(cards)})
    return words.describe(cards, view)


def _counter(zone: Zone, words: Words, view: View) -> str:
    return words.describe(zone.content, view)


def _tokens(zone: Zone, words: Words, view: View) -> str:
    rows = (f"{words.describe(label, view)} {words.describe(value, view)}" for label, value in zone.content)
    return ", ".join(rows) or words.text(EMPTY)


def _track(zone: Zone, words: Words, view: View) -> Iterable[str]:
    for square, mark, tokens in zone.content:
        if tokens or mark:
            message = SQUARE if mark else PLAIN_SQUARE
            on_it = words.describe(tokens, view) if tokens else words.text(EMPTY)
            yield words.text(message, {"square": square, "mark": mark, "tokens": on_it})


def _grid(zone: Zone, words: Words, view: View) -> Iterable[str]:
    for row in zone.content:
        yield " ".join("." if cell is None else words.describe(cell, view) for cell in row)


def _text(zone: Zone, words: Words, view: View) -> str:
    return words.text(zone.content, zone.params, view)


_CONTENT: dict[str, Callable[[Zone, Words, View], Any]] = {
    "pile": _pile,
    "hand": _hand,
    "counter": _counter,
    "tokens": _tokens,
    "track": lambda zone, words, view: list(_track(zone, words, view)),
    "grid": lambda zone, words, view: list(_grid(zone, words, view)),
    "text": _text,
}
