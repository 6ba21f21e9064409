"""How a match ended, in words; every face says it alike."""

from __future__ import annotations

from tavolata._engine.happenings import Ended
from tavolata._ui.words import Words
from tavolata.messages import N_
from tavolata.ring import SEATS

WON = N_("{seats} has won.")
WON_TOGETHER = N_("{seats} have won together.")
NOBODY = N_("Nobody has won.")
BROKEN_OFF = N_("The match was broken off.")
SCORES = N_("Points: {scores}.")


def ending_lines(ended: Ended, words: Words) -> list[str]:
    """The lines that say it: who cheated, the points, who has won."""
    outcome = ended.outcome
    lines = [ended.cheat] if ended.cheat else []
    if outcome is None:
        return [*lines, words.text(BROKEN_OFF)]
    if outcome.scores is not None:
        scores = ", ".join(
            f"{words.describe(SEATS[seat])} {points}" for seat, points in enumerate(outcome.scores)
        )
        lines.append(words.text(SCORES, {"scores": scores}))
    message = (NOBODY, WON, WON_TOGETHER)[min(2, len(outcome.winners))]
    return [*lines, words.text(message, {"seats": outcome.winners})]
