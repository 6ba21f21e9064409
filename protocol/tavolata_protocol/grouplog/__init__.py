"""Raft with configuration changes, learners and signed evidence: the agreed log of a group of peers.

A leader, elected for a term by pre-votes and votes, appends the proposals of all members. An entry is final
(committed) when a quorum of the voters holds it. Learners and snapshots are also Raft's. Beyond Raft, authors
sign their entries and leaders sign final entries, so that there is evidence of a leader's equivocation.

`GroupLog` is the whole interface: bytes and times go in, bytes, timers and events come out. It does no I/O.
"""

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.log import GroupLog
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.grouplog.rules import Rules

__all__ = ["GroupLog", "Rules", "State", "events"]
