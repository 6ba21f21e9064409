"""The rehearsal: a match of random bots before the first frame, which gives everything its place.

It has the terms of the real match and a seed of its own, sends nothing and knows nothing of the real match.
So it's the same after a return, in a rematch and in a replay, and so are the places.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, assert_never

from msgspec import structs
from rich.cells import cell_len

from tavolata._engine.match.match import Match
from tavolata._engine.match.simulation import rehearsed
from tavolata._ui.answers import prompt_of
from tavolata._ui.scene.cast import NAMED, Cast, CastPart, Draw
from tavolata._ui.scene.decision import make_decision
from tavolata._ui.scene.items import thing_of
from tavolata._ui.scene.make import laid, make_scene
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.scene.scene import Decision, Scene, SceneItem
from tavolata._ui.scene.viewpoint import Begun, Viewpoint
from tavolata._ui.standing import OF
from tavolata._ui.words import Words
from tavolata.asks import Ask
from tavolata.boards import Spot
from tavolata.choices import Choice
from tavolata.kinds.fields import fields_of
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing, choices_of
from tavolata.ring import SEATS
from tavolata.windows import Window
from tavolata.zones import CardRow, CardStack, Zone

EVENTS: Final = 200
"""The most events of a rehearsal."""
LISTED: Final = 13
"""The choices of a decision that are noted: one more than a page has room for."""


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
    items: list[SceneItem] = []
    asked: dict[str, int] = {}

    def look(copy: Match[Any]) -> None:
        nonlocal last, items
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
            items = laid(view, zones.values(), point, say, cast)
            for item in items:
                _note(item, cast.parts[item.id])
            cast.changes += 1
            cast.shown = max(cast.shown, _shown(zones, seat))
        for ask in copy.source.open:
            if ask.seat == seat and (size := _size(ask.question)) > asked.get(ask.you, -1):
                asked[ask.you] = size
                with contextlib.suppress(Exception):  # a list scrolls then
                    for begun in _steps(ask, prompt_of(ask, words, view)):
                        _note_ask(make_decision(replace(point, question=begun), say, items, ()), cast)
        if copy.source.window is not None and seat is not None:
            there = window_data(copy.source.window, seat, words)
            kept = cast.windows.setdefault(len(there["acts"]), there)
            if len(repr(there)) > len(repr(kept)):
                cast.windows[len(there["acts"])] = there
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


def _note_people(scene: Scene, cast: Cast) -> None:
    others = (panel for panel in scene.panels if panel.seat != scene.seat)
    cast.seats, cast.own = len(scene.panels), bool(scene.yours) or any(panel.more for panel in scene.panels)
    cast.lines += any(value.draw != "cards" for panel in others for value in panel.more)


def window_data(window: Window, seat: int | None, words: Words) -> Mapping[str, Any]:
    """Return what a page shows of an open window to this viewer."""
    acts = []
    if seat is not None and SEATS[seat] in window.questions and window.may(seat):
        acts = [words.choice(choice) for choice in choices_of(window.questions[SEATS[seat]])]
    goes = "" if window.go is None else words.text(window.goes, window.params)
    return {
        "text": words.text(window.you if acts else window.others, window.params),
        "acts": acts,
        "go": window.go is not None and int(window.go) == seat and window.may(int(seat)),
        "goes": goes,
        "others": "" if window.go is None else words.text(OF, {"seat": window.go, "what": goes}),
    }


def _shown(zones: Mapping[str, Zone], viewer: int | None) -> int:
    """Return how many open cards the seat with the most has."""
    cards: dict[int, set[int]] = {}
    for zone in zones.values():
        shape = None if zone.seat is None else zone.shape()
        if zone.seat is not None and isinstance(shape, CardRow | CardStack):
            there = (card for card in shape.cards if card.face is not None)
            hides = zone.seat == viewer
            open_cards = {card.id for card in there if not (hides and card.down)}
            cards.setdefault(int(zone.seat), set()).update(open_cards)
    return max(map(len, cards.values()), default=0)


def _size(question: Question) -> int:
    """Return how many choices there are in the fields of a question that are known from the start."""
    return sum(len(getattr(one.shape(), "choices", ())) for _, one in fields_of(question, ()))


def _steps(ask: Ask[Any], prompt: str) -> Iterator[Begun]:
    """Yield a question field by field; where fields follow from a choice, from the one with the most."""
    given: list[Any] = []
    while len(given) < len(fields := fields_of(ask.question, given)):
        yield Begun(prompt, ask.question, ask, fields, tuple(given))
        shape = fields[len(given)][1].shape()
        if not isinstance(shape, Choices):
            given.append(shape.low if isinstance(shape, Number) else "")
        elif shape.several:
            given.append(tuple(range(shape.low)))
        else:
            ways = [len(fields_of(ask.question, [*given, (at,)])) for at in range(len(shape.choices))]
            given.append((ways.index(max(ways)),))


def _note_ask(made: Decision, cast: Cast) -> None:
    """Note a decision, if none of its sort has been larger. Choices on cards take no room in its list."""
    free = [one for one in made.options if one.at is None]
    free.sort(key=lambda one: (not one.mood, -len(one.text)))
    on = [one for one in made.options if one.at is not None]
    lanes = [one for one in on if one.at is not None and one.at.thing]
    others = [structs.replace(one, at=None) for one in on if one not in lanes]
    options = tuple(
        structs.replace(one, number=number, verb="", key="", why="", can=True, order=0)
        for number, one in enumerate([*free[:LISTED], *lanes, *others[:1]], 1)
    )
    pointed = max(range(len(options)), key=lambda at: len(options[at].more), default=0)
    made = structs.replace(
        made, title="", about=(), options=options, pointed=pointed, cannot=made.cannot[:1], preview=(),
        later=(), held=None,
    )  # fmt: skip
    sort = f"{made.kind} {len(made.entries)}"
    if sort not in cast.asks or len(repr(made)) > len(repr(cast.asks[sort])):
        cast.asks[sort] = made


def _note(item: SceneItem, part: CastPart) -> None:
    """Note how much room an item needs."""
    draw: Draw = "hand" if item.role == "yours" else item.draw
    cards = tuple(structs.replace(card, card=-1, new=False, counted=False) for card in item.cards)
    bare = structs.replace(item, about=False, new=False, delta=None, cards=cards)
    part.filled += bool(item.count) or item.draw not in ("backs", "fan", "hand")
    kept = part.largest.get(draw)
    if kept is None or (draw != "grid" and len(repr(bare)) > len(repr(kept))):
        part.largest[draw] = bare
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
