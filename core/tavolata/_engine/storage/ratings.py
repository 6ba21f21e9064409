"""Ratings of players from their matches, by openskill's model, with one rating for each game.

Only code that shows ratings imports this module.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from openskill.models import PlackettLuce, PlackettLuceRating

from tavolata._engine.storage.history import ABSENT, PastMatch

BEGIN = 1000
"""The rating of a beginner; a rating is the skill less three times its uncertainty."""
SCALE = 40


@dataclass(frozen=True)
class Rating:
    """The rating of a player in a game.

    `who` is as in `history.Player`, `points` is BEGIN for a beginner; the true skill is almost certainly
    higher.
    """

    game: str
    who: str
    name: str
    points: int
    matches: int


def ratings(matches: Iterable[PastMatch]) -> list[Rating]:
    """Return the ratings after these matches, by game, the best first.

    Matches without an outcome or with one player only are ignored.
    """
    model = PlackettLuce()
    skills: dict[tuple[str, str], PlackettLuceRating] = {}
    names: dict[tuple[str, str], str] = {}
    counts: dict[tuple[str, str], int] = {}
    for match in matches:
        sides: dict[str, int] = {}  # a player of several seats is rated by the best one
        for place, player in zip(places(match), match.players, strict=True):
            if player.who == ABSENT:
                continue
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
    """Return the place of each seat, 1 for the best: winners first, then by ranking or points."""

    def worth(seat: int) -> tuple[bool, float]:
        player = match.players[seat]
        rest = -player.place if player.place is not None else player.score or 0
        return player.won, 0 if player.won else rest

    order = sorted({worth(seat) for seat in range(len(match.players))}, reverse=True)
    return [1 + order.index(worth(seat)) for seat in range(len(match.players))]
