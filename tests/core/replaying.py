"""A match that follows a log from its beginning to its end, for the tests."""

from __future__ import annotations

from collections.abc import Iterable

from tavolata._engine.match.entries import MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.match import Match
from tavolata.errors import Diverged


def replay(match: Match[LogSource], entries: Iterable[MatchEntry]) -> None:
    """Follow a log to its end; raise `Diverged` if an entry doesn't fit the rules."""
    source = match.source
    source.entries += entries
    match.run()
    if source.voids:
        number, reason = next(iter(source.voids.items()))
        raise Diverged(f"Entry {number + 1} of the log does not fit the rules: {reason}.")
