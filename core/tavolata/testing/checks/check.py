"""Checks: properties that must hold in every match of a game, tested over sampled cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavolata.bots import Bot
from tavolata.game import Game
from tavolata.testing.cases import USUAL_BOTS, Case, cases
from tavolata.testing.errors import CheckFailed

MATCHES = 20
"""The number of matches of a check with a share of 100; other checks play fewer."""


class Check:
    """One check. Calling it with a game runs it alone, and raises an error if the game fails.

    Attributes:
        name: its name in reports and on the command line.
        about: one sentence that says what it proves.
        share: the percentage of the matches that it plays; 0 for one that plays none.
        stops: whether the battery ends where it fails, because the checks after it would say the same again.
    """

    def __init__(
        self,
        over: Callable[[list[Case]], None],
        share: int,
        *,
        game: Callable[[type[Game[Any]]], None] | None = None,
        stops: bool = False,
    ) -> None:
        self.name = self.__name__ = over.__name__
        self.__doc__ = over.__doc__
        self.about = (over.__doc__ or "").strip().partition("\n")[0]
        self.share = share
        self.stops = stops
        self._over = over
        self._game = game

    def __repr__(self) -> str:
        return self.name

    def __call__(
        self,
        game: type[Game[Any]],
        *,
        matches: int | None = None,
        seed: int = 0,
        seats: int | None = None,
        options: Mapping[str, Any] | None = None,
        bots: Sequence[type[Bot]] = USUAL_BOTS,
        teams: int | None = None,
    ) -> int:
        """Run the check over sampled matches; return their number.

        Args:
            game: the game to check.
            matches: the number of matches; None for the usual number of this check.
            seed: the seed of the first match; the others get the following numbers.
            seats: the number of seats in each match; None for every number that the game allows.
            options: the house rules of each match; None for different ones.
            bots: the classes of the bots that play.
            teams: how many teams play; None for with and without, where the game has teams.

        Raises:
            CheckFailed: the game fails; the error names the match.
        """
        if self._game is not None:
            self.over([], game)
            return 1
        many = self.of(MATCHES) if matches is None else matches
        played = list(cases(game, many, seed, seats=seats, options=options, bots=bots, teams=teams))
        self.over(played, game)
        return len(played)

    def of(self, matches: int) -> int:
        """The number of matches of this check if a check with a share of 100 plays `matches`."""
        return 0 if self._game is not None else max(1, matches * self.share // 100)

    def over(self, played: list[Case], game: type[Game[Any]]) -> None:
        """Run the check over these cases of a game.

        Raises:
            CheckFailed: the game fails.
        """
        try:
            if self._game is not None:
                self._game(game)
            else:
                self._over(played)
        except CheckFailed as failure:
            failure.check = self.name
            raise


def of_game(*, stops: bool = False) -> Callable[[Callable[[type[Game[Any]]], None]], Check]:
    """Make a check from a function that looks at the class of a game and plays nothing."""

    def make(over_game: Callable[[type[Game[Any]]], None]) -> Check:
        def over(_: list[Case]) -> None:
            return

        over.__name__, over.__doc__ = over_game.__name__, over_game.__doc__
        return Check(over, 0, game=over_game, stops=stops)

    return make


def each(share: int, *, stops: bool = False) -> Callable[[Callable[[Case], None]], Check]:
    """Make a check from a function for one case."""

    def make(over_one: Callable[[Case], None]) -> Check:
        def over(played: list[Case]) -> None:
            for case in played:
                over_one(case)

        over.__name__, over.__doc__ = over_one.__name__, over_one.__doc__
        return Check(over, share, stops=stops)

    return make


def together(share: int) -> Callable[[Callable[[list[Case]], None]], Check]:
    """Make a check from a function for all cases together."""
    return lambda over: Check(over, share)
