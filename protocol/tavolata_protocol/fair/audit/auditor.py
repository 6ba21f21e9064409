"""The auditor, which checks that each record follows from the earlier ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from tavolata_protocol.fair.audit import making, opening
from tavolata_protocol.fair.audit.book import Book
from tavolata_protocol.fair.audit.records import (
    Boxed,
    KeysMade,
    Opened,
    PileMade,
    Record,
    Sealed,
    SharesGiven,
    Shown,
    Thrown,
)
from tavolata_protocol.fair.group import ED25519, Group

_CHECKS: Final[dict[type, Callable[[Book, Any], None]]] = {
    KeysMade: making.check_keys,
    PileMade: making.check_pile,
    SharesGiven: opening.check_shares,
    Shown: opening.check_shown,
    Thrown: opening.check_thrown,
    Sealed: opening.check_sealed,
    Opened: opening.check_opened,
    Boxed: opening.check_boxed,
}


class Auditor:
    """Checks the dealing of one match.

    Args:
        match: the match's id, as contexts have it.
        lineage: the lineage of the log, as contexts have it.
        group: the group of the match.

    Attributes:
        counts: the number of valid records of each class.
    """

    def __init__(self, match: bytes, lineage: bytes, group: Group = ED25519) -> None:
        self._book = Book(match, lineage, group)
        self.counts = Counter[type[Record]]()

    def check(self, record: Record) -> None:
        """Check the next record.

        Raises:
            Cheat: names the party that sent a wrong message; party 0 if a recorded outcome does not follow
                from the messages.
        """
        _CHECKS[type(record)](self._book, record)
        self.counts[type(record)] += 1

    def transcript(self, epoch: int) -> bytes:
        """T of an epoch, which all its parties should have signed."""
        return self._book.epoch(epoch).transcript

    def slots(self, record: PileMade) -> tuple[bytes, ...]:
        """The result of a pile, 64 bytes a card; each shuffle and seed is checked, nothing is stored."""
        return making.slots_of(self._book, record)
