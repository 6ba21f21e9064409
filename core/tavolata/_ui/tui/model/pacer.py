"""The pace of the screen: how long an event is shown before the next one. Pure.

The engine never waits for this. The screen takes updates at once and shows them from a queue.
"""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.updates import Told, Update

STEP: Final = 0.35
"""Seconds for which one event is shown while others wait."""
LEAST: Final = 0.02


def pause(update: Update, waiting: int, step: float = STEP) -> float:
    """Seconds to wait after an update is shown.

    Args:
        update: the update that was shown.
        waiting: the number of updates in the queue.
        step: the person's pace in seconds; 0 shows everything at once.
    """
    if not isinstance(update, Told) or update.again or not waiting or not step:
        return 0.0
    return max(LEAST, step * min(1.0, 6 / waiting))  # a long queue is shown faster
