"""Teams: how a game may be played in teams of equal size.

The table offers them and seats everybody (`seating.in_teams`). The rules read who plays with whom from
`Table.teams`.
"""

from __future__ import annotations

from dataclasses import dataclass

from tavolata.messages import N_

NAMES = (
    N_("Team red"), N_("Team blue"), N_("Team green"), N_("Team yellow"),
    N_("Team white"), N_("Team black"), N_("Team orange"), N_("Team violet"),
)  # fmt: skip
"""What the teams are called at the table, by number."""
TYPED = N_("red blue green yellow white black orange violet")
"""What people type for the teams, by number: a word for each, without spaces in it."""


@dataclass(frozen=True)
class Teams:
    """The teams that a game can be played in: `teams = Teams(counts=(2, 3), size=(2, 4))`.

    All teams of a match have the same size. A table may also play without teams, unless they are `required`.

    Attributes:
        counts: the numbers of teams that are possible, 2 to 8.
        size: the fewest and the most players of a team.
        alternate: whether the seats alternate by team; otherwise everybody stays in the order of arrival.
        required: whether the game can't be played without teams.

    Raises:
        ValueError: there can't be such teams.
    """

    counts: tuple[int, ...]
    size: tuple[int, int] = (2, 32)
    alternate: bool = True
    required: bool = False

    def __post_init__(self) -> None:
        low, high = self.size
        if not self.counts or not all(2 <= count <= len(NAMES) for count in self.counts):
            raise ValueError(f"A game has 2 to {len(NAMES)} teams, not {self.counts}.")
        if not 1 <= low <= high:
            raise ValueError(f"A team can't have {low} to {high} players.")

    def fit(self, count: int, seats: int) -> bool:
        """Return True if this many players can form this many teams."""
        low, high = self.size
        return count in self.counts and seats % count == 0 and low <= seats // count <= high

    def usual(self, seats: int) -> int:
        """Return the number of teams if nobody names one: the first that fits if they are required, or 0."""
        return next((count for count in self.counts if self.required and self.fit(count, seats)), 0)
