"""The list of games that others have published, which ships with Tavolata as data.

Each is an object of `more_games.json`: `name` (the word after `tt play`), `package` (its name at PyPI),
`title`, `summary`, `players` (fewest and most), `languages` (codes), `api` (the author API that it speaks),
`minutes` (about how long a match takes; 0 or none if the author can't say).
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import msgspec

from tavolata._engine.plugins.checks import NAME

FORMAT = 1


class ListedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    package: str
    title: str
    summary: str
    players: tuple[int, int]
    languages: tuple[str, ...]
    api: int
    minutes: int = 0


class _List(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    format: int
    games: tuple[ListedGame, ...]


def read_list(data: bytes) -> tuple[ListedGame, ...]:
    """Return the games of a list; raise ValueError if it is not in this form."""
    from tavolata._engine.plugins.package_names import is_distribution

    found = msgspec.json.decode(data, type=_List)
    if found.format != FORMAT:
        raise ValueError(f"the list has format {found.format}, not {FORMAT}")
    for game in found.games:
        low, high = game.players
        if not (NAME.fullmatch(game.name) and is_distribution(game.package) and 1 <= low <= high):
            raise ValueError(f"{game.name} can't be in the list")
    names = [game.name for game in found.games]
    if len(set(names)) != len(names):
        raise ValueError("a game is in the list twice")
    return found.games


@cache
def more_games() -> tuple[ListedGame, ...]:
    return read_list((files("tavolata._cli") / "more_games.json").read_bytes())


def package_of(game: str) -> str:
    """Return the package of a game in the list, or with this name after "tavolata-"; "" if there's none."""
    return next((g.package for g in more_games() if {game, f"tavolata-{game}"} & {g.name, g.package}), "")
