"""The check of a match file, for every kind of dealer."""

from __future__ import annotations

from typing import Any

from tavolata._engine.match.header import OPEN, Header
from tavolata._engine.review import own_match, table_match
from tavolata._engine.review.findings import Findings, Wrong
from tavolata._engine.storage.match_file import MAGIC, Kept
from tavolata._engine.storage.record_framing import is_torn, records
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
    torn = kept.whole < kept.size
    if torn and (kept.end is not None or not _is_cut_short(kept)):
        raise Wrong(N_("The file is broken from byte {at} on: what follows can't be read."), at=kept.whole)
    checked = own_match.check if header.dealer == OPEN else table_match.check
    found = checked(kept, header, rules)
    if torn:
        found.tell(N_("What comes after the last entry is incomplete, as after a crash: it was left out."))
    return found


def _is_cut_short(kept: Kept) -> bool:
    """Whether the file only lacks the end of its last record, as after a kill in the middle of writing."""
    data = kept.path.read_bytes()
    end = max((end for end, _ in records(data, len(MAGIC))), default=len(MAGIC))
    return is_torn(data, end)
