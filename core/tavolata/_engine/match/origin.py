"""The origin of a match at a table: where it begins in the agreed log, its id, and its parties' mailboxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tavolata._engine.match.source import Stamp


@dataclass(frozen=True)
class Origin:
    """The beginning of a match: all parties have said IN.

    `id` has 16 bytes, which no peer chose. `stamp` is the place of the last IN in the log; its lineage is
    that of the match for ever. By peer: `mailboxes` has the key to which boxes for it are sealed in this
    match, `nonces` that of its IN. All have agreed on the header with `header_hash`.
    """

    id: bytes
    stamp: Stamp
    mailboxes: Mapping[bytes, bytes]
    nonces: Mapping[bytes, bytes]
    header_hash: bytes
