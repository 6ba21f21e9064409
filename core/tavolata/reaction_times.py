"""Reaction times: the time that a seat claims, and the least time that it can have needed.

All times are whole milliseconds. `windows` decides with them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tavolata.choices import Answer

GOES: Final = -1
"""The answer by which the seat with the next move lets the match go on without a reaction."""
FLOOR: Final = 100
"""The least time in which a person can see, decide and press a key; a rule may set another floor."""
GRACE: Final = 150
"""The time that the others still have after the first reaction, so that all see how much later they were."""
LONGEST: Final = 600_000
SLACK: Final = 60
"""The tolerance for drawing, an uneven link and a busy machine."""
LONGEST_TRIP: Final = 500
"""The longest round trip that is made up for: beyond it, a slow link looks like a dishonest player."""


@dataclass(slots=True)
class TimedClaim:
    """A reaction of a seat with the time that it claims.

    Attributes:
        answer: its choice, or GOES.
        milliseconds: the time that it claims.
        bounds: by number of another peer, the least time that is possible as seen from there.
        heard: the peers that have said "nothing earlier from here", including its own.
    """

    answer: Answer
    milliseconds: int
    bounds: dict[int, int] = field(default_factory=dict)
    heard: set[int] = field(default_factory=set)


def earliest(gap: int, trip: int) -> int:
    """Return the least time of a reaction seen `gap` after the card, over a link with round trip `trip`.

    The claim and the message that makes it final each take at most one round trip. All is in milliseconds.
    """
    return max(0, gap - 2 * min(trip, LONGEST_TRIP) - SLACK)
