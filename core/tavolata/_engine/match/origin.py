"""The origin of a match at a table: where it begins in the agreed log, its id, and its parties' mailboxes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tavolata._engine.match.source import Stamp


@dataclass(frozen=True)
class Origin:
    """The beginning of a match: all parties have said IN.

    Attributes:
        id: the match's id, 16 bytes, which no peer chose.
        stamp: the place of the last IN in the log; its lineage is that of the match for ever.
        mailboxes: by peer, the key to which boxes for it are sealed in this match.
        nonces: by peer, the nonce of its IN.
        header_hash: the hash of the header that all have agreed on.
    """

    id: bytes
    stamp: Stamp
    mailboxes: Mapping[bytes, bytes]
    nonces: Mapping[bytes, bytes]
    header_hash: bytes
