"""The trusted dealer's book, restored from the file of a match on that peer's machine."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from tavolata._engine.dealing.host_dealer import HostDealer
from tavolata._engine.match.entries import FACE, NUMBER, MatchEntry
from tavolata._engine.match.log_source import LogSource
from tavolata._engine.match.source import InputRequest
from tavolata.assertions import Narration


class HostBook(HostDealer):
    """The cards as this machine would have dealt them; it dealt the match if every face in the file fits.

    The dealer's file has the seed at its end. `is_wrong`: a face or a number of the file isn't the book's.
    """

    def __init__(self, seed: bytes, keys: Sequence[bytes], narrator: bytes) -> None:
        super().__init__(seed, lambda *_: b"", keys, narrator)  # nothing is dealt any more
        self._compared, self.is_wrong = 0, False

    @override
    def narrated(self, one: Narration) -> None:
        """Do nothing: boxes for the narrator can't be opened any more."""

    @property
    def fits(self) -> bool:
        """Return True if a face or number of the file was compared with the book, and all agree."""
        return self._compared > 0 and not self.is_wrong

    def compare(
        self, entry: MatchEntry, wanted: InputRequest | None, source: LogSource, mine: tuple[int, ...]
    ) -> None:
        """Compare the book with the last entry: a face shown to all, or the number that was `wanted`.

        The faces shown to this machine's own seats are compared, too.
        """
        counts = len(source.entries) - 1 not in source.voids
        if counts and entry[0] == FACE:
            self._compare(self._faces.get(entry[1]), entry[2])
        elif counts and entry[0] == NUMBER and wanted is not None and wanted.kind == NUMBER:
            self._compare(self.entry(wanted)[2], entry[2])
        for seat in mine:
            book = self.seen_by(seat)
            for card, face in source.known[seat].items():
                if card in book:
                    self._compare(book[card], face)

    def _compare(self, here: int | None, there: int) -> None:
        self._compared += 1
        self.is_wrong = self.is_wrong or here != there

    def open_to(self, source: LogSource) -> None:
        for seat, known in source.known.items():
            known.update(self.seen_by(seat))
