"""API 1 as text: every public name with its signature and its fields, from the sources.

    python -m tests.frozen_api            compares the code with `tests/api_1.txt`
    python -m tests.frozen_api --record   adds new words to it; it never takes one away

A line is one word: a class, a field, a method, a function, a constant or a closed set of words. Fields have
the order of their class, all else goes by name. What is provisional says so, and may change.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from tests.author_words import FOR_THE_ENGINE, MODULES, kit

import tavolata
from tavolata._renamed import PROVISIONAL

ROOT: Final = Path(__file__).parents[1]
FILE: Final = ROOT / "tests" / "api_1.txt"
OF_THE_TABLE: Final = {
    "Ballots", "Card", "Check", "CheckFailed", "Counter", "Counters", "Cup", "FalseFact", "Grid", "Hand",
    "Pile", "Rehearsal", "Ring", "Secret", "Table", "Track", "View",
}  # fmt: skip
"""Classes whose instances authors only get: how one is made is nobody's word."""
OPERATORS: Final = {
    f"__{one}__" for one in ("bool", "call", "contains", "eq", "getitem", "int", "iter", "len", "lt", "str")
}
HEAD: Final = """\
# API 1, as it is frozen: a line for each word that authors may use. `python -m tests.frozen_api --record`
# adds new words. From 1.0 on, nothing here is renamed or removed while Tavolata is 1.x.
"""
FROZEN: Final = """\
API 1 is frozen, and these of its words are gone or changed:
  {lost}
Games that people have installed use them. Put the old word back and add a better one beside it. A parameter
may be added if it has a default. If a type only grew wider, edit its line in {file} by hand.
"""
ADDED: Final = """\
These words of API 1 are new:
  {new}
From 1.0 on they stay as long as Tavolata is 1.x. If you mean that, run `python -m tests.frozen_api --record`.
"""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def public() -> dict[str, list[str]]:
    """By module that authors import from, the names that it offers."""
    found = {"tavolata": sorted(tavolata.__all__)}
    found |= {f"tavolata.{one}": sorted(import_module(f"tavolata.{one}").__all__) for one in MODULES}
    found["tavolata.testing"] = sorted(kit())
    for name in PROVISIONAL:
        found[name] = sorted(map(_name_of, filter(_is_said, _tree(name).body)))
    return found


def lines() -> list[str]:
    """Every word of API 1 as it is now."""
    found = []
    for module, names in public().items():
        note = "  # provisional" if module in PROVISIONAL else ""
        for name in names:
            value = None if module in PROVISIONAL else getattr(import_module(module), name)
            if isinstance(value, ModuleType):  # of plain numbers, used as an enumeration
                found += [
                    f"{module}.{name}.{one}" for one in map(_name_of, _tree(value.__name__).body) if one
                ]
                continue
            if isinstance(value, type) and value.__module__.startswith("tavolata."):
                home, node = _home(value.__module__, value.__name__)  # a word of scripts has another name
            else:
                home, node = _home(module, name)
            found += [f"{module}.{one}{note}" for one in _words(home, node, name)]
    closed = {home for home, _ in _HOMES.values()}
    for home in sorted(closed):
        for node in _tree(home).body:
            if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("Literal["):
                name = ast.unparse(node.targets[0])
                if not name.startswith("_"):
                    found.append(f"{home}.{name} = {ast.unparse(node.value)}")
    return list(dict.fromkeys(found))


# -- from the sources -----------------------------------------------------------------------------------

_TREES: dict[str, ast.Module] = {}
_HOMES: dict[tuple[str, str], tuple[str, ast.stmt]] = {}


