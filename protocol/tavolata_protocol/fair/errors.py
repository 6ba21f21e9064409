"""`Cheat`, the only error of fair dealing."""

from __future__ import annotations

from typing import Unpack

from tavolata_protocol.errors import RemoteError
from tavolata_protocol.fair.offences import Charge, Offence, OffenceFields


class Cheat(RemoteError):
    """A message of fair dealing that an honest peer can't have sent; `charge` has the offence and its fields.

    `party` is the sender, 1 to n; 0 if only all parties together could have done it.
    """

    def __init__(self, party: int, offence: Offence, **fields: Unpack[OffenceFields]) -> None:
        self.party = party
        self.charge = Charge(offence, **fields)
        super().__init__(party, offence)

    def __str__(self) -> str:
        """One sentence with the code; messages for people are made from `charge`."""
        fields = ", ".join(f"{name}: {value}" for name, value in self.charge.fields.items())
        return f"Party {self.party} cheated: {self.charge.offence}{fields and f' ({fields})'}."
