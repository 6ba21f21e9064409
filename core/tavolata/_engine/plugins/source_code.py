"""Source code of a game: the files that its rules are made of, and their fingerprint.

All machines of a table follow one log with the same rules. If a rule differs on one of them, the machines
part in the middle of a match, and an honest player looks like a cheat. So the code is compared before a peer
sits down. Each game of a package has a fingerprint of its own, of what its rules import: a change to another
game changes nothing for it.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, is_dataclass
from enum import Enum
from functools import cached_property, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tavolata._engine.match.game_info import FINGERPRINT
from tavolata.facts import FACTS
from tavolata.game import Game

MARK = 2
"""The bytes of a file's mark, by which another machine can tell which file differs."""
MOST_MARKS = 64
_TAVOLATA = frozenset({"tavolata", "tavolata_protocol"})
_HOOKS = frozenset({"tavolata_games", "tavolata_bots", "tavolata_commands"})
_COMPUTED = frozenset({"__import__", "builtins", "eval", "exec", "importlib", "pkgutil", "runpy"})
_HARMLESS = frozenset({"metadata", "resources"})
"""What `importlib` has besides: these read files, and import nothing."""
_FACTS = re.compile(rb"@(?:\w+\.)*fact\b|\.declare(?:_all)?\s*\(|\btavolata\.tricks\b|\bclaim\s*[=(]")
"""What stands in the source of a game that says facts; a word too many costs nobody anything."""


@dataclass(frozen=True)
class SourceCode:
    """The source code of a single game.

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


class Sources(Protocol):
    """Modules of one place, by paths such as "tavolata_scopa/rules.py"."""

    def read(self, path: str) -> bytes | None:
        """Return the text of a module; None if it isn't there."""

    def below(self, package: str) -> Iterable[str]:
        """Return the paths of all modules of a package, or of lone ones for ""."""


def code_of(game: type[Game[Any]]) -> SourceCode:
    """Return the source code of a game.

    It is that of the modules that its base classes, its options, its facts and the data in its rules come
    from, and of all that they import from their own distributions. Tavolata does not count.
    """
    files: dict[str, bytes] = {}
    says_facts = False
    for path, text in sorted(reached(Installed(packages_of(game)), modules_of(game)).items()):
        says_facts = says_facts or _FACTS.search(text) is not None
        files[path] = hash_of(path, text)
    return SourceCode(files, says_facts)


def reached(sources: Sources, modules: Iterable[str]) -> dict[str, bytes]:
    """Return the texts of these modules, and of all that their import statements reach, by path.

    Statements in functions count, too. A package that is imported as a whole counts whole, since any of its
    modules can be used then; so does the package of a module that imports by a computed name. A module counts
    without its hooks.
    """
    todo = [_Named(module, whole=False) for module in modules]
    found: dict[str, bytes] = {}
    seen = set[_Named]()
    while todo:
        named = todo.pop()
        if named in seen:
            continue
        seen.add(named)
        name, stem = named.module, named.module.replace(".", "/")
        if named.whole:
            inside = [path.removesuffix(".py").removesuffix("/__init__") for path in sources.below(stem)]
            todo += [_Named(path.replace("/", "."), whole=False) for path in inside]
        if "." in name:
            todo.append(_Named(name.rpartition(".")[0], whole=False))
        for path in (f"{stem}/__init__.py", f"{stem}.py"):
            if path in found:
                break
            if (text := sources.read(path)) is not None:
                found[path], names = _own_part(text, name, is_package=path.endswith("/__init__.py"))
                todo += names
                break
    return found


def hash_of(path: str, text: bytes) -> bytes:
    """Return the hash of a file's path and text, whatever its line ends."""
    name, text = path.encode(), text.replace(b"\r\n", b"\n")
    return blake2b(len(name).to_bytes(4, "big") + name + text, digest_size=FINGERPRINT).digest()


def fingerprint_of(files: Mapping[str, bytes]) -> bytes:
    """Return the fingerprint of these hashes, by path in order."""
    return blake2b(b"".join(files.values()), digest_size=FINGERPRINT).digest()


class Installed:
    """The modules of imported top-level packages and lone modules, and of what ships with them."""

    def __init__(self, tops: Iterable[str]) -> None:
        self._places: dict[str, list[Path]] = {}
        for top in tops:
            module = sys.modules[top]
            file = getattr(module, "__file__", None)
            self._places[top] = [*map(Path, getattr(module, "__path__", [file] if file else []))]
        self._roots = [(place.parent, top) for top, places in self._places.items() for place in places]

    def file(self, path: str) -> Path | None:
        top, _, rest = path.partition("/")
        files = [place / rest for place in self._at(top.removesuffix(".py"))]
        return next((file for file in files if file.is_file()), None)

    def read(self, path: str) -> bytes | None:
        try:
            return None if (file := self.file(path)) is None else file.read_bytes()
        except OSError:
            return None

    def below(self, package: str) -> Iterator[str]:
        top, _, rest = package.partition("/")
        if not package:
            yield from {file.name for root, _ in self._roots for file in root.glob("*.py")}
        for place in self._at(top):
            folder = place / rest
            yield from (f"{package}/{file.relative_to(folder).as_posix()}" for file in folder.rglob("*.py"))

    def _at(self, top: str) -> list[Path]:
        """Return the folders of a package, or the file of a lone module."""
        if top not in self._places:
            strange = top in _TAVOLATA or top in sys.stdlib_module_names or not top
            self._places[top] = [
                place
                for root, neighbour in self._roots
                for place in (root / top, root / f"{top}.py")
                if not strange and place.exists() and _ship_together(root, neighbour, top)
            ]
        return self._places[top]


