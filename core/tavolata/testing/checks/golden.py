"""A check of playthroughs: a match is written as text and replayed from that text."""

from __future__ import annotations

from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.errors import CheckFailed
from tavolata.testing.playthrough import PlaythroughDiffers, record_playthrough, replay_text


@each(share=10)
def golden_playthrough(case: Case) -> None:
    """A match that is written as text for people can be replayed from this text, line by line."""
    text = record_playthrough(case)
    try:
        replay_text(case.game, text)
    except PlaythroughDiffers as difference:
        raise CheckFailed(str(difference), case=case) from difference
