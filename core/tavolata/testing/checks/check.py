"""Checks: properties that must hold in every match of a game, tested over sampled cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavolata.bots import Bot
from tavolata.game import Game
from tavolata.testing.cases import USUAL_BOTS, Case, CheckFailed, cases

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
        look: Callable[..., None],
        run: Callable[[list[Case], type[Game[Any]]], None],
        share: int,
        *,
        stops: bool = False,
    ) -> None:
        self.name = self.__name__ = look.__name__
        self.__doc__ = look.__doc__
        self.about = (look.__doc__ or "").strip().partition("\n")[0]
        self.share = share
        self.stops = stops
        self._turn = sum(self.name.encode())  # so not all checks begin with the same house rules
        self._run = run

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
            matches: the number of matches; None for the default number of this check.
            seed: the seed of the first match; the others get the following numbers.
            seats: the number of seats in each match; None for every number that the game allows.
            options: the house rules of each match; None for different ones.
            bots: the classes of the bots that play.
            teams: how many teams play; None for with and without, where the game has teams.

        Raises:
            CheckFailed: the game fails; the error names the match.
        """
        if not self.share:
            self.over([], game)
            return 1
        many = self.of(MATCHES) if matches is None else matches
        played = list(
            cases(game, many, seed, seats=seats, options=options, bots=bots, teams=teams, turn=self._turn)
        )
        self.over(played, game)
        return len(played)

    def of(self, matches: int) -> int:
        """Return the number of matches of this check if a check with a share of 100 plays `matches`."""
        return max(1, matches * self.share // 100) if self.share else 0

    def over(self, played: list[Case], game: type[Game[Any]]) -> None:
        """Run the check over these cases of a game.

        Raises:
            CheckFailed: the game fails.
        """
        try:
            self._run(played, game)
        except CheckFailed as failure:
            failure.check = self.name
            raise


def of_game(*, stops: bool = False) -> Callable[[Callable[[type[Game[Any]]], None]], Check]:
    """Make a check from a function that looks at the class of a game and plays nothing."""
    return lambda look: Check(look, lambda _, game: look(game), 0, stops=stops)


def each(share: int, *, stops: bool = False) -> Callable[[Callable[[Case], None]], Check]:
    """Make a check from a function for one case."""

    def make(look: Callable[[Case], None]) -> Check:
        def run(played: list[Case], _: object) -> None:
            for case in played:
                look(case)

        return Check(look, run, share, stops=stops)

    return make


def together(share: int) -> Callable[[Callable[[list[Case]], None]], Check]:
    """Make a check from a function for all cases together."""
    return lambda look: Check(look, lambda played, _: look(played), share)
