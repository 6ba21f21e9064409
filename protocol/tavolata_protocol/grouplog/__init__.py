"""Raft with configuration changes, learners and signed evidence: the agreed log of a group of peers.

A leader, elected for a term by pre-votes and votes, appends what all propose; an entry that a quorum of the
voters holds is final: the commit index has passed it. Learners and snapshots are Raft's, too. Beyond Raft,
authors sign their entries and leaders sign what is final, so that a leader's equivocation proves itself.

`GroupLog` is the whole seam: bytes and times in, bytes, timers and events out. Nothing here does I/O.
"""

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.log import GroupLog
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.storage import MemoryStorage, Storage
from tavolata_protocol.grouplog.timing import Timing

__all__ = ["GroupLog", "MemoryStorage", "Rules", "State", "Storage", "Timing", "events"]
