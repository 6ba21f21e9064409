"""Lots: random numbers that all parties draw together, share by share.

The rules alone name a lot: by the turn, the seat for which it is drawn, and its number among the lots of this
turn and seat. It belongs to the match's coin keys, and once it is wanted, to these for ever. So its value was
there before anybody could read it, and no word or absence changes it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tavolata._engine.dealing.key_rings import KeyRings
from tavolata._engine.dealing.openings import Part, SharedOpening
from tavolata._engine.dealing.steps import LOT, Task
from tavolata._engine.match.source import InputRequest
from tavolata_protocol.fair import dice, shares
from tavolata_protocol.fair.context import Context

if TYPE_CHECKING:
    from tavolata._engine.dealing.witness import Witness


@dataclass(frozen=True, slots=True)
class OpenLot:
    """The lot that the rules wait for; `at` is the number of the want.

    `context` has its name: the turn and the seat (0 for none), and its number among their lots.
    """

    at: int
    context: Context
    opening: SharedOpening[shares.Openable]


class Lots:
    """The lots of a match; `open` is the one that the rules wait for, None if they wait for none."""

    def __init__(self, rings: KeyRings, witness: Witness | None) -> None:
        self._rings = rings
        self._witness = witness
        self._turn = 0
        self._drawn: dict[int, int] = {}
        self.open: OpenLot | None = None

    def value(self, want: InputRequest, turn: int) -> int | None:
        """Return the value of the wanted lot, from 0 to its sides - 1; None until it is drawn.

        `turn` counts the completed turns.
        """
        if self.open is None:
            self.open = self._want(want, turn)
        lot = self.open
        if lot is None or not lot.opening.done:
            return None
        self.open = None
        self._drawn[want.seat] = self._drawn.get(want.seat, 0) + 1
        value = dice.value(lot.context, lot.opening.opened, want.number)
        if self._witness is not None:
            self._witness.thrown(lot.context, want.number, value)
        return value

    def _want(self, want: InputRequest, turn: int) -> OpenLot | None:
        keys = self._rings.coin()
        if keys is None:
            return None
        if turn != self._turn:
            self._turn = turn
            self._drawn.clear()
        name = f"lot of turn {turn}, seat {want.seat}"
        context = keys.public.context(name, self._drawn.get(want.seat, 0), 0)
        return OpenLot(want.at, context, SharedOpening(keys, dice.point(context)))

    def owed(self, party: int) -> Iterator[Task]:
        lot = self.open
        if lot is not None and lot.opening.awaits(party):
            yield Task(LOT, lot.opening.keys.epoch, (lot.at,))

    def part(self, party: int) -> Part:
        """Return what a party opens of the lot, its share of which it owes."""
        assert self.open is not None  # nothing is owed without it
        opening = self.open.opening
        return self.open.context.of(opening.keys.number_of(party)), [opening]
