"""Questions, events and whole matches as JSON, for programs. Pure.

The format is published in `docs/ndjson.md` and `docs/ndjson.schema.json`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from tavolata._engine.match.interjections import answer_of
from tavolata._engine.match.match import Match
from tavolata._engine.match.statistics import time_awards
from tavolata._engine.match.updates import Ended
from tavolata._ui.answers import fitting
from tavolata._ui.scene.text import Json, item_data, items_of, value_data
from tavolata._ui.words import Words
from tavolata._version import __version__
from tavolata.asks import Ask
from tavolata.boards import Spot
from tavolata.choices import Answer, Choice
from tavolata.errors import Refused
from tavolata.kinds.fields import endings
from tavolata.kinds.question import Branching, Choices, Fieldset, Number, Question, Writing
from tavolata.messages import N_, Event, Mark
from tavolata.texts import tidied
from tavolata.view import View

PROTOCOL: Final = 1
"""The protocol version. It rises when a program that follows the published format would break."""


NOT_JSON = N_("That isn't a JSON object on one line: {problem}")


def object_in(line: str, number: Callable[[str], int] = int) -> Json:
    """Return the object that a program or a page sends; raise `Refused` if it isn't a JSON object.

    Its texts are of whole signs, as they can be sent on. `number` reads its whole numbers; it raises
    `ValueError` for those that there can't be.
    """
    try:
        said = json.loads(line, parse_int=number)
        (json.dumps(said, ensure_ascii=False) if "\\u" in line else line).encode()  # half a sign can't be
    except RecursionError:
        raise Refused(NOT_JSON, problem="too deep") from None
    except ValueError as error:
        raise Refused(NOT_JSON, problem=str(error)) from None
    if not isinstance(said, dict):
        raise Refused(NOT_JSON, problem=type(said).__name__)
    return said


def plain_data(value: Any) -> Any:
    """The plain form of a value (see `state.Writer`) as JSON, which has neither bytes nor tuples."""
    if isinstance(value, bytes):
        return {"bytes": value.hex()}
    return [plain_data(part) for part in value] if isinstance(value, list | tuple) else value


def answer_by_values(kind: Question, answer: Any, write: Callable[[Any], Any]) -> Answer:
    """The legal answer that a program gives by the plain forms of the values of choices.

    Args:
        kind: the kind of answer.
        answer: what the program sent.
        write: makes the plain form of a value.

    Raises:
        Refused: the answer does not have that shape, or is not legal.
    """
    match kind.shape():
        case Choices(several=True):
            return answer_of(kind, ["list", *answer] if isinstance(answer, list) else answer, write)
        case Branching(first, then):
            if not isinstance(answer, list) or not answer:
                raise Refused(N_("Choose a number from 1 to {n}."), n=len(then))
            place: Any = answer_of(first, answer[0], write)
            after = then[place]
            rest = [one if after is None else answer_by_values(after, one, write) for one in answer[1:]]
            return kind.check(kind.answer_from((place, *rest)))
        case Fieldset(fields):
            if not isinstance(answer, list) or len(answer) != len(fields):
                raise Refused(N_("Fill in all {n} fields."), n=len(fields))
            pairs = zip(fields, answer, strict=True)
            parts = tuple(answer_by_values(field.question, one, write) for field, one in pairs)
            return kind.check(kind.answer_from(parts))
        case Writing():
            return kind.check(kind.answer_from(tidied(answer) if isinstance(answer, str) else answer))
        case Choices() | Number():
            return answer_of(kind, answer, write)


def kind_data(
    kind: Question,
    words: Words,
    view: View,
    ask: Ask | None = None,
    write: Callable[[Any], Any] | None = None,
    given: Sequence[Any] = (),
    skipped: int = 0,
) -> Json:
    """The legal answers to a question, and what the asked seat may not choose because of its own cards.

    Args:
        kind: the kind of answer.
        words: the language.
        view: the view of the seat that is asked.
        ask: the question, if it comes from the game.
        write: makes the plain form of a value, if choices are identified by value; otherwise by their places.
        given: see `fitting`.
        skipped: see `fitting`.
    """

    def part(one: Question, *more: Any, skip: int = 0) -> Json:
        return kind_data(one, words, view, ask, write, (*given, *more), skipped + skip)

    def listed(places: Iterable[int], choices: Sequence[Choice]) -> list[Json]:
        return [_choice(place, choices[place], words, view, write) for place in places]

    data: Json = {"kind": kind.name}
    match kind.shape():
        case Choices(choices, several=False, unavailable=unavailable):
            fit = fitting(ask, view, given, skipped)
            legal = [place for place in range(len(choices)) if fit is None or place in fit]
            refused = [
                {"text": words.choice(one, view), "reason": words.text(ask.claim.reason)}
                for place, one in enumerate(choices)
                if place not in legal and ask is not None and ask.claim is not None
            ] + [
                {
                    "text": words.text(no.label, no.params, view),
                    "reason": words.text(no.reason, no.params, view),
                }
                for no in unavailable
            ]
            return {**data, "choices": listed(legal, choices), "not_now": refused}
        case Choices(choices, low, high, ordered=ordered):
            order = {"ordered": True} if ordered else {}
            return {
                **data,
                "choices": listed(range(len(choices)), choices),
                "low": low,
                "high": high,
                **order,
            }
        case Number(low, high, step):
            return {**data, "low": low, "high": high, "step": step}
        case Writing(low, high, signs, suggestions):
            return {**data, "low": low, "high": high, "signs": signs, "suggestions": list(suggestions)}
        case Branching(first, then):
            choice = part(first)
            places = [one["id"] for one in choice["choices"]] if write is None else range(len(then))
            for place, one in zip(places, choice["choices"], strict=True):
                after = then[place]
                one["then"] = None if after is None else part(after, (place,))
            return {**choice, **data}
        case Fieldset(fields, different=different):
            parts = [
                {"name": name, "text": words.text(label), "kind": part(one, skip=number)}
                for number, (name, label, one) in enumerate(fields)
            ]
            data["fields"] = parts
            if different:
                data["different"] = words.text(different)
            if ask is not None and fitting(ask, view, given, skipped) is not None:
                allowed = [
                    one
                    for one in endings(ask.question, given) or ()
                    if view.holds(ask, ask.question.value_of(one))
                ]
                data["allowed"] = [_after(one, len(given)) for one in allowed]
            return data


def _after(answer: Any, branches: int) -> Any:
    """What follows after this many branches of an answer."""
    return answer if not branches else _after(answer[1], branches - 1)


def _choice(place: int, choice: Choice, words: Words, view: View, write: Callable[[Any], Any] | None) -> Json:
    number = place if write is None else plain_data(write(choice.value))
    value = value_data(choice.value, words, view)
    data = {"id": number, "text": words.choice(choice, view), "value": value}
    at = choice.at[0] if isinstance(choice.at, tuple) else choice.at
    if isinstance(at, Spot):
        return {**data, "thing": value_data(at, words, view)}
    return data if at is None else {**data, "thing": getattr(at, "value", getattr(at, "id", at))}


def event_data(event: Event, words: Words, view: View | None) -> Json:
    """An event: the message id with its parameters, and the sentence; no view is needed without a match."""
    return {
        "type": "event",
        "message": str(event.message),
        "params": value_data(event.params, words, view),
        "text": words.event(event, view),
        **({"stamp": str(event.stamp)} if event.stamp else {}),
        **({"marks": [_mark(mark, view) for mark in event.marks]} if view and event.marks else {}),
    }


def _mark(mark: Mark, view: View) -> Json:
    """A mark, without the cards whose faces this viewer may not see."""
    data: Json = {"kind": mark.kind}
    if mark.kind == "counted":
        return {
            **data,
            "cards": [card for card in mark.cards if view.face_of(card)],
            "of": mark.of,
            "need": mark.need,
        }
    data["seat"] = None if mark.seat is None else int(mark.seat)
    if mark.to is not None:
        data |= {"to": int(mark.to), "n": mark.n, "over": list(map(int, mark.over))}
    return data


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
            "ranks": None if outcome.ranks is None else list(outcome.ranks),
            **({} if outcome.team_scores is None else {"team_scores": list(outcome.team_scores)}),
            "statistics": {title: list(row) for title, row in outcome.statistics.items()},
            "why": None if outcome.why is None else words.describe(outcome.why),
            "awards": [
                {
                    "seat": int(one.seat),
                    "award": one.message,
                    "text": words.text(one.message, one.params),
                    "why": words.text(one.why, one.params),
                }
                for one in (*outcome.awards, *time_awards(ended.statistics))
            ],
            "series": {title: [list(row) for row in rows] for title, rows in outcome.series.items()},
        },
        "conviction": None if guilty is None else {**guilty.plain(), "text": words.describe(guilty.text)},
        "suspended": ended.suspended,
        "not_in": list(ended.not_in),
        "unproven": list(ended.unproven),
        "digest": ended.digest.hex(),
        "statistics": None if ended.statistics is None else ended.statistics._asdict(),
    }  # fmt: skip


def full_data(
    match: Match, seat: int | None, people: tuple[int, ...], words: Words, view: View | None = None
) -> Json:
    """Everything that a seat or a spectator may know now; `view` replaces the default view."""
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
        "turn": match.turns,
        "over": match.over,
        "zones": [item_data(item) for item in items_of(view, words)],
        "standing": [
            {
                "name": name,
                "text": words.text(labels[name]),
                "kind": kind_data(kind, words, view, write=match.chosen),
            }
            for name, kind in standing.items()
        ],
    }
