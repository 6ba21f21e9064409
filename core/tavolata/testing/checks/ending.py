"""A check of how matches end: what the rules return at the end, or where players leave, can be an outcome."""

from __future__ import annotations

from tavolata._engine.match.outcomes import checked
from tavolata.ring import SEATS
from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.recording import Recorded, blamed, play

LOOKS = 3
"""The turns of a match at whose end players leave; then at every fortieth."""


@each(share=20, stops=True)
def outcomes(case: Case) -> None:
    """What the rules return is an outcome of these seats, and where players leave, none of them has won."""
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
