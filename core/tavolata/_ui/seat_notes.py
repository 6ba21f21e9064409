"""What stands beside the names of players at a table of peers: who is away, and whose connection is slow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tavolata._engine.sessions.table_facts import TableFacts
from tavolata.messages import N_

AWAY = N_("(away)")
STAND_IN = N_("(bot for now)")
SLOW: Final = 150
"""The round-trip time in milliseconds above which it is shown beside a name."""


def seat_notes(facts: TableFacts | None, say: Callable[[str], str]) -> dict[int, str]:
    notes: dict[int, str] = {}
    for seat, one in enumerate(facts.taken if facts is not None and facts.running else ()):
        if one.state in ("away", "stand-in"):
            notes[seat] = say(AWAY if one.state == "away" else STAND_IN)
        elif one.trip is not None and one.trip >= SLOW:
            notes[seat] = f"{one.trip} ms"
    return notes
