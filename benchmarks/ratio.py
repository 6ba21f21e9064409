"""Measuring two or more things in one run, turn about, so that a busy machine slows all alike."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter


def fastest(
    tasks: dict[str, Callable[[], int]], rounds: int = 60, clock: Callable[[], float] = perf_counter
) -> dict[str, float]:
    """Seconds for one unit of each task, the least of all rounds; a task returns its number of units.

    Where all that is measured is computing, `time.process_time` leaves out what others compute meanwhile.
    """
    best = dict.fromkeys(tasks, float("inf"))
    for _ in range(rounds):
        for name, task in tasks.items():
            start = clock()
            units = task()
            best[name] = min(best[name], (clock() - start) / units)
    return best
