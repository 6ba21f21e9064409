"""How long something stays on the screen before the next thing is shown. Pure.

The engine never waits for this: what happens is taken from it at once and shown from a queue.
"""

from __future__ import annotations

from typing import Final

from tavolata._engine.match.updates import Told, Update

STEP: Final = 0.35
"""Seconds that one event is shown while others wait."""
LEAST: Final = 0.02


def pause(update: Update, waiting: int, step: float = STEP) -> float:
    """Seconds to wait after showing this.

    Args:
        update: what was shown.
        waiting: how many other things have happened already.
        step: the pace that the person likes; 0 shows all at once.
    """
    if not isinstance(update, Told) or update.again or not waiting or not step:
        return 0.0
    return max(LEAST, step * min(1.0, 6 / waiting))  # a long row is shown faster, so that nobody falls behind
