"""Times of reactions: what a seat says that it took, and the least that it can have taken.

All are whole milliseconds. What follows for a window is `windows`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from tavolata.choices import Answer

GOES: Final = -1
"""The answer of the seat that has the next move: no reaction, the match goes on."""
FLOOR: Final = 100
"""No person sees, decides and presses a key faster; a rule may set another floor."""
GRACE: Final = 150
"""After a reaction the others have so long to press theirs, that all may see who was how much later."""
LONGEST: Final = 600_000
SLACK: Final = 60
"""What drawing, an uneven link and a busy machine may cost without anybody's being doubted."""
LONGEST_TRIP: Final = 500
"""A slower link is not made up for: beyond this, slow and dishonest can't be told apart."""


@dataclass(slots=True)
class TimedClaim:
    """What a seat said that it did.

    Attributes:
        answer: its choice, or GOES.
        milliseconds: what it says it took.
        bounds: by the number of another peer, the least that it can have taken as seen from there.
        heard: the peers that have said "nothing earlier from here", its own included.
    """

    answer: Answer
    milliseconds: int
    bounds: dict[int, int] = field(default_factory=dict)
    heard: set[int] = field(default_factory=set)

    def least(self, base: int) -> int:
        """The least that counts: what nobody can undercut, and what its most lenient witness saw.

        No single peer can slow another down while somebody vouches for it; where there is one
        witness only, its word counts.
        """
        return max(base, min(self.bounds.values(), default=0))


def earliest(gap: int, trip: int) -> int:
    """The least that a reaction can have taken that was seen `gap` after the card, over a link of `trip`.

    The claim and what makes it final each travel there and back once at most; all is in milliseconds.
    """
    return max(0, gap - 2 * min(trip, LONGEST_TRIP) - SLACK)
