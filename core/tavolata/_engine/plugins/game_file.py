"""Games in files: `tt play ./game.py` loads the one game in the file, `./game.py:Class` the one of that name.

A file inside a package is imported as a module of that package. A lone file is a module of its own and can
import its neighbours. The game gets the version "dev". Which file a game was loaded from is stored, so that
its matches can be resumed and replayed.
"""

from __future__ import annotations

import os
import re
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tavolata import _dirs
from tavolata._blame import place_of, short
from tavolata._engine.match.game_info import DEV
from tavolata._engine.plugins.checks import wrong_with_bot, wrong_with_game
from tavolata._engine.plugins.loader import BrokenPlugin, NoSuchGame, Plugin, strangers_code, what
from tavolata._engine.plugins.manifest import EntryPoint, searched_by_authors
from tavolata._engine.storage.atomic_json import keep, stored
from tavolata._players import Bot
from tavolata._text import one_line
from tavolata._trouble import trouble
from tavolata.game import Game
from tavolata.messages import N_

_FILE = re.compile(r"(?P<path>.+\.py)(?::(?P<cls>\w+))?", re.IGNORECASE | re.DOTALL)


class FromFile(NamedTuple):
    """A game that was loaded from a file.

    `path` is the file as it was typed, `package` the top-level package it belongs to; "" for a lone file.
    """

    path: str
    game: type[Game[Any]]
    bots: dict[str, type[Bot]]
    package: str


def file_in(word: str) -> Path | None:
    """Return the Python file that a word names, without a class; None if it's the name of a game."""
    found = _FILE.fullmatch(word)
    if found is None:
        return None
    return Path(os.path.expanduser(found["path"]))  # noqa: PTH111 - `Path` raises for ~ and an unknown name


def look_for(file: Path, shown: str) -> None:
    """Raise `NoSuchGame` if there's no such file, which is `shown` as it was typed."""
    try:
        there = file.is_file()
    except OSError as error:
        problem = trouble(error)
        raise NoSuchGame(N_("Couldn't read {path}: {problem}."), path=shown, problem=problem) from error
    if not there:
        raise NoSuchGame(N_("No such file: {path}."), path=shown)


def load(word: str) -> FromFile:
    """Load the game of a file: `game.py`, or `game.py:Class` where the file has several games.

    Raise `NoSuchGame`, or `BrokenPlugin` if it can't be imported or has no game that can be played.
    """
    found, file = _FILE.fullmatch(word), file_in(word)
    assert found is not None
    assert file is not None
    shown = one_line(found["path"], 200)
    look_for(file, shown)
    module = _imported(file.resolve(), shown)
    game = _game_in(module, found["cls"], shown)
    wrong = wrong_with_game(game)
    if wrong is not None:
        raise BrokenPlugin(wrong[0], **{**wrong[1], "plugin": shown})
    top = sys.modules[module.__name__.partition(".")[0]]
    package = top.__name__ if hasattr(top, "__path__") else ""
    _remember(game.name, f"{file.resolve()}:{game.__qualname__}")
    return FromFile(shown, game, _bots(game.name, module, top), package)


def _imported(file: Path, shown: str) -> ModuleType:
    """Import a file as the module that its folder makes of it."""
    names, root = [file.stem], file.parent
    while (root / "__init__.py").is_file():
        names.insert(0, root.name)
        root = root.parent
    if names[-1] == "__init__" and len(names) > 1:
        names.pop()
    in_the_way = sys.modules.get(names[0])
    theirs = getattr(in_the_way, "__file__", None)
    own = file if len(names) == 1 and file.name != "__init__.py" else root / names[0] / "__init__.py"
    if names[0] in sys.stdlib_module_names or not names[0].isidentifier():
        raise BrokenPlugin(
            N_("{path} can't be imported as {name}. Give it another name."),
            path=shown, name=names[0],
        )  # fmt: skip
    if in_the_way is not None and (theirs is None or Path(theirs).resolve() != own):
        for name in [one for one in sys.modules if one.partition(".")[0] == names[0]]:
            del sys.modules[name]  # another installation of this package: the file is what was asked for
    if str(root) not in sys.path:
        sys.path.append(str(root))  # last: a neighbour must not hide a module of Python
        searched_by_authors.add(str(root))
    before = set(sys.modules)
    try:
        with strangers_code():
            if names[0] not in sys.modules:
                _run(names[0], own)
            return import_module(".".join(names))
    except Exception as problem:
        for name in sorted(set(sys.modules) - before):
            if name.partition(".")[0] == names[0]:
                del sys.modules[name]
        raise _broken(problem, shown) from problem


