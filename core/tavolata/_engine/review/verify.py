"""The check of a match file, for every kind of dealer."""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.header import OPEN, Header
from tavolata._engine.review import own_match, table_match
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.storage.match_file import Kept
from tavolata.game import Game
from tavolata.messages import N_


def check(kept: Kept, header: Header, rules: type[Game[Any]]) -> Findings:
    """Check everything that a match file says.

    Args:
        kept: the file as it was read.
        header: the header of the match.
        rules: the game.

    Raises:
        Wrong: something is not as it should be; the sentence says where, and where possible by whom.
        OtherRules: the rules installed here would play the match differently.
    """
    if kept.whole < kept.size:
        raise Wrong(N_("The file is broken from byte {at} on: what follows can't be read."), at=kept.whole)
    if header.dealer == OPEN:
        return own_match.check(kept, header, rules)
    return table_match.check(kept, header, rules)
