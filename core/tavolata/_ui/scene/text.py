"""A scene as lines and as JSON: its items in short, each item in full, and all of it as data. Pure.

Lines need neither position nor colour to be understood. The JSON of items is published in `docs/ndjson.md`
and `docs/ndjson.schema.json`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from msgspec import Struct

from tavolata._text import number_within
from tavolata._ui.scene.items import ZoneItem, how_many, item_of
from tavolata._ui.scene.say import SceneWords
from tavolata._ui.words import Words
from tavolata.cards import Card
from tavolata.errors import Refused
from tavolata.messages import N_
from tavolata.ring import Seat
from tavolata.view import View
from tavolata.zones import CardRow, CardStack, CardView

Json = dict[str, Any]

LINE = N_("{title}: {content}")
NUMBERED = N_("{number}. {title}")
NONE_IN = N_("{title}: empty.")
TITLE = N_("{title}:")
FROM_TOP = N_("{title}: {count}, from the top:")


def items_of(view: View, words: Words) -> list[ZoneItem]:
    """Return the zones of a view as items; raise `GameError` if no frontend can show one of them."""
    say = SceneWords(words, view)
    return [item_of(zone, say) for zone in view.zones().values()]


# -- lines ----------------------------------------------------------------------------------------


def lines_of(item: ZoneItem) -> list[str]:
    content = item.content()
    if isinstance(content, str):
        return [item.say(LINE, {"title": item.head, "content": content})]
    head = item.say(LINE, {"title": item.head, "content": ""}).rstrip()
    return [head, *(f"  {line}".rstrip() for line in content)]


def description(item: ZoneItem) -> list[str]:
    """Say everything in an item that its viewer may know, for people who listen: a line for each thing."""
    if item.parts is None:
        return lines_of(item)
    found = [f"  {part}" for part in item.parts()]
    if not found:
        return [item.say(NONE_IN, {"title": item.named})]
    said, shape = {"title": item.named}, item.shape
    if isinstance(shape, CardStack | CardRow):
        said["count"] = how_many(shape.cards, item.say)
    return [item.say(FROM_TOP if "count" in said else TITLE, said), *found]


def said_once(items: Sequence[ZoneItem], seat: int | None) -> list[ZoneItem]:
    """Leave out those of another seat whose cards all are in a larger one of it, too.

    Its open cards are named there. One's own items all stay: they show which cards the others see.
    """
    cards = [
        {card.id for card in item.shape.cards} if isinstance(item.shape, CardRow) else set() for item in items
    ]
    seats = [item.zone.seat for item in items]
    return [
        item for item, owner, own in zip(items, seats, cards, strict=True)
        if owner is None or owner == seat or not own
        or not any(own < more for other, more in zip(seats, cards, strict=True) if other == owner)
    ]  # fmt: skip


def list_of_items(items: Sequence[ZoneItem]) -> list[str]:
    """Return the titles of all items, numbered."""
    return [
        item.say(NUMBERED, {"number": number, "title": item.named}) for number, item in enumerate(items, 1)
    ]


def find_item(name: str, items: Sequence[ZoneItem]) -> ZoneItem:
    """Return the item with this number, title, owner or id, or with one that begins this way.

    Raise `Refused`, with a list of them all, if none matches.
    """
    wanted = name.casefold().strip()
    number = number_within(wanted, 1, len(items))
    if number is not None:
        return items[number - 1]
    names = [
        [item.named, item.zone.id, "" if item.zone.seat is None else item.say.name(item.zone.seat)]
        for item in items
    ]
    for fits in (str.__eq__, str.startswith):
        for item, known in zip(items, names, strict=True):
            if any(fits(one.casefold(), wanted) for one in known if one):
                return item
    titles = ", ".join(one[0] for one in names)
    raise Refused(N_("Nothing called {name} on the table. Try: {known}."), name=name, known=titles)


# -- JSON -----------------------------------------------------------------------------------------


def as_data(value: Any) -> Any:
    """Return a scene, or a part of it, as JSON data; empty fields are left out."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, tuple):
        return [part if type(part) is str else as_data(part) for part in value]  # most parts are
    if isinstance(value, Struct):
        parts = [(name, getattr(value, name)) for name in value.__struct_fields__]
        return {
            name: part if type(part) is str else as_data(part)
            for name, part in parts if part or not _says_nothing(part)
        }  # fmt: skip
    return {str(name): as_data(value[name]) for name in value} if isinstance(value, Mapping) else value


def _says_nothing(part: Any) -> bool:
    return part is None or part is False or part in ("", (), {})  # the number 0 says something


def item_data(item: ZoneItem) -> Json:
    """Return one zone as its viewer sees it; the form of `content` depends on its kind."""
    zone, say = item.zone, item.say
    assert say.view is not None
    return {
        "id": zone.id,
        "kind": zone.kind,
        "title": item.title,
        "seat": None if zone.seat is None else int(zone.seat),
        "content": value_data(item.values(), say.words, say.view),
    }


def value_data(value: Any, words: Words, view: View | None) -> Any:
    """Return any value in the rules of a game as JSON; a hidden face is null.

    Seats and cards are objects, so that a program need not guess: `{"seat": 2, "text": "Ann"}`,
    `{"card": 17, "face": {...}, "text": "king of coppe"}`.
    """
    if isinstance(value, Seat):
        return {"seat": int(value), "text": words.describe(value)}
    if isinstance(value, Card | CardView):
        face = value.face if isinstance(value, CardView) else view.face(value) if view else None
        if face is None and view and isinstance(value, CardView):
            face = view.face_of(value.id)
        return {
            "card": value.id,
            "face": None if face is None else value_data(face, words, view),
            "text": words.describe(value, view),
        }
    if isinstance(value, Enum):
        return value_data(value.value, words, view)
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, list | tuple):
        return [value_data(part, words, view) for part in value]
    if isinstance(value, Mapping):
        return {str(key): value_data(part, words, view) for key, part in value.items()}
    if is_dataclass(value):
        parts = {one.name: value_data(getattr(value, one.name), words, view) for one in fields(value)}
        return {**parts, "text": words.describe(value, view)}
    return {"text": words.describe(value, view)}
