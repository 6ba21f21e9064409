"""Values, questions and zones of a match as JSON, for programs. Pure.

The format is published in `docs/ndjson.md` and `docs/ndjson.schema.json`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any, Final

from tavolata._engine.match.match import Match
from tavolata._engine.match.updates import Ended
from tavolata._ui.answers import not_true
from tavolata._ui.words import Words
from tavolata._version import __version__
from tavolata.asks import Ask
from tavolata.cards import Card
from tavolata.choices import Choice
from tavolata.errors import Refused
from tavolata.kinds.kind import Choices, Fieldset, Kind, Number
from tavolata.messages import N_, Event
from tavolata.ring import Seat
from tavolata.view import View
from tavolata.zones import CardRow, CardStack, CardView, Cells, Count, Lanes, Rows, Sentence, Zone

Json = dict[str, Any]
PROTOCOL: Final = 1
"""The protocol version. It rises when a program that follows the published format would break."""


def value_data(value: Any, words: Words, view: View) -> Any:
    """Any value in the rules of a game, as JSON; a hidden face is null.

    Seats and cards are objects, so that a program need not guess: `{"seat": 2, "text": "Ann"}`,
    `{"card": 17, "face": {...}, "text": "king of coppe"}`.
    """
    if isinstance(value, Seat):
        return {"seat": int(value), "text": words.describe(value)}
    if isinstance(value, Card | CardView):
        face = view.face(value) if isinstance(value, Card) else value.face
        if face is None and isinstance(value, CardView):
            face = view.face_of(value.id)
        return {
            "card": value.id,
            "face": None if face is None else value_data(face, words, view),
            "text": words.describe(value, view),
        }
    if isinstance(value, Enum):
        return value_data(value.value, words, view)
    if value is None or isinstance(value, bool | int | str):
        return value if type(value) in (bool, str) or value is None else int(value)
    if isinstance(value, list | tuple):
        return [value_data(part, words, view) for part in value]
    if isinstance(value, Mapping):
        return {str(key): value_data(part, words, view) for key, part in value.items()}
    if is_dataclass(value):
        parts = {one.name: value_data(getattr(value, one.name), words, view) for one in fields(value)}
        return {**parts, "text": words.describe(value, view)}
    return {"text": words.describe(value, view)}


def plain_data(value: Any) -> Any:
    """The plain form of a value (see `state.Writer`) as JSON, which has neither bytes nor tuples."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [plain_data(part) for part in value] if isinstance(value, list | tuple) else value


def chosen_data(kind: Kind, answer: Any) -> Any:
    """A program's answer by the values of choices, in the plain form of the chosen value.

    Raises:
        Refused: the answer does not have that shape.
    """
    match kind.shape():
        case Choices(several=True):
            return ["list", *answer] if isinstance(answer, list) else answer
        case Fieldset(fields):
            if not isinstance(answer, list) or len(answer) != len(fields):
                raise Refused(N_("Fill in all {n} fields."), n=len(fields))
            pairs = zip(fields, answer, strict=True)
            return ["dict", *([field.name, chosen_data(field.kind, one)] for field, one in pairs)]
        case _:
            return answer


def kind_data(
    kind: Kind,
    words: Words,
    view: View,
    ask: Ask | None = None,
    write: Callable[[Any], Any] | None = None,
) -> Json:
    """The legal answers to a question, and the cards that their owner may not choose.

    Args:
        kind: the kind of answer.
        words: the language.
        view: the view of the seat that is asked.
        ask: the question, if it comes from the game.
        write: makes the plain form of a value, if choices are identified by value; else by their places.
    """
    return {"kind": kind.name, **_shape(kind, words, view, ask, write)}


