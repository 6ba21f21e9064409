"""The one error of fair dealing."""

from __future__ import annotations

from tavolata_protocol.errors import RemoteError


class Cheat(RemoteError):
    """A message of fair dealing that an honest peer can't have sent.

    Attributes:
        party: who sent it, 1 to n; 0 where all parties together would have had to conspire.
        what: what is wrong with it, one sentence.
    """

    def __init__(self, party: int, what: str) -> None:
        super().__init__(what)
        self.party = party
        self.what = what

    def __reduce__(self) -> tuple[type[Cheat], tuple[int, str]]:
        return Cheat, (self.party, self.what)
