"""A match written down as text and followed again from that text: nothing is lost on the way."""

from __future__ import annotations

from tavolata.testing.cases import Case
from tavolata.testing.checks.check import each
from tavolata.testing.errors import CheckFailed
from tavolata.testing.playthrough import PlaythroughDiffers, record_playthrough, replay_text


@each(share=10)
def golden_playthrough(case: Case) -> None:
    """A match that is written down for people to read can be followed again line by line."""
    text = record_playthrough(case)
    try:
        replay_text(case.game, text)
    except PlaythroughDiffers as difference:
        raise CheckFailed(str(difference), case=case) from difference
