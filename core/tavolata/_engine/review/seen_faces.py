"""The faces that a machine's seats were shown, as its file noted them.

When a match is over, nothing on the machine opens them again: its secret is erased.
"""

from __future__ import annotations

from collections import defaultdict

from typing_extensions import override

from tavolata._engine.match.dealing import NoKeys
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.storage.match_file import Kept


class SeenFaces(NoKeys):
    """The keyring of a replay, which sets `source`."""

    source: LogSource

    def __init__(self, kept: Kept) -> None:
        self._faces: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        for entries, seat, card, face in kept.seen:
            self._faces[seat, card].append((entries, face))

    @override
    def face(self, seat: int, card: int, box: bytes) -> int | None:
        """Return the face that the seat was shown at this place of the match."""
        seen = (face for entries, face in reversed(self._faces[seat, card]) if entries <= self.source.at)
        return next(seen, None)
