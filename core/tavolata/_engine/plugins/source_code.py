"""Source code of a game: the files that its rules are made of, and their fingerprint.

All machines of a table follow one log with the same rules. If a rule differs on one of them, the machines
part in the middle of a match, and an honest player looks like a cheat. So the code is compared before a peer
sits down.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any

from tavolata._engine.match.game_info import FINGERPRINT
from tavolata.facts import FACTS
from tavolata.game import Game

MARK = 2
"""The bytes of a file's mark, by which another machine can tell which file differs."""
MOST_MARKS = 64
_TAVOLATA = frozenset({"tavolata", "tavolata_protocol"})
_FACTS = re.compile(rb"@(?:\w+\.)*fact\b|\.declare(?:_all)?\s*\(|\btavolata\.tricks\b|\bclaim\s*[=(]")
"""What stands in the source of a game that says facts; a word too many costs nobody anything."""


@dataclass(frozen=True)
class SourceCode:
    """The source code of one game.

    `files` has the hash of each file's path and text, by its path, such as "tavolata_scopa/rules.py". With
    `says_facts` its rules state facts about hidden cards, by which someone can be convicted.
    """

    files: Mapping[str, bytes]
    says_facts: bool = False

    @cached_property
    def fingerprint(self) -> bytes:
        """Return 16 bytes that stand for the paths and texts of all files."""
        return fingerprint_of(self.files)

    def packed(self) -> bytes:
        """Return the fingerprint, and after it the marks of the files in order, as far as there is room."""
        return self.fingerprint + b"".join([whole[:MARK] for whole in self.files.values()][:MOST_MARKS])

    def differing(self, theirs: bytes) -> list[str]:
        """Return the files here that are different or missing there, as far as the marks show."""
        marks = {theirs[at : at + MARK] for at in range(FINGERPRINT, len(theirs), MARK)}
        return [path for path, whole in list(self.files.items())[:MOST_MARKS] if whole[:MARK] not in marks]


def code_of(game: type[Game[Any]]) -> SourceCode:
    """Return the source code of a game.

    It is that of the game's top-level package, or of its lone module and the neighbours that it imports, and
    of the packages that its base classes, its options, its facts and the data in its rules come from.
    Tavolata does not count.
    """
    files: dict[str, bytes] = {}
    says_facts = False
    for path, file in sorted(files_of(game).items()):
        try:
            text = file.read_bytes()
        except OSError:
            continue
        says_facts = says_facts or _FACTS.search(text) is not None
        files[path] = hash_of(path, text)
    return SourceCode(files, says_facts)


def hash_of(path: str, text: bytes) -> bytes:
    """Return the hash of a file's path and text, whatever its line ends."""
    name, text = path.encode(), text.replace(b"\r\n", b"\n")
    return blake2b(len(name).to_bytes(4, "big") + name + text, digest_size=FINGERPRINT).digest()


def fingerprint_of(files: Mapping[str, bytes]) -> bytes:
    """Return the fingerprint of these hashes, by path in order."""
    return blake2b(b"".join(files.values()), digest_size=FINGERPRINT).digest()


def files_of(game: type[Game[Any]]) -> dict[str, Path]:
    """Return the files of a game by their paths as they are fingerprinted."""
    return files_in(packages_of(game))


def files_in(packages: Iterable[str]) -> dict[str, Path]:
    """Return the files of imported top-level packages and modules, in the same form."""
    found: dict[str, Path] = {}
    for top in packages:
        module = sys.modules[top]
        for folder in getattr(module, "__path__", ()):
            found |= _package(top, Path(folder))
        file = getattr(module, "__file__", None)
        if file is not None and not hasattr(module, "__path__"):
            _add_lone(top, Path(file).resolve(), found)
    return found


def packages_of(game: type[Game[Any]]) -> set[str]:
    """Return the top-level packages and modules that the classes of a game come from."""
    todo, seen = [cls.__module__ for cls in (*game.__mro__, *game.options.__mro__)], set[str]()
    while todo:
        name = todo.pop()
        top = name.partition(".")[0]
        if name in seen or top in _TAVOLATA or top in sys.stdlib_module_names or name not in sys.modules:
            continue
        seen.add(name)
        values = vars(sys.modules[name]).values()
        todo += [value.__module__ for value in values if _counts(value)]
    return {name.partition(".")[0] for name in seen} & sys.modules.keys()


def _counts(value: Any) -> bool:
    """Return True for a fact, or a class of which a game or the state of a match can be made."""
    if isinstance(value, type):
        return issubclass(value, Enum | Game) or is_dataclass(value)
    return inspect.isfunction(value) and FACTS.get(f"{value.__module__}:{value.__qualname__}") is value


def _package(name: str, folder: Path) -> dict[str, Path]:
    return {f"{name}/{path.relative_to(folder).as_posix()}": path for path in folder.rglob("*.py")}


def _add_lone(name: str, file: Path, found: dict[str, Path]) -> None:
    """Add a lone module and what it imports from its own folder."""
    if f"{name}.py" in found:
        return
    found[f"{name}.py"] = file
    try:
        tree = ast.parse(file.read_bytes())
    except (OSError, SyntaxError, ValueError):
        return
    for node in ast.walk(tree):
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names = [node.module]
        for top in [one.partition(".")[0] for one in names]:
            if (neighbour := file.with_name(f"{top}.py")).is_file():
                _add_lone(top, neighbour, found)
            elif (folder := file.with_name(top)).is_dir():
                found |= _package(top, folder)
