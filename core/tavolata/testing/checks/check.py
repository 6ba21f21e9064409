"""Checks: properties that must hold in every match of a game, tested over sampled cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tavolata.bots import Bot
from tavolata.game import Game
from tavolata.testing.cases import USUAL_BOTS, Case, cases
from tavolata.testing.errors import CheckFailed

MATCHES = 20
"""How many matches the check that plays most of them plays; the others play a share of it."""


class Check:
    """One check; called with a game it runs alone and raises if the game does not pass.

    Attributes:
        name: what it is called in reports and on the command line.
        about: one sentence, what it proves.
        share: how many of a hundred of the matches it plays.
    """

    def __init__(self, over: Callable[[list[Case]], None], share: int) -> None:
        self.name = self.__name__ = over.__name__
        self.__doc__ = over.__doc__
        self.about = (over.__doc__ or "").strip().partition("\n")[0]
        self.share = share
        self._over = over

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
    ) -> int:
        """Run it over sampled matches; return how many.

        Args:
            game: what is checked.
            matches: how many; by default what suits the check.
            seed: of the first; the others count on.
            seats: how many seats in all of them; None for all that the game allows.
            options: the house rules in all of them; None for all sorts.
            bots: who plays.

        Raises:
            CheckFailed: the game does not pass; it says which match shows that.
        """
        many = self.of(MATCHES) if matches is None else matches
        played = list(cases(game, many, seed, seats=seats, options=options, bots=bots))
        self.over(played)
        return len(played)

    def of(self, matches: int) -> int:
        """How many matches this check plays when the one that plays most plays so many."""
        return max(1, matches * self.share // 100)

    def over(self, played: list[Case]) -> None:
        """Run it over these cases.

        Raises:
            CheckFailed: the game does not pass.
        """
        try:
            self._over(played)
        except CheckFailed as failure:
            failure.check = self.name
            raise


def each(share: int) -> Callable[[Callable[[Case], None]], Check]:
    """A check that looks at one case after the other."""

    def make(over_one: Callable[[Case], None]) -> Check:
        def over(played: list[Case]) -> None:
            for case in played:
                over_one(case)

        over.__name__, over.__doc__ = over_one.__name__, over_one.__doc__
        return Check(over, share)

    return make


def together(share: int) -> Callable[[Callable[[list[Case]], None]], Check]:
    """A check that looks at all cases at once."""
    return lambda over: Check(over, share)
