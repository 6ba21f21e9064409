"""Serialization of events, so that a match can be watched even when its rules have changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from tavolata._engine.match.match import Match
from tavolata._engine.match.state import Reader, Writer
from tavolata._engine.match.updates import Ended
from tavolata._text import one_line
from tavolata.errors import GameError
from tavolata.messages import Event, Plural, Text
from tavolata.outcome import Award, Outcome
from tavolata.ring import SEATS
from tavolata.table import Table


def plain_event(event: Event, match: Match) -> list[Any]:
    writer = Writer(match.table)
    params = {name: writer.write(value, "event") for name, value in event.params.items()}
    return [str(event.message), getattr(event.message, "other", None), params, event.to]


def events_of(recorded: Iterable[Any], match: Match) -> list[Event]:
    return list(_read(recorded, Reader(match.table, match.rules.__module__.partition(".")[0])))


def told_events(recorded: Iterable[Any], package: str) -> Iterator[Event]:
    """Yield the events from plain data without a match, leaving out those that can't be read.

    Classes of the game's package may be named; it is "" if the game is not installed.
    """
    reader = Reader(None, package)
    for one in recorded:
        with suppress(GameError, ValueError, TypeError):
            yield from _read([_shown(one)], reader)


def _shown(value: Any) -> Any:
    """Make the texts in plain data printable: they may come from anybody."""
    if isinstance(value, str):
        return one_line(value, 1000)
    if isinstance(value, list | tuple):
        return [_shown(part) for part in value]
    return {_shown(key): _shown(part) for key, part in value.items()} if isinstance(value, dict) else value


def _read(recorded: Iterable[Any], reader: Reader) -> Iterator[Event]:
    return (
        Event(
            Plural(message, other) if other is not None else message,
            {name: reader.read(value) for name, value in params.items()},
            None if to is None else tuple(to),
        )
        for message, other, params, to in recorded
    )


def outcome_of(plain: Mapping[str, Any], table: Table[Any] | None, package: str) -> Outcome:
    """Return the outcome from its plain data (`plain_end`), unchecked; `table` is None without a match.

    Classes of the game's package may be named. Raise GameError, ValueError, LookupError or TypeError if it
    isn't an outcome, or a value can't be read.
    """
    reader = Reader(table, package)

    def values(params: Mapping[str, Any]) -> dict[str, Any]:
        return {name: reader.read(value) for name, value in params.items()}

    scores, ranks = (None if plain[name] is None else tuple(plain[name]) for name in ("scores", "ranks"))
    teams = plain.get("team_scores")  # a file of before has none
    return Outcome(
        tuple(SEATS[seat] for seat in plain["winners"]),
        scores=scores,
        ranks=ranks,
        team_scores=None if teams is None else tuple(teams),
        statistics={title: tuple(row) for title, row in plain["statistics"].items()},
        series={title: tuple(map(tuple, rows)) for title, rows in plain["series"].items()},
        awards=tuple(
            Award(message, SEATS[seat], why=why, **values(params))
            for seat, message, why, params in plain["awards"]
        ),
        why=None if plain["why"] is None else Text(plain["why"][0], values(plain["why"][1])),
    )


def _plain(params: Mapping[str, Any]) -> dict[str, Any]:
    writer = Writer(None)
    return {name: writer.write(value, name) for name, value in params.items()}


def plain_end(ended: Ended) -> dict[str, Any]:
    outcome = ended.outcome
    plain = None if outcome is None else {
        "winners": [int(seat) for seat in outcome.winners],
        "scores": outcome.scores,
        "ranks": outcome.ranks,
        **({} if outcome.team_scores is None else {"team_scores": outcome.team_scores}),
        "statistics": dict(outcome.statistics),
        "series": dict(outcome.series),
        "awards": [[int(one.seat), one.message, one.why, _plain(one.params)] for one in outcome.awards],
        "why": None if outcome.why is None else [outcome.why.message, _plain(outcome.why.params)],
    }  # fmt: skip
    conviction = None if ended.conviction is None else ended.conviction.plain()
    turns = 0 if ended.statistics is None else ended.statistics.turns
    return {
        "outcome": plain,
        "conviction": conviction,
        "digest": ended.digest,
        "turns": turns,
        "suspended": ended.suspended,
        "unproven": list(ended.unproven),
    }
