"""A check of what a game declares: its name, seats, options and house rules for beginners."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from tavolata._engine.plugins.checks import wrong_with_game
from tavolata._text import fields, fill
from tavolata.errors import OptionError, TavolataError
from tavolata.game import Game
from tavolata.options import Options, OptionSpec, Problem, problems_of
from tavolata.testing.cases import CheckFailed, seats_of, usual_teams, values_of
from tavolata.testing.checks.check import of_game

MOST_MINUTES = 600


@of_game(stops=True)
def seats_and_options(game: type[Game[Any]]) -> None:
    """Check that the game can be listed: its name, seats, options, their limits and defaults are possible."""
    wrong = wrong_with_game(game)
    if wrong is not None:
        raise CheckFailed(fill(wrong[0], {"plugin": game.__module__, **wrong[1]}))
    low, high = game.seats
    if game.best_with and not low <= game.best_with <= high:
        raise CheckFailed(f"The best number of seats is {game.best_with}, and {low} to {high} can play.")
    if not (type(game.minutes) is int and 0 <= game.minutes <= MOST_MINUTES):
        raise CheckFailed(f"`minutes` is {game.minutes!r}; it's a number up to {MOST_MINUTES}, or 0.")
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
        for value, what in {**dict.fromkeys(values_of(spec), "limit"), usual[spec.name]: "default"}.items():
            try:
                spec.read(value)
            except TavolataError as error:
                raise CheckFailed(f"The {what} {value!r} of {spec.name} is refused: {error}") from error
    _conditions(game, {spec.name: spec for spec in specs})
    _playable(game, {}, "The usual choice of house rules")
    for name in ("first_match", "local"):
        _playable(game, getattr(game, name), f"`{name}`")
    for spec in specs:
        for value in values_of(spec):
            with suppress(OptionError):  # it depends on other options
                options = game.options.parse({spec.name: value})
                for seats in (low, high):
                    _problems(options, seats, usual_teams(game, seats))


def _conditions(game: type[Game[Any]], specs: Mapping[str, OptionSpec]) -> None:
    """Check that each option can be offered: by its seats, and by values that other options have."""
    low, high = game.seats
    for spec in specs.values():
        match spec.seats:
            case None:
                pass
            case (int(fewest), int(most)) if low <= fewest <= most <= high:
                pass
            case _:
                raise CheckFailed(
                    f"The option {spec.name} is for {spec.seats!r} seats, and {low} to {high} can play."
                )
        for other, wanted in spec.when.items():
            if other not in specs or other == spec.name:
                raise CheckFailed(f"The option {spec.name} hangs on {other}, which is no other option.")
            for value in wanted if isinstance(wanted, tuple) else (wanted,):
                try:
                    specs[other].read(value)
                except TavolataError as error:
                    raise CheckFailed(
                        f"The option {spec.name} hangs on a value of {other}: {error}"
                    ) from error


def _playable(game: type[Game[Any]], rules: Mapping[str, Any], what: str) -> None:
    """Check that these house rules can be played by each number of players."""
    try:
        options = game.options.parse(rules)
    except TavolataError as error:
        raise CheckFailed(f"{what} is refused: {error}") from error
    for seats in seats_of(game):
        for problem in _problems(options, seats, usual_teams(game, seats)):
            raise CheckFailed(f"{what} is refused with {seats} seats: {problem}")


def _problems(options: Options, seats: int, teams: int) -> list[object]:
    problems: list[object]  # an author may yield anything, whatever the annotations say
    try:
        problems = [*problems_of(options, seats, teams)]
    except Exception as error:
        raise CheckFailed(f"`{type(options).__name__}.problems` fails: {error!r}") from error
    for problem in problems:
        if not isinstance(problem, Problem) or problem.option not in options.plain():
            raise CheckFailed(f"{problem!r} is no `Problem` of an option.")
        if missing := fields(problem.message) - set(problem.params):
            raise CheckFailed(f"{problem.message!r} has no value for {{{min(missing)}}}.")
    return problems
