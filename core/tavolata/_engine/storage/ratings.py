"""How good players are, from the matches that they played: openskill's model, one rating for each game.

Imported by what shows ratings, and by nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from tavolata._engine.storage.history import PastMatch

BEGIN = 1000
"""The rating that everybody begins with: skill less three times its uncertainty."""
SCALE = 40


@dataclass(frozen=True)
class Rating:
    """How good a player is at a game.

    Attributes:
        game: its name.
        who: as in `history.Player`.
        name: what the player was called last.
        points: BEGIN for a beginner; what is nearly certain to be reached.
        matches: from so many.
    """

    game: str
    who: str
    name: str
    points: int
    matches: int


def ratings(matches: Iterable[PastMatch]) -> list[Rating]:
    """The ratings after these matches, by game, the best first.

    Matches that came to no outcome, and those that one plays alone, tell nothing.
    """
    model = PlackettLuce()
    skills: dict[tuple[str, str], PlackettLuceRating] = {}
    names: dict[tuple[str, str], str] = {}
    counts: dict[tuple[str, str], int] = {}
    for match in matches:
        sides: dict[str, int] = {}  # who plays several seats is rated by the best of them
        for place, player in zip(places(match), match.players, strict=True):
            sides[player.who] = min(place, sides.get(player.who, place))
            names[match.game, player.who] = player.name
        if not match.finished or len(sides) < 2:
            continue
        keys = [(match.game, who) for who in sides]
        teams = [[skills.get(key) or model.rating()] for key in keys]
        rated = model.rate(teams, ranks=[float(place) for place in sides.values()])
        for key, team in zip(keys, rated, strict=True):
            skills[key] = team[0]
            counts[key] = counts.get(key, 0) + 1
    found = [
        Rating(key[0], key[1], names[key], round(skill.ordinal(alpha=SCALE, target=BEGIN)), counts[key])
        for key, skill in skills.items()
    ]
    return sorted(found, key=lambda one: (one.game, -one.points, one.name))


def places(match: PastMatch) -> list[int]:
    """The place of each seat, 1 for the best: winners first, then by ranking or points."""

    def worth(seat: int) -> tuple[bool, float]:
        player = match.players[seat]
        rest = -player.place if player.place is not None else player.score or 0
        return player.won, 0 if player.won else rest

    order = sorted({worth(seat) for seat in range(len(match.players))}, reverse=True)
    return [1 + order.index(worth(seat)) for seat in range(len(match.players))]
