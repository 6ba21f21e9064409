"""A store of a log's records in memory, for peers that need not survive their process."""

from __future__ import annotations

from collections.abc import Iterable


class MemoryStorage:
    """The records of one copy of a log; `crash` loses some of them, as on a real machine."""

    def __init__(self, *, is_doubtful: bool = False) -> None:
        self.is_doubtful = is_doubtful
        self._safe: list[bytes] = []
        self._flushed = 0
        self._volatile: list[bytes] = []

    def load(self) -> Iterable[bytes]:
        """All records."""
        return [*self._safe, *self._volatile]

    def trust(self) -> None:
        """Doubt nothing."""
        self.is_doubtful = False

    def append(self, record: bytes) -> None:
        """Add a record, not yet synced."""
        self._volatile.append(record)

    def flush(self) -> None:
        """Keep all records unless the power is cut."""
        self._flushed = len(self._volatile)

    def sync(self) -> None:
        """Sync all records."""
        self._safe += self._volatile
        self._volatile.clear()
        self._flushed = 0

    def replace(self, records: Iterable[bytes]) -> bool:
        """Have these records alone."""
        self._safe = list(records)
        self._volatile.clear()
        self._flushed = 0
        return True

    def crash(self, torn: int = 0, *, power: bool = False) -> None:
        """Lose what was not flushed, or with a power cut not synced, except for the first `torn` of it."""
        kept = torn if power else self._flushed + torn
        self._safe += self._volatile[:kept]
        self._volatile.clear()
        self._flushed = 0