def _ship_together(root: Path, one: str, other: str) -> bool:
    """Return True if one distribution has two neighbours, or nothing is installed in their folder."""
    records = [*root.glob("*.dist-info")]
    for record in records:
        try:
            listed = (record / "RECORD").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if all(re.search(rf"^{re.escape(top)}(/|\.py,)", listed, re.MULTILINE) for top in (one, other)):
            return True
    return not records


def files_of(game: type[Game[Any]]) -> dict[str, Path]:
    """Return the files of a game by their paths as they are fingerprinted."""
    installed = Installed(packages_of(game))
    files = {path: installed.file(path) for path in reached(installed, modules_of(game))}
    return {path: file for path, file in files.items() if file is not None}


def files_in(top: str) -> dict[str, Path]:
    """Return all files of an imported top-level package or module, in the same form."""
    installed = Installed([top])
    paths = [*installed.below(top)] or [*reached(installed, [top])]
    return {path: file for path in paths if (file := installed.file(path)) is not None}


def packages_of(game: type[Game[Any]]) -> set[str]:
    """Return the top-level packages and modules that the classes of a game come from."""
    return {name.partition(".")[0] for name in modules_of(game)} & sys.modules.keys()


def modules_of(game: type[Game[Any]]) -> set[str]:
    """Return the modules that the classes of a game come from."""
    todo, seen = [cls.__module__ for cls in (*game.__mro__, *game.options.__mro__)], set[str]()
    while todo:
        name = todo.pop()
        top = name.partition(".")[0]
        if name in seen or top in _TAVOLATA or top in sys.stdlib_module_names or name not in sys.modules:
            continue
        seen.add(name)
        values = vars(sys.modules[name]).values()
        todo += [value.__module__ for value in values if _counts(value)]
    return seen


def _counts(value: Any) -> bool:
    """Return True for a fact, or a class of which a game or the state of a match can be made."""
    if isinstance(value, type):
        return issubclass(value, Enum | Game) or is_dataclass(value)
    return inspect.isfunction(value) and FACTS.get(f"{value.__module__}:{value.__qualname__}") is value


class _Named(NamedTuple):
    """A module that an import statement names; with `whole`, all of it if it's a package."""

    module: str
    whole: bool


@lru_cache(maxsize=256)
def _own_part(text: bytes, module: str, *, is_package: bool) -> tuple[bytes, tuple[_Named, ...]]:
    """Return the text of a module without its hooks, and what the rest names."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text, ()
    lines = text.splitlines(keepends=True)
    names: list[_Named] = []
    whole = module.partition(".")[0] if "." in module or is_package else ""
    for part in reversed(tree.body):
        if isinstance(part, ast.FunctionDef) and _is_hook(part):
            del lines[part.decorator_list[0].lineno - 1 : part.end_lineno]
            continue
        for node in ast.walk(part):
            names += _named(node, module if is_package else module.rpartition(".")[0])
            if _computes(node):
                names.append(_Named(whole, whole=True))
    return b"".join(lines), tuple(names)


def _is_hook(function: ast.FunctionDef) -> bool:
    """Return True for a hook that can't change the rules: the games' one only names them."""
    marks = [getattr(mark, "attr", getattr(mark, "id", "")) for mark in function.decorator_list]
    makes = (ast.Call, ast.ClassDef, ast.FunctionDef, ast.Lambda, ast.Attribute, ast.Subscript)
    plain = not any(isinstance(node, makes) for part in function.body for node in ast.walk(part))
    return marks == ["hookimpl"] and function.name in _HOOKS and (plain or function.name != "tavolata_games")


def _named(node: ast.AST, package: str) -> Iterator[_Named]:
    """Yield what an import statement in a module of `package` names."""
    if isinstance(node, ast.Import):
        for alias in node.names:
            yield _Named(alias.name, whole=bool(alias.asname))
            if not alias.asname:
                yield _Named(alias.name.partition(".")[0], whole=True)
    elif isinstance(node, ast.ImportFrom):
        above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
        base = ".".join([*above, *([node.module] if node.module else [])])
        if base:
            yield _Named(base, whole=any(alias.name == "*" for alias in node.names))
            yield from (_Named(f"{base}.{alias.name}", whole=True) for alias in node.names)


def _computes(node: ast.AST) -> bool:
    """Return True for what can import a module by a computed name, or calls a hook."""
    match node:
        case ast.Name(id=name):
            return name in _COMPUTED or name in _HOOKS
        case ast.Attribute(attr=name):
            return name in _HOOKS or name in ("modules", "__import__", "import_module")
        case ast.Import(names=names):
            return any(alias.name.partition(".")[0] in _COMPUTED for alias in names)
        case ast.ImportFrom(module=module, names=names):
            said = [f"{module}.{alias.name}".split(".") for alias in names]
            return any(
                one == ["sys", "modules"]
                or one[-1] in _HOOKS
                or (one[0] in _COMPUTED and one[1] not in _HARMLESS)
                for one in said
            )
        case _:
            return False
