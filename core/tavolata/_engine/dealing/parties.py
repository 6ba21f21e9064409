"""Parties: the peers that deal a match, numbered by their first seat, and which of them are present.

All of it follows from the header and the entries of the match, so it is the same on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tavolata_protocol.fair.offences import Charge

HERE, STAND_IN = "here", "bot"


class Parties:
    """The peers that deal together.

    Args:
        keys: by seat, the identity of the peer that plays it.
        status: returns "here", "away" or "bot" by seat.

    Attributes:
        convicted: by party, what it did; a convicted party deals no more and has lost its seats.
    """

    def __init__(self, keys: Sequence[bytes], status: Callable[[], Sequence[str]]) -> None:
        self._numbers = {key: number for number, key in enumerate(dict.fromkeys(keys), 1)}
        self._of_seat = [self._numbers[key] for key in keys]
        self._status = status
        self.convicted: dict[int, Charge] = {}

    def __len__(self) -> int:
        return len(self._numbers)

    def number_of(self, key: bytes) -> int | None:
        """The number of a peer, from 1; None if it has no seat."""
        return self._numbers.get(key)

    def key_of(self, party: int) -> bytes:
        """The identity of a party."""
        return list(self._numbers)[party - 1]

    def seat_of(self, party: int) -> int:
        """The first seat of a party, which errors name."""
        return self._of_seat.index(party)

    def owner_of(self, seat: int) -> int:
        """The party that a seat belongs to."""
        return self._of_seat[seat]

    def is_here(self, party: int) -> bool:
        """Whether a party is present and deals."""
        return party not in self.convicted and HERE in self._states(party)

    def is_given_up(self, party: int) -> bool:
        """Whether nobody waits for a party any longer: it was convicted, or bots stand in for its players."""
        return party in self.convicted or set(self._states(party)) == {STAND_IN}

    def _states(self, party: int) -> list[str]:
        return [state for state, of in zip(self._status(), self._of_seat, strict=True) if of == party]

    @property
    def all(self) -> tuple[int, ...]:
        """All parties, in order."""
        return tuple(self._numbers.values())

    @property
    def here(self) -> tuple[int, ...]:
        """All parties that are present and deal, in order."""
        return tuple(party for party in self.all if self.is_here(party))

    @property
    def steward(self) -> int | None:
        """The first party that is present: its bots stand in for absent players."""
        return next(iter(self.here), None)

    def keeper_of(self, seat: int) -> int | None:
        """The party that plays a seat now and sees its cards; None if no party does."""
        return self.steward if self._status()[seat] == STAND_IN else self._of_seat[seat]
