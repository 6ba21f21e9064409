"""The check of what a match leaves to the next one of its campaign."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tavolata._engine.match.campaign import pack_legacy
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import play

EVENINGS: Final = 4
"""The matches of a campaign that are played in a row."""


@each(share=10)
def legacies(case: Case) -> None:
    """A match begins with what the one before has left, also in other numbers and under other names."""
    if case.game.legacy is None:
        return
    low, high = case.game.seats
    evening = case
    for number in range(1, EVENINGS + 1):
        whole, again = play(evening), play(evening)
        outcome = whole.match.outcome
        if outcome is None or outcome.legacy is None:
            return
        left = pack_legacy(case.game, outcome.legacy)
        other = again.match.outcome
        if other is None or other.legacy is None or pack_legacy(case.game, other.legacy) != left:
            raise whole.failure("The same match, played twice, has not left the same.")
        seats = (low, high)[number % 2] if not (case.options or case.teams) else case.seats
        evening = replace(case, seats=seats, legacy=left, seed=case.seed + number, called="PQ"[number % 2])