def _shape(kind: Kind, words: Words, view: View, ask: Ask | None, write: Callable[[Any], Any] | None) -> Json:
    match kind.shape():
        case Choices(choices, several=False, not_now=not_now):
            legal, refused = [], []
            for place, choice in enumerate(choices):
                text, reason = words.choice(choice, view), not_true(kind, place, view, ask)
                if reason is None:
                    legal.append(_choice(_id(place, choice, write), choice, text, words, view))
                else:
                    refused.append({"text": text, "reason": words.text(reason)})
            refused += [
                {
                    "text": words.text(no.label, no.params, view),
                    "reason": words.text(no.reason, no.params, view),
                }
                for no in not_now
            ]
            return {"choices": legal, "not_now": refused}
        case Choices(choices, low, high, ordered=ordered):
            listed = [
                _choice(_id(place, one, write), one, words.choice(one, view), words, view)
                for place, one in enumerate(choices)
            ]
            return {"choices": listed, "low": low, "high": high, **({"ordered": True} if ordered else {})}
        case Number(low, high, step):
            return {"low": low, "high": high, "step": step}
        case Fieldset(fields, different):
            parts = [
                {"name": name, "text": words.text(label), "kind": kind_data(part, words, view, write=write)}
                for name, label, part in fields
            ]
            return {"fields": parts, "different": different}


def _id(place: int, choice: Choice, write: Callable[[Any], Any] | None) -> Any:
    return place if write is None else plain_data(write(choice.value))


def _choice(number: Any, choice: Choice, text: str, words: Words, view: View) -> Json:
    data = {"id": number, "text": text, "value": value_data(choice.value, words, view)}
    at = choice.at[0] if isinstance(choice.at, tuple) else choice.at
    return data if at is None else {**data, "thing": getattr(at, "value", getattr(at, "id", at))}


def zone_data(zone: Zone, words: Words, view: View) -> Json:
    """One zone as this viewer sees it; the shape of `content` depends on the kind of the zone."""
    return {
        "id": zone.id,
        "kind": zone.kind,
        "title": words.text(zone.title, zone.params, view),
        "seat": None if zone.seat is None else int(zone.seat),
        "content": _content(zone, words, view),
    }


def _content(zone: Zone, words: Words, view: View) -> Any:
    match zone.shape():
        case Rows(rows):
            return [
                {"label": value_data(label, words, view), "number": value_data(number, words, view)}
                for label, number in rows
            ]
        case Lanes(squares):
            return [
                {"square": square, "mark": words.text(mark), "tokens": value_data(tokens, words, view)}
                for square, mark, tokens in squares
            ]
        case Sentence(message, params):
            return words.text(message, params, view)
        case CardStack(content) | CardRow(content) | Count(content) | Cells(content):
            return value_data(content, words, view)


def event_data(event: Event, words: Words, view: View) -> Json:
    """An event: the message id with its parameters, and the sentence."""
    return {
        "type": "event",
        "message": str(event.message),
        "params": value_data(event.params, words, view),
        "text": words.event(event, view),
    }


def hello_data(lang: str) -> Json:
    """The first line of the output."""
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "program": "tavolata",
        "version": __version__,
        "lang": lang,
    }


def end_data(ended: Ended, words: Words) -> Json:
    """The result of a match."""
    guilty = ended.conviction
    outcome = ended.outcome
    return {
        "type": "end",
        "outcome": None if outcome is None else {
            "winners": [int(seat) for seat in outcome.winners],
            "scores": None if outcome.scores is None else list(outcome.scores),
            "ranking": None if outcome.ranking is None else list(outcome.ranking),
        },
        "conviction": None if guilty is None else {**guilty.plain(), "text": words.describe(guilty.text)},
        "digest": ended.digest.hex(),
        "statistics": None if ended.statistics is None else ended.statistics._asdict(),
    }  # fmt: skip


def full_data(
    match: Match, seat: int | None, people: tuple[int, ...], words: Words, view: View | None = None
) -> Json:
    """Everything that a seat or a spectator may know now; `view` replaces the usual view."""
    view = match.view(seat) if view is None else view
    standing = match.standing(seat) if seat is not None and seat in people and not match.over else {}
    labels = match.labels()
    return {
        "type": "full",
        "game": match.rules.name,
        "seat": seat,
        "you": list(people),
        "names": list(match.terms.names),
        "options": match.terms.options.plain(),
        "turn": match.table.turn,
        "over": match.over,
        "zones": [zone_data(zone, words, view) for zone in view.zones().values()],
        "standing": [
            {
                "name": name,
                "text": words.text(labels[name]),
                "kind": kind_data(kind, words, view, write=match.chosen),
            }
            for name, kind in standing.items()
        ],
    }
