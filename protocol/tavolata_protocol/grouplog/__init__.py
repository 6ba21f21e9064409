"""One agreed log of a group of peers: ordered by one of them, final by majority, surviving any minority.

`GroupLog` is the whole seam: bytes and times in, bytes, timers and events out. Nothing here does I/O.
"""

from tavolata_protocol.grouplog import events
from tavolata_protocol.grouplog.log import GroupLog
from tavolata_protocol.grouplog.roles import State
from tavolata_protocol.grouplog.rules import Rules
from tavolata_protocol.grouplog.storage import MemoryStorage, Storage
from tavolata_protocol.grouplog.timing import Timing

__all__ = ["GroupLog", "MemoryStorage", "Rules", "State", "Storage", "Timing", "events"]
