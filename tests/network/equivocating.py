"""`tt` with a leader that equivocates: from a moment of the match on, one guest is told another log.

python -m tests.network.equivocating STEP NAME host GAME ...     lies to NAME from the first such step on
"""

from __future__ import annotations

import sys
from typing import Any, cast

from tests.network.hasty import hurry
from tests.protocol.grouplog.memory_storage import MemoryStorage
from tests.protocol.grouplog.two_faced import TwoFaced

from tavolata._cli import main
from tavolata._engine.match.entries import DEAL
from tavolata._engine.match.state import pack
from tavolata._engine.network.log_driver import LogDriver
from tavolata._engine.peer import peer
from tavolata._engine.table import log_bodies
from tavolata_protocol.entries import Entry
from tavolata_protocol.grouplog import GroupLog


def lies_from(step: int, name: str) -> None:
    """Have every table of this process lie to the guest of that name."""
    honest = peer.PeerSession._on_entry

    def on_entry(self: Any, entry: Entry) -> bool:
        is_move = honest(self, entry)
        log_driver: LogDriver = self._log_driver
        read = log_bodies.read(entry.body)
        if read is None or read[0] != log_bodies.PLAY:
            return is_move
        said = read[1][1]
        begins = said[0] == DEAL and said[3] == step and log_driver.log.is_leader
        if begins and not isinstance(log_driver.log, TwoFaced):
            victim = next(place.peer for place in self.state.roster.places if place.name == name)
            replica = log_driver.log._replica
            # The other log is kept in memory: a liar needs no disk.
            instead = {id(replica.disk._storage): MemoryStorage(), id(replica.chance): replica.chance}
            log_driver.log = cast("GroupLog", TwoFaced(log_driver.log, {victim}, instead))
        if isinstance(log_driver.log, TwoFaced):
            log_driver.log.two.propose(pack([log_bodies.CHAT, f"a line for {name}"]))
        return is_move

    peer.PeerSession._on_entry = on_entry  # type: ignore[method-assign]


if __name__ == "__main__":
    step, name, *words = sys.argv[1:]
    lies_from(int(step), name)
    hurry()
    sys.argv[1:] = words
    sys.exit(main())
