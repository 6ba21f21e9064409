"""The signatures and attributes on the pages of the reference, drawn from the sources.

In the repository a page has them between marks, as `<!-- tavolata.ring.Ring -->`; `tools/site_links.py` puts
the directive of the site in their place.
"""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib.machinery import ModuleSpec
from pathlib import Path

from tests.author_words import FOR_THE_ENGINE

GIVEN = {"Choice": {"label"}, "Claim": {"args"}}
"""Attributes that only the engine reads, but that authors give: without them a signature would be wrong."""
Documented = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
LINE = 110
KEPT = {"classmethod", "contextmanager", "hookspec", "overload", "property", "staticmethod"}
"""The decorators that change how something is used."""


@cache
def stub(name: str) -> str:
    """A module, a class or a function as a block of code: signatures, attributes and what they're for."""
    module, _, rest = name.rpartition(".")
    body = list(_of_module(name, None) if _module(name) is not None else _of_module(module, {rest}))
    assert body, name
    source = "\n\n".join(map(ast.unparse, body))
    ruff = [
        sys.executable,
        "-m",
        "ruff",
        "format",
        "--isolated",
        f"--line-length={LINE}",
        "--stdin-filename=x.pyi",
        "-",
    ]
    done = subprocess.run(ruff, input=source, capture_output=True, text=True, check=True)
    return f"```pyi\n{done.stdout.rstrip()}\n```"


def _of_module(name: str, wanted: set[str] | None) -> Iterator[ast.stmt]:
    """The public things of a module, or those of these names, also of those that it only passes on."""
    there = _module(name)
    assert there is not None, name
    assert there.origin is not None, name
    tree = ast.parse(Path(there.origin).read_bytes())
    listed = _listed(tree) if wanted is None else wanted
    for node, follows in zip(tree.body, [*tree.body[1:], None], strict=True):
        match node, follows:
            case ast.ImportFrom(module=str(home), names=names), _ if listed is not None:
                passed = {alias.name for alias in names} & listed
                yield from _of_module(home, passed) if passed else ()
            case ast.Assign([ast.Name(id=constant)]), ast.Expr(ast.Constant(str())) if _is_shown(
                constant, listed
            ):
                yield from (node, follows)
            case _:
                yield from _public(node, listed)


def _module(name: str) -> ModuleSpec | None:
    try:
        return importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None


def _listed(tree: ast.Module) -> set[str] | None:
    """The names in `__all__`; None without it."""
    for node in tree.body:
        match node:
            case ast.Assign([ast.Name("__all__")], value):
                return set(ast.literal_eval(value))
            case _:
                pass
    return None


def _is_shown(name: str, listed: set[str] | None) -> bool:
    return not name.startswith("_") and (listed is None or name in listed)


def _public(node: ast.stmt, listed: set[str] | None) -> Iterator[ast.stmt]:
    match node:
        case ast.ClassDef(name=name) if _is_shown(name, listed):
            yield _class(node)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if _is_shown(name, listed):
            yield _function(node)
        case ast.AnnAssign(target=ast.Name(id=name)) if _is_shown(name, listed):
            yield ast.AnnAssign(node.target, node.annotation, None, node.simple)
        case ast.Assign([ast.Name(id=name)], value) if listed is not None and name in listed:
            yield node if isinstance(value, ast.Constant | ast.Subscript) else _named(name)
        case _:
            pass


def _named(name: str) -> ast.stmt:
    return ast.Assign([ast.Name(name)], ast.Constant(...), lineno=0)


def _class(node: ast.ClassDef) -> ast.ClassDef:
    engine = FOR_THE_ENGINE.get(node.name, set()) - GIVEN.get(node.name, set())
    kept = [one for one in node.decorator_list if ast.unparse(one).startswith("dataclass")]
    doc = ast.get_docstring(node)
    body: list[ast.stmt] = [] if doc is None else [ast.Expr(ast.Constant(doc + "\n" * ("\n" in doc)))]
    for one in node.body:
        match one:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
                not name.startswith("_") and name not in engine and "override" not in _decorators(one)
            ):
                body.append(_function(one))
            case ast.AnnAssign(target=ast.Name(id="_")):
                body.append(one)  # what follows is given by name
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_") and name not in engine:
                body.append(one)
            case ast.Assign([ast.Name(id=name)]) if not name.startswith("_") and name not in engine:
                body.append(one)
            case _:
                pass
    return ast.ClassDef(node.name, node.bases, node.keywords, body or [ast.Expr(ast.Constant(...))], kept)


def _function(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.stmt:
    """A function without its body, and the first paragraph about it."""
    doc = (ast.get_docstring(node) or "").partition("\n\n")[0]
    body: list[ast.stmt] = [ast.Expr(ast.Constant(doc or ...))]
    kept = [one for one in node.decorator_list if ast.unparse(one) in KEPT]
    return type(node)(node.name, node.args, body, kept, node.returns, lineno=0)


def _decorators(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    return [ast.unparse(one) for one in node.decorator_list]
