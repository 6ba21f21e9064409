"""Checks that read the source of a game: nothing private or outside, words that wait awaited, whole messages.

The module of the game is read, and the modules of its package that it imports. Other games in these modules
are left out.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from tavolata import zones
from tavolata._renamed import PROVISIONAL
from tavolata.choices import Choice, Unavailable
from tavolata.facts import claim
from tavolata.game import Game, interjection
from tavolata.messages import N_, text
from tavolata.table import Table
from tavolata.testing.cases import CheckFailed
from tavolata.testing.checks.check import of_game

_WORDS = {name: value for name, value in vars(Table).items() if not name.startswith("_") and callable(value)}
WAITS = frozenset(name for name, value in _WORDS.items() if inspect.iscoroutinefunction(value))
"""The words of a table that are awaited."""
PLAIN = frozenset(_WORDS) - WAITS
_TAVOLATA = ("tavolata", "tavolata_protocol")
_PURE = frozenset({
    "__future__", "abc", "bisect", "collections", "contextlib", "copy", "dataclasses", "decimal", "enum",
    "fractions", "functools", "graphlib", "heapq", "importlib", "itertools", "math", "numbers", "operator",
    "re", "statistics", "string", "textwrap", "types", "typing", "typing_extensions",
})  # fmt: skip
"""The modules that rules may import: they come to the same on every machine."""
_OUTSIDE = frozenset({"breakpoint", "eval", "exec", "hash", "id", "input", "open", "print"})
"""Builtins that depend on a process, or reach out of it."""
_OF_TUPLES = frozenset({"_asdict", "_field_defaults", "_fields", "_make", "_replace"})
"""What a named tuple has for everyone, though the names look private."""
_LETTERS = frozenset({
    "capitalize", "casefold", "isalnum", "isalpha", "islower", "isupper", "lower", "swapcase", "title",
    "upper",
})  # fmt: skip
"""Methods of texts whose tables differ between versions of Python."""


class SourceModule:
    """The part of a module that belongs to one game, as a tree.

    `nodes` are without the bodies of other games; `parents` has the node around each node.
    """

    def __init__(self, name: str, game: type[Game[Any]]) -> None:
        module = sys.modules[name]
        self.file = Path(str(module.__file__))
        tree = ast.parse(self.file.read_bytes())
        tree.body = [
            node for node in tree.body
            if not (isinstance(node, ast.ClassDef) and _is_other_game(getattr(module, node.name, None), game))
        ]  # fmt: skip
        self.nodes = [*ast.walk(tree)]
        self.parents = {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    def failure(self, node: Any, sentence: str) -> CheckFailed:
        """Return the failure with the file and the line of a node."""
        return CheckFailed(f"{self.file.name}:{node.lineno}: {sentence}")

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield a node and all nodes that it is in, outwards."""
        while True:
            yield node
            if node not in self.parents:
                return
            node = self.parents[node]


def _is_other_game(thing: object, game: type[Game[Any]]) -> bool:
    return isinstance(thing, type) and issubclass(thing, Game) and thing not in game.__mro__


def modules_of(game: type[Game[Any]]) -> list[SourceModule]:
    """Return the modules of a game, and those of its package that they import."""
    todo = [cls.__module__ for cls in game.__mro__ if issubclass(cls, Game)]
    top = game.__module__.partition(".")[0]
    found: dict[str, SourceModule] = {}
    while todo:
        name = todo.pop()
        module = sys.modules.get(name)
        if name in found or name.partition(".")[0] in _TAVOLATA or not getattr(module, "__file__", None):
            continue
        found[name] = SourceModule(name, game)
        for node in found[name].nodes:
            if isinstance(node, ast.ImportFrom):
                package = "" if module is None else module.__package__ or ""
                base = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
                named = node.module or ""
                whole = f"{base}.{named}".strip(".") if node.level else named
                todo += [one for one in (whole, *(f"{whole}.{alias.name}" for alias in node.names))
                         if one.partition(".")[0] == top and one in sys.modules]  # fmt: skip
            elif isinstance(node, ast.Import):
                todo += [alias.name for alias in node.names if alias.name.partition(".")[0] == top]
    return list(found.values())


def provisional_words(game: type[Game[Any]], bots: Iterable[type]) -> list[str]:
    """Return the provisional modules that the rules or these bots import."""
    others = {bot.__module__ for bot in bots} & sys.modules.keys()
    modules = [*modules_of(game), *(SourceModule(one, game) for one in sorted(others) if not _is_ours(one))]
    said = {name for module in modules for node in module.nodes for name in _imported(node)}
    return [word for word in PROVISIONAL if any(f"{name}.".startswith(f"{word}.") for name in said)]


