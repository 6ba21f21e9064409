"""A check of what a game declares: its name, seats, options and house rules for beginners."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tavolata._engine.plugins.checks import wrong_with_game
from tavolata._text import fill
from tavolata.errors import TavolataError
from tavolata.game import Game
from tavolata.testing.cases import values_of
from tavolata.testing.checks.check import of_game
from tavolata.testing.errors import CheckFailed


@of_game(stops=True)
def seats_and_options(game: type[Game[Any]]) -> None:
    """The game can be listed: its name, seats, options, their limits and defaults are possible."""
    wrong = wrong_with_game(game)
    if wrong is not None:
        raise CheckFailed(fill(wrong[0], {"plugin": game.__module__, **wrong[1]}))
    low, high = game.seats
    if game.best and not low <= game.best <= high:
        raise CheckFailed(f"The best number of seats is {game.best}, and {low} to {high} can play.")
    try:
        specs = game.options.describe()
        usual = game.options().plain()
    except (TavolataError, TypeError, NameError, ValueError) as error:
        raise CheckFailed(f"{game.options.__name__} can't be made: {error}") from error
    for spec in specs:
        if not spec.help:
            raise CheckFailed(f"The option {spec.name} has no help: people can't know what it does.")
        if usual[spec.name] is None:
            raise CheckFailed(f"The option {spec.name} has no default.")
        for value in {**dict.fromkeys(values_of(spec), "limit"), usual[spec.name]: "default"}.items():
            try:
                spec.read(value[0])
            except TavolataError as error:
                raise CheckFailed(
                    f"The {value[1]} {value[0]!r} of {spec.name} is refused: {error}"
                ) from error
    for name in ("first_match", "alone"):
        _parsed(game, getattr(game, name), f"`{name}`")
    for seats in range(low, high + 1):
        try:
            game.options().check_seats(seats)
        except TavolataError as error:
            raise CheckFailed(
                f"{seats} can sit down, and the usual house rules refuse them: {error}"
            ) from error


def _parsed(game: type[Game[Any]], rules: Mapping[str, Any], what: str) -> None:
    try:
        game.options.parse(rules)
    except TavolataError as error:
        raise CheckFailed(f"{what} is refused: {error}") from error
