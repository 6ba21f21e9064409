"""Lots: random numbers that all parties draw together, share by share.

A lot belongs for ever to the keys that were in use when it was wanted. Its point is hashed from those keys
and from how many lots were wanted before. So nobody gets another value by leaving or by waiting.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from tavolata._engine.dealing.key_making import OUT_OF_PLACE, EpochKeys
from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.openings import Opening, read
from tavolata._engine.dealing.steps import LOT, Task
from tavolata.errors import Refused
from tavolata_protocol.fair import dice, shares
from tavolata_protocol.fair.context import Context

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness

OBJECT: Final = "lot"
"""What contexts of lots are about."""


@dataclass(frozen=True, slots=True)
class OpenLot:
    number: int
    purpose: Hashable
    keys: EpochKeys
    opening: Opening[shares.Openable]


class Lots:
    def __init__(self, rings: KeyRings, witness: Witness | None) -> None:
        self._rings = rings
        self._witness = witness
        self._count = 0
        self._open: dict[Hashable, OpenLot] = {}

    def value(self, purpose: Hashable, sides: int) -> int | None:
        """Return the value of a lot, from 0 to sides - 1; None until it is drawn.

        The first call for a purpose wants the lot, the one that gets its value ends it.
        """
        lot = self._open.get(purpose) or self._want(purpose)
        if lot is None or not lot.opening.done:
            return None
        del self._open[purpose]
        context = self.context(lot.keys, lot.number, 0)
        value = dice.value(context, lot.opening.opened, sides)
        if self._witness is not None:
            self._witness.thrown(context, sides, value)
        return value

    def _want(self, purpose: Hashable) -> OpenLot | None:
        keys = self._rings.lasting()
        if keys is None:
            return None
        point = dice.point(self.context(keys, self._count, 0))
        lot = self._open[purpose] = OpenLot(self._count, purpose, keys, Opening(keys.public, point))
        self._count += 1
        return lot

    @property
    def open(self) -> list[OpenLot]:
        return list(self._open.values())

    @property
    def keys_in_use(self) -> list[EpochKeys]:
        return [lot.keys for lot in self._open.values()]

    def context(self, keys: EpochKeys, number: int, party: int) -> Context:
        return keys.public.context(OBJECT, number, party)

    def owed(self, party: int) -> Iterator[Task]:
        for lot in self._open.values():
            number = lot.keys.number_of(party)
            if number and number not in lot.opening.said:
                yield Task(LOT, lot.keys.epoch, (lot.number,))

    def being_drawn(self, epoch: int, number: int) -> OpenLot:
        """Return the lot of this number; raise `Refused` if it is not being drawn under these keys."""
        for lot in self._open.values():
            if (lot.keys.epoch, lot.number) == (epoch, number):
                return lot
        raise Refused(OUT_OF_PLACE)

    def take(self, party: int, epoch: int, number: int, data: bytes) -> None:
        """Take a party's share of a lot; raise `Refused` if it isn't awaited, `Cheat` if it isn't valid."""
        if Task(LOT, epoch, (number,)) not in self.owed(party):
            raise Refused(OUT_OF_PLACE)
        lot = self.being_drawn(epoch, number)
        context = self.context(lot.keys, number, lot.keys.number_of(party))
        read(context, lot.keys.public, [lot.opening], data, self._witness)