def _is_ours(module: str) -> bool:
    return module.partition(".")[0] in _TAVOLATA


@of_game(stops=True)
def nothing_private(game: type[Game[Any]]) -> None:
    """Check that the rules use public modules and attributes of Tavolata only."""
    modules = modules_of(game)
    own = {name for module in modules for node in module.nodes for name in _defined(node)}
    for module in modules:
        for node in module.nodes:
            for name in _imported(node):
                if name.partition(".")[0] in _TAVOLATA and any(map(_is_private, name.split("."))):
                    raise module.failure(node, f"{name} is private to Tavolata, and may change at any time.")
                if name.partition(".")[0] == "tavolata_protocol":
                    raise module.failure(node, f"{name} is the network's; rules know nothing of it.")
            if isinstance(node, ast.Attribute) and _is_private(node.attr) and node.attr not in own:
                raise module.failure(node, f"{node.attr} is private to whatever has it.")


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("_") and name not in _OF_TUPLES  # Python's own names


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and not node.level:
        return [f"{node.module}.{alias.name}" for alias in node.names]
    return []


def _defined(node: ast.AST) -> Iterator[str]:
    """Yield names that this node gives to something of the game's own."""
    match node:
        case ast.FunctionDef(name) | ast.AsyncFunctionDef(name) | ast.ClassDef(name):
            yield name
        case ast.Name(name, ast.Store()) | ast.Attribute(ast.Name("self"), name, ast.Store()):
            yield name
        case _:
            pass


@of_game()
def nothing_outside(game: type[Game[Any]]) -> None:
    """Check that the rules import pure modules only, and use no builtin that reaches out of the match."""
    top, modules = game.__module__.partition(".")[0], modules_of(game)
    methods = {
        one.name for module in modules for one in module.nodes
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }  # fmt: skip
    for module in modules:
        given = {one.arg for one in module.nodes if isinstance(one, ast.arg)} | {
            one.id for one in module.nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
        }
        for node in module.nodes:
            for name in _imported(node):
                if name.partition(".")[0] not in {*_PURE, *_TAVOLATA, top}:
                    raise module.failure(
                        node, f"{name} isn't pure: on another machine it may say something else."
                    )
            match node:
                case ast.Name(id=name, ctx=ast.Load()) if name in _OUTSIDE - given:
                    if name != "hash" or not _makes_hash(node, module):
                        raise module.failure(node, f"`{name}` depends on the process, or reaches out of it.")
                case ast.Call(func=ast.Attribute(attr=name, value=of)) if name in _LETTERS - methods:
                    if not isinstance(of, ast.Attribute) or of.attr != "name":  # of an enum: that is ASCII
                        said = "differs between versions of Python: compare texts by `same_words`."
                        raise module.failure(node, f"`{name}` {said}")


def _makes_hash(node: ast.AST, module: SourceModule) -> bool:
    """Return True within a method that makes a hash, which is one of this process anyway."""
    return any(
        isinstance(one, ast.FunctionDef) and one.name.strip("_") == "hash" for one in module.around(node)
    )


@of_game(stops=True)
def every_word_awaited(game: type[Game[Any]]) -> None:
    """Each word of the table that waits is awaited, and nothing else is."""
    own = {
        name for cls in game.__mro__ if issubclass(cls, Game) and cls is not Game
        for name, value in vars(cls).items() if inspect.iscoroutinefunction(value)
    }  # fmt: skip
    for module in modules_of(game):
        for node in module.nodes:
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id=whose), attr=word)):
                    inner: ast.AST = node
                    parent = module.parents.get(node)
                case _:
                    continue
            while isinstance(parent, ast.IfExp) and inner is not parent.test:
                inner, parent = parent, module.parents.get(parent)
            awaited = isinstance(parent, ast.Await)
            if whose in tables_of(node, module):
                if awaited and word in PLAIN:
                    raise module.failure(node, f"`{whose}.{word}` does not wait; it can't be awaited.")
                if word in WAITS and not awaited and not isinstance(parent, ast.Return | ast.Lambda):
                    raise module.failure(node, f"`{whose}.{word}` is not awaited, so nothing happens.")
            if whose == "self" and word in own and isinstance(parent, ast.Expr):
                raise module.failure(node, f"`self.{word}` is not awaited, so nothing happens.")


