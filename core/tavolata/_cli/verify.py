"""`tt verify`: check a match from its file, believing nobody who played it."""

from __future__ import annotations

from typing import Annotated

from tavolata._cli import words
from tavolata._cli.failures import FINISHED
from tavolata._cli.session import Session
from tavolata.messages import N_


def verify(
    session: Session,
    file: Annotated[
        str | None,
        words.argument(
            metavar="[FILE|ID]", help=N_("A match file, or the id of a match; else the last one.")
        ),
    ] = None,
) -> int:
    """Check a match: signatures, dealing, rules."""
    from tavolata._cli.replay import match_file
    from tavolata._cli.resume import header_of
    from tavolata._engine.review.verify import check

    kept = match_file(file)
    header = header_of(kept)
    loaded = session.catalogue.game(header.game)
    session.note(session.text(N_("Checking {path} …"), {"path": kept.path}))
    for message, params in check(kept, header, loaded.game).told:
        session.out(session.text(message, params))
    session.out(session.text(N_("Nothing is wrong with this match."), {}))
    return FINISHED
