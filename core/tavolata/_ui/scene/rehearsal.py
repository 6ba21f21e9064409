"""The rehearsal: a match of random bots before the first frame, which gives everything its place.

It has the terms of the real match and a seed of its own, sends nothing and knows nothing of the real match.
So it's the same after a return, in a rematch and in a replay, and so are the places.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any, Final, assert_never

from rich.cells import cell_len

from tavolata._engine.match.match import Match
from tavolata._engine.match.simulation import rehearsed
from tavolata._ui.scene.cast import NAMED, Cast, CastPart
from tavolata._ui.scene.items import thing_of
from tavolata._ui.scene.make import laid, make_scene
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import Scene, SceneItem
from tavolata._ui.scene.viewpoint import Viewpoint
from tavolata._ui.words import Words
from tavolata.boards import Spot
from tavolata.choices import Choice
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.zones import Zone

EVENTS: Final = 200
"""The most events of a rehearsal."""


def rehearse(match: Match[Any], seat: int | None, words: Words, point: Viewpoint) -> Cast:
    """Return the places and the extents that a viewer's match may need.

    If the rules raise, what was seen until then has its place; the real match is to report it.
    """
    known = _known(*_terms(match), seat, words.lang, tuple(point.people), point.ascii)
    if not known:
        known.append(_rehearse(match, seat, words, point))
    cast: Cast = deepcopy(known[0])
    return cast


@lru_cache(16)
def _known(*_: object) -> list[Any]:
    """Return what was found in a rehearsal that is the same in all of this; empty before the first one."""
    return []


def _terms(match: Match[Any]) -> tuple[object, ...]:
    """Return all that a rehearsal depends on but its viewer."""
    terms = match.terms
    return (
        match.rules, terms.names, tuple(terms.options.plain().items()), terms.teams, terms.bots,
        terms.convicts, terms.legacy, terms.narrator,
    )  # fmt: skip


def _rehearse(match: Match[Any], seat: int | None, words: Words, point: Viewpoint) -> Cast:
    last: Mapping[str, Zone] | None = None
    cast = Cast()

    def look(copy: Match[Any]) -> None:
        nonlocal last
        view = copy.view(seat)
        zones, say = view.zones(), SceneWords(words, view, plain=point.ascii)
        for ask in copy.source.open:
            for choices in _choices(ask.question):
                if any(isinstance(thing_of(one), Spot) for one in choices):
                    cast.most = max(cast.most, len(choices))
                if seat is None or ask.seat == seat:
                    places = [one.at for one in choices if isinstance(one.at, tuple)]
                    columns = (column for _, column in places if column and not column.isdecimal())
                    cast.choices |= dict.fromkeys(columns)
        if last is None:
            _note_people(make_scene(view, zones.values(), point, say, cast), cast)
        if zones != last:
            for item in laid(view, zones.values(), point, say, cast):
                _note(item, cast.parts[item.id])
        last = dict(zones)
        cast.own |= any(zone.seat is not None or cast.is_own(zone.id) for zone in zones.values())
        cast.stamps |= any(event.stamp for event in copy.events[-1:])

    with contextlib.suppress(Exception):
        rehearsed(match.rules, match.terms, look, EVENTS)
    board = cast.others()
    if board and not cast.hero:  # what is largest has the largest place
        largest = max((cast.parts[zone] for zone in board), key=lambda part: part.rows)
        largest.slot, largest.role = "hero.0", "hero"
    cast.rehearsed = len(board)
    return cast


def has_stamps(match: Match[Any]) -> bool:
    """Return True if the game stamps its verdicts; for a viewer who needs no places."""
    known = _known(*_terms(match))

    def look(copy: Match[Any]) -> None:
        known[0] = known[0] or any(event.stamp for event in copy.events[-1:])

    if not known:
        known.append(False)
        with contextlib.suppress(Exception):
            rehearsed(match.rules, match.terms, look, EVENTS)
    return bool(known[0])


def _note_people(scene: Scene, cast: Cast) -> None:
    others = (panel for panel in scene.panels if panel.seat != scene.seat)
    cast.seats, cast.own = len(scene.panels), bool(scene.yours) or any(panel.more for panel in scene.panels)
    cast.lines += any(value.draw != "cards" for panel in others for value in panel.more)


def _note(item: SceneItem, part: CastPart) -> None:
    """Note how much room an item needs."""
    for at, column in enumerate(item.columns):
        widest = max(cell_len(lane.columns[at]) for lane in item.lanes)
        part.columns[column] = max(widest, part.columns.get(column, 0))
    part.slots = max(part.slots, len(item.row), len(item.cards) if item.draw == "fan" else 0)
    part.draw = "row" if item.draw == "row" else part.draw
    cells_of = [cell for row in item.cells for cell in row]
    shorts = (cell_len(f"{cell.short}+{cell.more}" if cell.more else cell.short) for cell in cells_of)
    most = max(shorts, default=0) if item.draw == "grid" else len(item.cards) if item.draw == "hand" else 0
    if most:
        part.columns[""] = max(most, part.columns.get("", 0))
    names = (cell_len(cell.name) for cell in cells_of)
    part.slots = max(part.slots, min(NAMED, max(names, default=0)))
    rows, least, cells = _needs(item)
    part.rows, part.least = max(rows, part.rows), max(least, part.least)
    part.cells = max(cells[0], part.cells[0]), max(cells[1], part.cells[1])


LANES: Final = (36, 40)
"""The cells of lanes with their names: one for each of two dozen squares, and with what lies beside them."""
LINED: Final = 4
"""The cells of a column of a grid from which lines are between the columns."""
GRID: Final = 5
"""The least rows of a grid that is higher."""


def _needs(item: SceneItem) -> tuple[int, int, tuple[int, int]]:
    """Return the rows of an item, the least rows, and the cells."""
    if item.draw == "lanes":
        return len(item.lanes) + 1 + bool(item.marks), len(item.lanes) + 1, LANES
    if item.draw == "rows":
        return len(item.rows) + 1, len(item.rows) // 2 + 1, LANES
    if item.draw != "grid":
        return int(bool(item.cards or item.row)), 0, (0, 0)
    down, across = item.labels
    columns = max(map(len, item.cells), default=0)
    count = sum(map(bool, item.cells))  # a row without cells is no more than a gap
    high = 3 if item.words else 1  # two lines of words, and the line below them
    widest = max((cell_len(cell.short) for row in item.cells for cell in row), default=0)
    each = max(widest, len(str(len(item.cells) * columns)), *map(cell_len, across), 1) + 1
    side = max(map(cell_len, down), default=-1) + 1
    cells = side + columns * each, side + columns * max(each, NAMED if item.words else LINED) + 1
    return count * high + bool(across), min(count, GRID), cells


def _choices(question: Question) -> Iterator[Sequence[Choice]]:
    """Yield the choices of a question, those of each field."""
    match question.shape():
        case Fieldset(fields):
            for field in fields:
                yield from _choices(field.question)
        case Choices(choices):
            yield choices
        case Branching(first, after):
            yield from _choices(first)
            for then in after:
                yield from () if then is None else _choices(then)
        case Number() | Writing():
            pass
        case _ as never:
            assert_never(never)