def tables_of(node: ast.AST, module: SourceModule) -> set[str]:
    """Return the names that stand for the table where this node is."""
    names: set[str] = set()
    for one in module.around(node):
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            for argument in (*one.args.posonlyargs, *one.args.args, *one.args.kwonlyargs):
                said = "" if argument.annotation is None else ast.unparse(argument.annotation)
                if argument.arg == "t" or said.partition("[")[0] == "Table":
                    names.add(argument.arg)
    return names


_MESSAGES = frozenset(
    {"goes", "label", "message", "more", "others", "reason", "stamp", "text", "title", "verb", "you"}
)
"""The parameters that take a message id."""
_MAKERS: dict[str, Callable[..., Any]] = {
    **{name: value for name, value in vars(zones).items() if name.endswith("_zone")},
    "Choice": Choice, "N_": N_, "Unavailable": Unavailable, "claim": claim, "interjection": interjection,
    "text": text,
}  # fmt: skip
_LETTERED, _FIELD = re.compile(r"[^\W\d_]{2}"), re.compile(r"\{[^{}]*\}")


def put_together(game: type[Game[Any]]) -> CheckFailed | None:
    """Return the failure of a game whose source puts a message together from parts; None if none does."""
    for module, part in _messages(game):
        if _is_put_together(part):
            return module.failure(
                part,
                "A message is put together from parts, so it can't be translated: give it a field, "
                'as in N_("{seat} pays {n}.").',
            )
    return None


def unmarked(game: type[Game[Any]]) -> Iterator[tuple[SourceModule, ast.Constant]]:
    """Yield the texts that a game says to people and that nothing marks for translation."""
    for module, part in _messages(game):
        whole = [part]
        while whole:
            match whole.pop():
                case ast.IfExp(body=one, orelse=other):
                    whole += one, other
                case ast.Constant(str(said)) as node if _LETTERED.search(_FIELD.sub("", said)):
                    match module.parents.get(node):
                        case ast.Call(func=ast.Name("N_")):
                            pass
                        case _:
                            yield module, node
                case _:
                    pass


def _messages(game: type[Game[Any]]) -> Iterator[tuple[SourceModule, ast.expr]]:
    """Yield what a game's source gives where a message is taken."""
    for module in modules_of(game):
        for node in module.nodes:
            match node:
                case ast.Call(func=ast.Name(id=name)) if name in _MAKERS:
                    parts = _messages_of(node, _MAKERS[name])
                case ast.Call(func=ast.Attribute(value=ast.Name(id=whose), attr=name)) if (
                    name in _WORDS and whose in tables_of(node, module)
                ):
                    parts = _messages_of(node, _WORDS[name])
                case _:
                    continue
            yield from ((module, part) for part in parts)


def _messages_of(call: ast.Call, maker: Callable[..., Any]) -> Iterator[ast.expr]:
    """Yield the arguments of a call that are messages."""
    names = [name for name in _parameters(maker) if name != "self"]
    for name, argument in zip(names, call.args, strict=False):
        if name in _MESSAGES:
            yield argument
    for keyword in call.keywords:
        if keyword.arg in _MESSAGES and keyword.arg in names:
            yield keyword.value


@cache
def _parameters(maker: Callable[..., Any]) -> tuple[str, ...]:
    kinds = inspect.Parameter
    return tuple(
        name for name, one in inspect.signature(maker).parameters.items()
        if one.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)
    )  # fmt: skip


def _is_put_together(node: ast.expr) -> bool:
    """Return True for an f-string, `%`, `+` or `.format` with words in it."""
    match node:
        case ast.JoinedStr(parts):
            words = [part for part in parts if isinstance(part, ast.Constant)]
            return len(words) < len(parts) and any(map(_has_words, words))
        case ast.BinOp(left, ast.Mod() | ast.Add(), right):
            return _has_words(left) or _has_words(right)
        case ast.Call(func=ast.Attribute(value=of, attr="format")):
            return _has_words(of)
        case ast.Call(func=ast.Name("N_"), args=[of]):
            return _is_put_together(of)
        case _:
            return False


def _has_words(node: ast.expr) -> bool:
    match node:
        case ast.Constant(str(said)):
            return bool(_LETTERED.search(said))
        case ast.Call(func=ast.Name("N_"), args=[of]):
            return _has_words(of)
        case _:
            return _is_put_together(node)