def _tree(module: str) -> ast.Module:
    if module not in _TREES:
        path = ROOT / "core" / Path(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        _TREES[module] = ast.parse(path.read_text(encoding="utf-8"))
    return _TREES[module]


def _name_of(node: ast.stmt) -> str:
    match node:
        case ast.ClassDef(name) | ast.FunctionDef(name) | ast.AsyncFunctionDef(name):
            return name
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return name
    return ""


def _is_said(node: ast.stmt) -> bool:
    """Return True for what a module offers that lists no names."""
    return isinstance(node, Function | ast.ClassDef) and not node.name.startswith("_")


def _home(module: str, name: str) -> tuple[str, ast.stmt]:
    """Return the module that defines a name, and where: a module may offer another's."""
    if (module, name) not in _HOMES:
        home = tavolata._HOME.get(name, module) if module == "tavolata" else module
        while True:
            nodes = [one for one in _tree(home).body if _name_of(one) == name]
            if nodes:
                _HOMES[module, name] = home, nodes[-1]
                break
            home = next(
                one.module
                for one in ast.walk(_tree(home))
                if isinstance(one, ast.ImportFrom) and one.module
                for alias in one.names
                if name in (alias.asname, alias.name)
            )
    return _HOMES[module, name]


def _words(home: str, node: ast.stmt, name: str) -> Iterator[str]:
    match node:
        case ast.ClassDef(_, bases, keywords):
            said = ", ".join([*map(ast.unparse, bases), *map(ast.unparse, keywords)])
            yield f"{name}: class({said})"
            yield from (f"{name}.{one}" for one in _members(home, node, FOR_THE_ENGINE))
        case ast.FunctionDef() | ast.AsyncFunctionDef():
            yield from (f"{name}: {_signature(one)}" for one in _versions(_tree(home).body, name))
        case ast.AnnAssign(_, annotation):
            yield f"{name}: {ast.unparse(annotation)}"
        case _:
            yield name


def _members(home: str, node: ast.ClassDef, hidden: Mapping[str, set[str]]) -> list[str]:
    """Return the fields of a class in their order, then its methods by name, with those of private bases."""
    unsaid = {one for base in (node.name, *map(_bare, node.bases)) for one in hidden.get(base, ())}
    said = OPERATORS if node.name in OF_THE_TABLE else OPERATORS | {"__init__"}
    fields: list[str] = []
    methods: list[str] = []
    for base in node.bases:
        if _bare(base).startswith("_"):
            own = next((one for one in _tree(home).body if _name_of(one) == _bare(base)), None)
            if isinstance(own, ast.ClassDef):
                fields += _members(home, own, hidden)
    for one in node.body:
        name = _name_of(one)
        if not name or name in unsaid or (name.startswith("_") and name not in said):
            continue
        match one:
            case ast.AnnAssign(_, annotation, value):
                default = "" if value is None else f" = {ast.unparse(value)}"
                fields.append(f"{name}: {ast.unparse(annotation)}{default}")
            case ast.Assign(_, value):
                fields.append(f"{name} = {ast.unparse(value)}")
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                is_setter = any(
                    ast.unparse(mark).endswith((".setter", ".deleter")) for mark in one.decorator_list
                )
                methods.append(f"{name}: {'setter ' if is_setter else ''}{_signature(one)}")
            case ast.ClassDef():
                methods.append(f"{name}: class")
    return [*fields, *sorted(dict.fromkeys(methods))]


def _bare(base: ast.expr) -> str:
    return ast.unparse(base).partition("[")[0].rpartition(".")[2]


def _versions(body: list[ast.stmt], name: str) -> list[Function]:
    return [one for one in body if isinstance(one, Function) and one.name == name]


def _signature(node: Function) -> str:
    kept = {"property", "classmethod", "staticmethod", "overload", "abstractmethod", "cached_property"}
    marks = [mark for mark in map(ast.unparse, node.decorator_list) if mark in kept]
    word = "async def" if isinstance(node, ast.AsyncFunctionDef) else "def"
    returns = "" if node.returns is None else f" -> {ast.unparse(node.returns)}"
    return " ".join([*(f"@{mark}" for mark in marks), f"{word}({ast.unparse(node.args)}){returns}"])


# -- what has changed -----------------------------------------------------------------------------------


def read() -> list[str]:
    """The words as they were recorded."""
    return [
        line for line in FILE.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")
    ]


def lost(recorded: list[str], now: list[str]) -> list[str]:
    """Return the recorded words that are gone, or that say something else now."""
    words: dict[str, list[str]] = {}
    for line in now:
        words.setdefault(_word(line), []).append(line)
    return [
        line
        for line in recorded
        if "# provisional" not in line and not any(_fits(line, other) for other in words.get(_word(line), ()))
    ]


def _word(line: str) -> str:
    return line.partition(": ")[0].partition(" = ")[0]


def _fits(old: str, new: str) -> bool:
    """Return True if whatever was written for the old line is right for the new one."""
    if old == new:
        return True
    if " = Literal[" in old:
        return _closed(old) <= _closed(new)
    before, after = _function(old), _function(new)
    if before is None or after is None or type(before) is not type(after):
        return False
    return ast.unparse(before.returns or ast.Constant(0)) == ast.unparse(
        after.returns or ast.Constant(0)
    ) and _takes(before.args, after.args)


def _closed(line: str) -> set[str]:
    return set(ast.literal_eval(f"[{line.partition('Literal[')[2]}"))


def _function(line: str) -> Function | None:
    said = line.partition(": ")[2]
    marks, found, rest = said.rpartition("def(")
    if not found:
        return None
    try:
        [node] = ast.parse(f"{'async ' if marks.endswith('async ') else ''}def f({rest}: ...").body
    except SyntaxError:
        return None
    assert isinstance(node, Function)
    return node


def _takes(old: ast.arguments, new: ast.arguments) -> bool:
    """Return True if every call of the old parameters is one of the new ones and means the same."""
    for kind in ("posonlyargs", "args"):
        before, after = getattr(old, kind), getattr(new, kind)
        if list(map(ast.unparse, before)) != list(map(ast.unparse, after[: len(before)])):
            return False
    added = len(new.posonlyargs) + len(new.args) - len(old.posonlyargs) - len(old.args)
    defaults = [*map(ast.unparse, new.defaults)]
    if added > len(defaults) or [*map(ast.unparse, old.defaults)] != defaults[: len(defaults) - added]:
        return False
    named = {ast.unparse(one): default for one, default in zip(new.kwonlyargs, new.kw_defaults, strict=True)}
    for one, default in zip(old.kwonlyargs, old.kw_defaults, strict=True):
        name = ast.unparse(one)
        if name not in named or _said(named.pop(name)) != _said(default):
            return False
    return None not in named.values() and [_said(old.vararg), _said(old.kwarg)] == [
        _said(new.vararg), _said(new.kwarg)
    ]  # fmt: skip


def _said(node: Any) -> str:
    return "" if node is None else ast.unparse(node)


def main() -> None:
    now = lines()
    recorded = read() if FILE.exists() else []
    gone = lost(recorded, now)
    if gone:
        sys.exit(FROZEN.format(lost="\n  ".join(gone), file=FILE.name))
    if "--record" in sys.argv:
        FILE.write_text(HEAD + "\n".join(now) + "\n", encoding="utf-8")
    elif new := [line for line in now if line not in recorded]:
        sys.exit(ADDED.format(new="\n  ".join(new)))


if __name__ == "__main__":
    main()
