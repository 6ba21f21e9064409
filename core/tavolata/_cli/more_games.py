"""The list of games that others have published: a copy ships with Tavolata, and a newer one can be fetched.

The list is `games.json`. A weekly job of the project makes it (`tools/games_index.py`). It has facts about
each release, and no opinion.
"""

from __future__ import annotations

import re
from importlib.resources import files
from os import environ
from pathlib import Path
from typing import Final

import msgspec

from tavolata import _dirs
from tavolata._engine.plugins.checks import NAME
from tavolata._machine import disk
from tavolata._text import one_line
from tavolata.messages import N_

FORMAT: Final = 1
ADDRESS: Final = "https://raw.githubusercontent.com/tavolata/tavolata/games/games.json"
"""Where the weekly job puts the list; TT_GAMES_URL names another place."""
MOST: Final = 4 << 20
_DATE = re.compile(r"20\d\d-[01]\d-[0-3]\d")
_CODE = re.compile(r"[0-9a-f]{32}")


class Marks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Facts about the release of a package.

    Attributes:
        released: the day it was published.
        fingerprint: that of its code, in hexadecimal digits.
        attested: the index has attestations of where it was built.
        kit: the Tavolata whose kit was run; "" if none was.
        checked: the day of that.
        passed: no check failed.
        failing_since: the day since which checks have failed; "" if they passed or were never finished.
    """

    version: str
    released: str
    fingerprint: str
    attested: bool = False
    kit: str = ""
    checked: str = ""
    passed: bool = False
    failing_since: str = ""


class ListedGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that can be installed.

    Attributes:
        name: the word after `tt play`.
        package: its name at PyPI.
        players: the fewest and the most.
        languages: their codes.
        api: the author API that it speaks.
        minutes: how long a match takes, about; 0 if the author doesn't say.
        marks: None until it's published.
    """

    name: str
    package: str
    title: str
    summary: str
    players: tuple[int, int]
    languages: tuple[str, ...]
    api: int
    minutes: int = 0
    marks: Marks | None = None


class GameList(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The list. `made` is the day it was made; "" for the one that was written by hand."""

    format: int
    games: tuple[ListedGame, ...]
    made: str = ""


def read_list(data: bytes) -> GameList:
    """Return a list; raise ValueError if it is not in this form."""
    found = msgspec.json.decode(data, type=GameList)
    if found.format != FORMAT:
        raise ValueError(f"the list has format {found.format}, not {FORMAT}")
    if found.made and not _DATE.fullmatch(found.made):
        raise ValueError("the list has no date")
    for game in found.games:
        if not _can_be(game):
            raise ValueError(f"{one_line(game.name, 40)} can't be in the list")
    names = [game.name for game in found.games]
    if len(set(names)) != len(names):
        raise ValueError("a game is in the list twice")
    return found


def _can_be(game: ListedGame) -> bool:
    from tavolata._engine.plugins.package_names import is_distribution, is_version

    (low, high), marks = game.players, game.marks
    texts = (game.title, game.summary, *game.languages)
    if not (NAME.fullmatch(game.name) and is_distribution(game.package) and 1 <= low <= high):
        return False
    if any(text != one_line(text, 200) for text in texts):
        return False
    if marks is None:
        return True
    dates = (marks.released, *(one for one in (marks.checked, marks.failing_since) if one))
    versions = (marks.version, *((marks.kit,) if marks.kit else ()))
    return (
        all(map(_DATE.fullmatch, dates)) and all(map(is_version, versions))
        and _CODE.fullmatch(marks.fingerprint) is not None
    )  # fmt: skip


def more_games() -> tuple[ListedGame, ...]:
    """Return the games of the copy that ships, or of the one that was fetched, whichever is newer."""
    shipped = read_list((files("tavolata._cli") / "games.json").read_bytes())
    try:
        fetched = read_list(disk().read(_kept()))
    except (OSError, ValueError):
        return shipped.games
    return fetched.games if fetched.made > shipped.made else shipped.games


def fetch_list() -> GameList:
    """Fetch the newest list and keep it; raise NotFetched if that fails."""
    from tavolata._cli.fetching import NotFetched, fetch

    address = environ.get("TT_GAMES_URL") or ADDRESS
    data = fetch(address, most=MOST)
    try:
        found = read_list(data)
        disk().make_folder(_kept().parent)
        disk().replace(_kept(), data)
    except ValueError as error:
        raise NotFetched(N_("{url} isn't a list of games."), url=address) from error
    except OSError as error:
        from tavolata._trouble import trouble

        raise NotFetched(
            N_("Couldn't write {path}: {problem}."), path=str(_kept()), problem=trouble(error)
        ) from error
    return found


def _kept() -> Path:
    return Path(_dirs.cache_dir()) / "games.json"


def package_of(game: str) -> str:
    """Return the package of a game in the list, or with this name after "tavolata-"; "" if there's none."""
    return next((g.package for g in more_games() if {game, f"tavolata-{game}"} & {g.name, g.package}), "")
