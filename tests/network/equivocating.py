"""A leader that equivocates: from a moment of the match on, one guest is told another log."""

from __future__ import annotations

from typing import cast

from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.two_faced import TwoFaced
from typing_extensions import override

from tavolata._engine.dealing import steps
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.state import pack
from tavolata._engine.peer.peer import PeerSession
from tavolata._engine.table import log_bodies
from tavolata_protocol.entries import Entry
from tavolata_protocol.grouplog import GroupLog
from tavolata_protocol.identity import PeerId


class TwoFacedSession(PeerSession):
    """A session that tells the guest called `victim` another log, from the first such `step` on.

    It needs to lead the log for that.
    """

    __slots__ = ()
    step = steps.DECK
    victim = ""

    @override
    def _on_entry(self, entry: Entry) -> bool:
        is_move = super()._on_entry(entry)
        log_driver = self._log_driver
        read = log_bodies.read(entry.body)
        if read is None or read[0] != log_bodies.PLAY:
            return is_move
        said = read[1][1]
        begins = said[0] == DEAL and said[3] == self.step and log_driver.log.is_leader
        victim = next((place.peer for place in self.state.roster.places if place.name == self.victim), None)
        if begins and victim is not None and not isinstance(log_driver.log, TwoFaced):
            replica = log_driver.log._replica
            # The other log is kept in memory: a liar needs no disk.
            instead = {id(replica.disk._storage): MemoryStorage(), id(replica.chance): replica.chance}
            log_driver.log = cast("GroupLog", TwoFaced(log_driver.log, {PeerId(victim)}, instead))
        if isinstance(log_driver.log, TwoFaced):
            log_driver.log.two.propose(pack([log_bodies.CHAT, f"a line for {self.victim}"]))
        return is_move
