"""Checks of how matches end: the outcome must be possible, and so must what is left to the next match."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tavolata._engine.match.campaign import pack_legacy
from tavolata._engine.match.outcomes import checked
from tavolata.ring import SEATS
from tavolata.testing.cases import Case, CheckFailed
from tavolata.testing.checks.check import each
from tavolata.testing.recording import Recorded, blamed, play

LOOKS = 3
"""The turns of a match at whose end players leave; then at every fortieth."""


@each(share=20, stops=True)
def outcomes(case: Case) -> None:
    """Check that rules return an outcome of these seats, and that no player who left has won."""
    play(case, _leave)


def _leave(kept: Recorded) -> None:
    """Ask the rules how the match ends here: early, or where one player leaves, or all but one."""
    match = kept.match
    if match.table.turn > LOOKS and match.table.turn % 40:
        return
    before = match.digest()
    everybody = SEATS[: kept.case.seats]
    for seat in everybody:
        others = tuple(one for one in everybody if one != seat)
        for gone in ((seat,), others):
            with blamed(kept):
                outcome = checked(match.game.forfeit(match.table, gone), len(everybody), match.table.teams)
            alone = [one for one in gone if all(mate in gone for mate in match.table.team(one))]
            if won := set(alone).intersection(outcome.winners):
                raise kept.failure(f"Seat {min(won)} leaves the match, and `forfeit` says that it has won.")
    with blamed(kept):
        early = match.game.unfinished(match.table)
        if early is not None:
            checked(early, len(everybody), match.table.teams)
    if match.digest() != before:
        raise kept.failure("`forfeit` or `unfinished` has changed the state.")


EVENINGS: Final = 4
"""The matches of a campaign that are played in a row."""


@each(share=10)
def legacies(case: Case) -> None:
    """Check that a match begins with the last one's legacy, also with other numbers and names."""
    if case.game.legacy is None:
        return
    low, high = case.game.seats
    evening = case
    for number in range(1, EVENINGS + 1):
        try:
            left = _left(evening)
        except CheckFailed as failure:
            if evening is not case:  # what it was left isn't on a command line: all are played again
                failure.sentence = f"In match {number} of a campaign, {evening}: {failure.sentence}"
                failure.case, failure.entry = case, None
            raise
        if left is None:
            return
        seats = (low, high)[number % 2] if not (case.options or case.teams) else case.seats
        evening = replace(case, seats=seats, legacy=left, seed=case.seed + number, called="PQ"[number % 2])


def _left(evening: Case) -> bytes | None:
    """Return what a match leaves, if anything; raise `CheckFailed` if it fails, or leaves it by chance."""
    whole, again = play(evening), play(evening)
    outcome, other = whole.match.outcome, again.match.outcome
    if outcome is None or outcome.legacy is None:
        return None
    left = pack_legacy(evening.game, outcome.legacy)
    if other is None or other.legacy is None or pack_legacy(evening.game, other.legacy) != left:
        raise whole.failure("The same match, played twice, has not left the same.")
    return left
