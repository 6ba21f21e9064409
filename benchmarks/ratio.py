"""Alternating measurement of several tasks in one run, so that a busy machine slows all of them equally."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def fastest(
    tasks: dict[str, Callable[[], int]], rounds: int = 60, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """The lowest seconds for one unit of each task in all rounds; a task returns its number of units.

    For pure computation `time.process_time` leaves out the work of other programs.
    """
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = clock()
            units = task()
            best[name] = min(best[name], (clock() - start) / units)
    return best
