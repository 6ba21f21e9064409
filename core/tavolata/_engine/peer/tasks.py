"""The periodic work of one peer: what wakes each job, and its call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Flag, auto
from typing import Final

from tavolata._engine.network.log_driver import DriverEvent, Tick
from tavolata_protocol.grouplog import events


class Wake(Flag):
    """What can wake a job."""

    MOVE = auto()
    """An entry of the running match is final and the match runs on: nothing else at the table changed."""
    ENTRY = auto()
    """Another entry of the log is final, or a snapshot stands for many."""
    NET = auto()
    """The log or the sockets say something else: who is connected, heard, or leads."""
    TIME = auto()
    """A time has come for which some job asked."""


@dataclass(frozen=True, slots=True)
class Job:
    """A row of the periodic work; with `always`, also called before this peer has arrived and on leaving."""

    wakes: Wake
    call: Callable[[], object]
    always: bool = False


ANYTHING: Final = Wake.MOVE | Wake.ENTRY | Wake.NET | Wake.TIME


def wake_of(event: DriverEvent) -> Wake:
    match event:
        case events.Final() | events.SnapshotInstalled():
            return Wake.ENTRY
        case Tick():
            return Wake.TIME
        case _:
            return Wake.NET


def work(jobs: Sequence[Job], wake: Wake, is_at_table: Callable[[], bool]) -> None:
    """Call the jobs that this wakes, in their order."""
    for job in jobs:
        if wake & job.wakes and (job.always or is_at_table()):
            job.call()
