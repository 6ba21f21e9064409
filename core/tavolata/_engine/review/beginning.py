"""The beginning of a match in its file: the origin that its START and all IN lead to."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from tavolata._engine.match.header import Header
from tavolata._engine.match.source import Origin, Stamp
from tavolata._engine.review.signed_log import unchecked
from tavolata._engine.storage.match_file import Kept
from tavolata._engine.table import log_bodies
from tavolata._engine.table.start_barrier import StartBarrier
from tavolata.errors import Refused
from tavolata.game import Game


def origin_of(kept: Kept, header: Header, rules: type[Game[Any]]) -> Origin | None:
    """Return where a match at a table began; None if its file doesn't say. No signature is checked here.

    Raise `ProtocolError` if an entry of the log isn't one.
    """
    barrier = None
    for entry in unchecked(kept):
        stamp = Stamp(entry.author, entry.chain, entry.lineage)
        match log_bodies.read(entry.body):
            case (log_bodies.START, [bytes(data), _]) if barrier is None:
                barrier = StartBarrier(rules, replace(header, id=""), data, stamp, kept.table)
            case (log_bodies.IN, [bytes(named), bytes(nonce), bytes(mailbox)]) if barrier is not None:
                with suppress(Refused):
                    if (origin := barrier.take(stamp, named, nonce, mailbox)) is not None:
                        return origin
    return None
