"""The rehearsal: a match of random bots before the first frame, which gives everything its place.

It has the terms of the real match and a seed of its own, sends nothing and knows nothing of the real match.
So it's the same after a return and in a replay, and so are the places.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from tavolata._engine.match.match import Match
from tavolata._engine.match.simulation import rehearsed
from tavolata._ui.scene.ledger import Ledger
from tavolata._ui.scene.make import make_scene, note_extents
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.words import Words
from tavolata.kinds.question import Branching, Choices, Fieldset, Question
from tavolata.zones import Zone

EVENTS: Final = 200
"""The most events of a rehearsal."""


def rehearse(match: Match[Any], seat: int | None, words: Words, point: Viewpoint, ledger: Ledger) -> None:
    """Fill the ledger with the places and the extents that a viewer's match may need.

    If the rules raise, what was seen until then has its place; the real match is to report it.
    """
    last: Mapping[str, Zone] | None = None
    own = False

    def look(copy: Match[Any]) -> None:
        nonlocal last, own
        view = copy.view(seat)
        zones = view.zones()
        for ask in copy.source.open:
            if seat is None or ask.seat == seat:
                ledger.choices |= dict.fromkeys(_columns(ask.question))
        if last is None:
            make_scene(view, zones.values(), point, SceneWords(words, view, plain=point.ascii), ledger)
        if zones != last:
            note_extents(view, zones.values(), point, SceneWords(words, view, plain=point.ascii), ledger)
        last = dict(zones)
        own = own or any(zone.seat is not None for zone in zones.values())
        ledger.stamps |= any(event.stamp for event in copy.events[-1:])

    with contextlib.suppress(Exception):
        rehearsed(match.rules, match.terms, look, EVENTS)
    if ledger.opening is not None:
        ledger.opening = replace(ledger.opening, own=ledger.opening.own or own)


def _columns(question: Question) -> Iterator[str]:
    """Yield the columns of a track in which the choices of a question lie."""
    shape = question.shape()
    if isinstance(shape, Fieldset):
        for field in shape.fields:
            yield from _columns(field.question)
    elif isinstance(shape, Choices):
        places = (choice.at for choice in shape.choices if isinstance(choice.at, tuple))
        yield from (column for _, column in places if column and not column.isdecimal())
    elif isinstance(shape, Branching):
        yield from _columns(shape.first)
        for then in shape.then:
            yield from () if then is None else _columns(then)