def _run(name: str, file: Path) -> None:
    folders = [str(file.parent)] if file.name == "__init__.py" else None
    spec = spec_from_file_location(name, file, submodule_search_locations=folders)
    if spec is None or spec.loader is None:
        raise ImportError(f"{file} is no module")
    module = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(module)


def _broken(problem: BaseException, shown: str) -> BrokenPlugin:
    place = None if isinstance(problem, SyntaxError) else place_of(problem)  # a syntax error says its own
    if place is not None and f"{short(place[0])}, line" in str(problem):
        place = None  # so does the error of a class that can't be played
    said = what(problem)
    if place is None:
        return BrokenPlugin(N_("{path} can't be imported: {problem}."), path=shown, problem=said)
    return BrokenPlugin(
        N_("{path} can't be imported: {problem} ({file}, line {line})."),
        path=shown, problem=said, file=Path(place[0]).name, line=place[1],
    )  # fmt: skip


def _game_in(module: ModuleType, wanted: str | None, shown: str) -> type[Game[Any]]:
    """Return the game of this name in a module, or its only one."""
    top = module.__name__.partition(".")[0]
    all_here = [
        value for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Game) and value.__module__.partition(".")[0] == top
    ]  # fmt: skip
    found = {game.__name__: game for game in all_here if game.__module__ == module.__name__ or
             not any(other.__module__ == module.__name__ for other in all_here)}  # fmt: skip
    if wanted is not None:
        if wanted in found:
            return found[wanted]
        raise BrokenPlugin(
            N_("{path} has no game named {name}. Its games: {games}.") if found else
            N_("{path} has no game (a class that derives from `Game`)."),
            path=shown, name=wanted, games=", ".join(found),
        )  # fmt: skip
    played = [one for one in found.values() if "name" in vars(one) or not _has_children(one, found.values())]
    if not played:
        raise BrokenPlugin(N_("{path} has no game (a class that derives from `Game`)."), path=shown)
    if len(played) > 1:
        raise BrokenPlugin(
            N_("{path} has several games: {games}. Choose one, as in {path}:{first}."),
            path=shown, games=", ".join(one.__name__ for one in played), first=played[0].__name__,
        )  # fmt: skip
    return played[0]


def _has_children(game: type, among: Any) -> bool:
    return any(other is not game and issubclass(other, game) for other in among)


def _bots(game: str, module: ModuleType, top: ModuleType) -> dict[str, type[Bot]]:
    """Return the bots of a game: those of its package's hook, and the classes in the file itself."""
    found: dict[str, type[Bot]] = {}
    for value in vars(module).values():
        here = isinstance(value, type) and issubclass(value, Bot) and value.__module__ == module.__name__
        if here and wrong_with_bot((game, value)) is None:
            found[value.level] = value
    if hasattr(top, "tavolata_bots"):
        plugin = Plugin(EntryPoint(top.__name__, top.__name__, "", DEV, ""))
        for offer in plugin.offers("tavolata_bots"):
            if wrong_with_bot(offer) is None and offer[0] == game:
                found[offer[1].level] = offer[1]
    return found


def _kept() -> Path:
    return Path(_dirs.data_dir()) / "game-files.json"


def _known() -> dict[str, str]:
    known = stored(_kept())
    return known if isinstance(known, dict) else {}


def _remember(game: str, word: str) -> None:
    known = _known()
    if known.get(game) != word:
        keep(_kept(), {**known, game: word})


def file_of(game: str) -> str | None:
    """Return the file from which a game of this name was last loaded, as `load` takes it; None if unknown."""
    word = _known().get(game)
    return word if isinstance(word, str) and file_in(word) else None
