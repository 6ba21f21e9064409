"""Checks of the games and bots of plugins before they are used.

Each function returns why the thing can't be used, as a message id with parameters, or None. This module
imports, loads and leaves out nothing.
"""

from __future__ import annotations

import inspect
import re
from typing import Any

from tavolata._engine.match.campaign import is_legacy
from tavolata._engine.match.game_info import OTHER_API
from tavolata._players import Bot
from tavolata._version import API
from tavolata.game import Game, is_range_of_seats
from tavolata.messages import N_
from tavolata.options import Options

Complaint = tuple[str, dict[str, Any]]
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")


def wrong_with_game(thing: object) -> Complaint | None:
    if not (inspect.isclass(thing) and issubclass(thing, Game)):
        return N_("{plugin} offers {thing}, which isn't a game class."), {"thing": repr(thing)[:80]}
    name = getattr(thing, "name", None)
    if not isinstance(name, str) or not NAME.fullmatch(name):
        return (
            N_("{plugin} has a game named {name}. Use lower-case letters, digits and dashes."),
            {"name": repr(name)[:80]},
        )
    said: dict[str, Any] = {"game": name}
    if type(thing.api) is int and thing.api != API:
        return OTHER_API, said | {"theirs": thing.api, "ours": API}
    for attribute, fine in _attributes(thing).items():
        if not fine:
            return N_("{plugin}'s {game} has no usable `{attribute}`."), said | {"attribute": attribute}
    return None


def wrong_with_bot(thing: object) -> Complaint | None:
    match thing:
        case (str(game), type() as bot) if issubclass(bot, Bot):
            level: object = bot.level
            if isinstance(level, str) and NAME.fullmatch(level):
                return None
            return (
                N_(
                    "{plugin} has a bot for {game} with the level {level}. Use lower-case letters, "
                    "digits and dashes."
                ),
                {"game": game, "level": repr(level)[:80]},
            )
        case _:
            return (
                N_("{plugin} offers {thing}, which isn't a pair (game name, bot class)."),
                {"thing": repr(thing)[:80]},
            )


def _attributes(game: type[Game[Any]]) -> dict[str, bool]:
    # Asked for by name: an author may have put anything there, whatever the annotations say.
    title, summary = (getattr(game, name, None) for name in ("title", "summary"))
    options: object = game.options
    return {
        "title": isinstance(title, str) and bool(title),
        "summary": isinstance(summary, str),
        "rules_id": type(game.rules_id) is int,
        "api": type(game.api) is int,
        "seats": is_range_of_seats(getattr(game, "seats", None)),
        "best_with": type(game.best_with) is int,
        "minutes": type(game.minutes) is int,
        "options": inspect.isclass(options) and issubclass(options, Options),
        "legacy": game.legacy is None or is_legacy(game.legacy),
        "setup": game.setup is not Game.setup,
        "turn": game.turn is not Game.turn and inspect.iscoroutinefunction(game.turn),
    }
