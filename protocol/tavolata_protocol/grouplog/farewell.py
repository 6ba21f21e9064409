"""Leaving politely (rule 13): a sequencer hands over first, everybody then asks to be taken out.

Only what the leaving peer does; the removal itself stands in `reconfiguring.py`.
"""

from __future__ import annotations

from tavolata_protocol.grouplog.leader import Sequencing
from tavolata_protocol.grouplog.replica import Desk
from tavolata_protocol.identity import PeerId
from tavolata_protocol.messages import log as wire


class Farewell:
    """The wish to leave, repeated until it is fulfilled."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._again = 0.0
        self.leaving = False

    def begin(self) -> None:
        """Leave from now on."""
        self.leaving = True
        self._again = self._desk.now

    def due(self) -> float | None:
        """When the wish is said again."""
        return self._again if self.leaving else None

    def ask(self) -> None:
        """As a follower: tell the sequencer, once a second."""
        desk = self._desk
        if self.leaving and desk.now >= self._again:
            self._again = desk.now + desk.timing.repeat
            if desk.sequencer is not None and desk.lineage is not None:
                desk.send(desk.sequencer, wire.Leave(desk.lineage))

    def hand_over(self, sequencing: Sequencing) -> bool:
        """As the sequencer: hand over to whoever is there and has everything; True when nobody is left to."""
        desk, journal = self._desk, self._desk.journal
        heirs: list[PeerId] = [
            peer for peer in desk.configuration.voters if peer != desk.me and peer not in desk.away
        ]
        if not heirs:
            return True
        ready = [
            peer for peer in heirs if sequencing.progress(peer).match == journal.last_number == journal.final
        ]
        if desk.now >= self._again:
            self._again = desk.now + desk.timing.repeat / 2
            if ready and desk.lineage is not None:
                heir = ready[int(desk.chance.random() * len(ready))]
                desk.send(heir, wire.HandOver(desk.lineage, desk.term))
        return False
